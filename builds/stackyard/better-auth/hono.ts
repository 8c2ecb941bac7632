// Hono: the routes, and middleware that protects other routes.

import { openAuth } from './instance.js';
import { authPath } from './module.js';
import { answerRequest } from './routes.js';
import { authenticate, rememberUser } from './session.js';

/** What is used of a context. */
type Context = { readonly req: { readonly raw: Request }; readonly env: unknown; readonly var: object };

/** Mounts the routes at /api/auth, or the `basePath` of the options. Throws where a variable is wrong or missing. */
export function mountAuth(app: { all(path: string, handler: (c: Context) => Promise<Response>): unknown }): void {
  app.all(`${authPath()}/*`, (c) => answerRequest(c.req.raw, addressOf(c)));
  // A wrong option ends the process: nobody handles this rejection.
  void openAuth();
}

/** Middleware: lets users through, for whom `currentUser(c)` is set, and answers others with 401. */
export async function requireSession(c: Context, next: () => Promise<void>): Promise<Response | void> {
  const user = await authenticate(c.req.raw);
  if (user instanceof Response) return user;
  rememberUser(c, user);
  await next();
}

// The context value `clientAddress`, which knows the trusted proxies, else the socket of @hono/node-server.
function addressOf({ env, var: values }: Context): string | undefined {
  const { clientAddress } = values as { readonly clientAddress?: string };
  const { incoming } = (env ?? {}) as { readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } } };
  return clientAddress ?? incoming?.socket?.remoteAddress;
}
