// Who sent a request, by the build that provides the tag `auth`: its `requireAuth` is middleware of Hono, and is given what it
// uses of a context of Hono.

import type { Call, Handler } from './routes.js';

export interface User {
  readonly id: number;
  readonly email: string;
}

/** What is used of the build that provides the tag `auth`. */
export interface Auth {
  /** Middleware in the style of Hono. */
  requireAuth(c: HostContext, next: () => Promise<void>): Promise<Response | void>;
  currentUser(host: object): User;
  onUserDeleted(listener: (user: User) => void | Promise<void>): () => void;
}

/** What `requireAuth` is given in place of a context of Hono. */
interface HostContext {
  readonly req: { readonly raw: Request; arrayBuffer(): Promise<ArrayBuffer>; header(name: string): string | undefined };
  readonly env: unknown;
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  newResponse(text: string | null, init: { readonly status: number; readonly headers: Record<string, string> }): Response;
}

/** The user of a request, or the answer of `requireAuth` to one that has none. */
export async function identify(
  auth: Pick<Auth, 'requireAuth' | 'currentUser'>,
  { request, requestId }: Pick<Call, 'request' | 'requestId'>,
): Promise<User | Response> {
  const values = new Map<string, unknown>([['requestId', requestId]]);
  const context: HostContext = {
    req: { raw: request, arrayBuffer: () => request.arrayBuffer(), header: (name) => request.headers.get(name) ?? undefined },
    env: {},
    get: (name) => values.get(name),
    set: (name, value) => void values.set(name, value),
    newResponse: (text, init) => new Response(text, init),
  };
  let user: User | undefined;
  const refusal = await auth.requireAuth(context, async () => void (user = auth.currentUser(context)));
  if (user) return user;
  if (refusal) return refusal;
  throw new TypeError('Cannot identify the user: "requireAuth" has called neither "next" nor answered');
}

/** Answers a request of a user, with what the routes of a module work with. */
export type UserHandler<Parts> = (parts: Parts, user: User, call: Call) => Promise<Response>;

/** The handler of a route that needs a login. `open` is asked at each request. */
export function withUser<Parts extends { readonly auth: Auth }>(open: () => Parts, handle: UserHandler<Parts>): Handler {
  return async (call) => {
    const parts = open();
    const user = await identify(parts.auth, call);
    return user instanceof Response ? user : handle(parts, user, call);
  };
}
