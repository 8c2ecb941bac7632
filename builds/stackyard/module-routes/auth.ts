// Who sent a request, by the build that provides the tag `auth`.

import type { Call, Handler } from './routes.js';

/** A user. The id is text, whatever it is in the accounts. */
export interface User {
  readonly id: string;
  readonly email: string;
}

/** `authenticate` of the tag `auth`: the user of a request, or the answer to one that has none. */
export type Authenticate = (
  request: Request,
) => Promise<{ readonly id: number | string; readonly email: string } | Response>;

/** The same with the id as text. */
export async function identify(authenticate: Authenticate, request: Request): Promise<User | Response> {
  const found = await authenticate(request);
  return 'email' in found ? { id: String(found.id), email: found.email } : found;
}

/** Answers a request of a user, with what the routes of a module work with. */
export type UserHandler<Parts> = (parts: Parts, user: User, call: Call) => Promise<Response>;

/** The handler of a route that needs a login. `open` is called for each request. */
export function withUser<Parts extends { readonly authenticate: Authenticate }>(
  open: () => Parts,
  handle: UserHandler<Parts>,
): Handler {
  return async (call) => {
    const parts = open();
    const user = await identify(parts.authenticate, call.request);
    return 'email' in user ? handle(parts, user, call) : user;
  };
}
