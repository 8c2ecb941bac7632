// The app router of Next.js: handlers for the route file, and what protects other route handlers.

import { answerRequest } from './routes.js';
import { authenticate, type AuthUser } from './session.js';

/** Handlers by method, for app/api/auth/[...all]/route.ts. */
export function authRoute() {
  // The last address is that of the proxy in front, or of Next.js itself; those before it are claims of the client.
  const handle = (request: Request): Promise<Response> =>
    answerRequest(request, request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim());
  return { GET: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle };
}

/** A handler for users only: `export const GET = requireSession((request, user) => ...)`. Others get 401. */
export function requireSession<Context>(
  handler: (request: Request, user: AuthUser, context: Context) => Response | Promise<Response>,
): (request: Request, context: Context) => Promise<Response> {
  return async (request, context) => {
    const user = await authenticate(request);
    return user instanceof Response ? user : handler(request, user, context);
  };
}
