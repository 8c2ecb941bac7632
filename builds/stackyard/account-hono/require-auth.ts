// The protection middleware. Behind it the context value `user` holds the id and e-mail of the account.

import type { MiddlewareHandler } from 'hono';
import type { AuthEnv } from './auth-user.js';
import { type AuthUser, identify, type IdentifyOptions } from './authenticate.js';
import { DEFAULT_REALM } from './dependencies.js';
import { answerError } from './hono-answer.js';
import { readAuthorization } from './hono-request.js';
import type { AccountRequest } from './request.js';

export interface RequireAuthOptions extends IdentifyOptions {
  /** `realm` of the challenges. Default: `account`. */
  readonly realm?: string;
}

/** Lets requests with a valid bearer token through, answers others with 401, throws other errors for the host. */
export function createRequireAuth(options: RequireAuthOptions): MiddlewareHandler<AuthEnv> {
  return protect((request) => identify(request, options), options.realm ?? DEFAULT_REALM);
}

/** Lets requests through that `find` finds the user of, and answers the `AccountError`s that it throws. */
export function protect(
  find: (request: Pick<AccountRequest, 'authorization'>) => Promise<AuthUser>,
  realm: string,
): MiddlewareHandler<AuthEnv> {
  return async (c, next) => {
    try {
      c.set('user', await find({ authorization: readAuthorization(c) }));
    } catch (error) {
      return answerError(c, error, realm);
    }
    // Outside, so that an error of a later handler is not answered here.
    return next();
  };
}
