/// <reference types="node" />
// Accounts in Nest on Express, on SQLite: what main.ts mounts, and a guard with a decorator for controllers. The core is in ../account-core.

import { type CanActivate, createParamDecorator, type ExecutionContext, HttpException } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AccountError, type AccountModule, answerBodyErrors, type AuthUser, currentUser, identify } from '../account-core/index.js';
import { accountModule } from '../account-sqlite/index.js';

/**
 * The routes, for `app.use('/auth', accountRoutes())` before the application listens, so that they read bodies before the parsers of Nest do.
 * Throws where a variable is wrong or missing.
 */
export function accountRoutes(accounts: AccountModule = accountModule): [AccountModule['node'], typeof answerBodyErrors] {
  accounts.assertSettings(process.env);
  return [accounts.node, answerBodyErrors];
}

/** Lets requests with a valid token or session cookie through, and answers others with 401: `@UseGuards(AccountGuard)`. */
export class AccountGuard implements CanActivate {
  protected readonly accounts: AccountModule = accountModule;

  /** Throws `HttpException`. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<IncomingMessage & { user?: AuthUser }>();
    // Node joins no repeated headers of this name: the raw list has them all, and more than one is refused.
    const { rawHeaders, headers, method = 'GET' } = request;
    const authorization = rawHeaders.filter((_, index) => rawHeaders[index - 1]?.toLowerCase() === 'authorization' && index % 2 === 1);
    try {
      const header = (name: string) => headers[name.toLowerCase()] as string | undefined;
      request.user = await identify({ authorization, method, header }, (await this.accounts.accounts()).dependencies);
      return true;
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      const { status, code, message, challenge } = error;
      const value = `Bearer realm="account"${challenge ? `, error="${challenge}"` : ''}`;
      if (status === 401) http.getResponse<ServerResponse>().setHeader('WWW-Authenticate', value);
      throw new HttpException({ error: { status, code, message } }, status);
    }
  }
}

/** The user behind `AccountGuard`, as a parameter of a handler: `@CurrentUser() user: AuthUser`. */
export const CurrentUser = createParamDecorator((_data: unknown, context: ExecutionContext): AuthUser =>
  currentUser(context.switchToHttp().getRequest<object>()),
);

export { currentUser } from '../account-core/index.js';
export type { AuthUser } from '../account-core/index.js';
export { accountMigrations, accountModule, onUserDeleted, requireAuth } from '../account-sqlite/index.js';
