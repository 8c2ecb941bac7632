// NestJS on Express: the routes, and a guard for controllers.

import type { IncomingMessage } from 'node:http';
import { authenticate, rememberUser } from './session.js';

export { mountAuth } from './express.js';

type HttpException = new (response: object, status: number) => Error;

/** A guard, `@UseGuards(requireSession(HttpException))`: lets users through, for whom `currentUser(req)` is set. */
export function requireSession(exception: HttpException) {
  return {
    async canActivate(context: { switchToHttp(): { getRequest(): IncomingMessage } }): Promise<boolean> {
      const request = context.switchToHttp().getRequest();
      const user = await authenticate(request);
      if (user instanceof Response) throw new exception((await user.json()) as object, user.status);
      rememberUser(request, user);
      return true;
    },
  };
}
