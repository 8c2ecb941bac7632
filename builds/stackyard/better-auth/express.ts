// Express 4 and 5: the routes, and middleware that protects other routes.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { openAuth } from './instance.js';
import { authPath } from './module.js';
import { nodeRoutes, sendAnswer } from './routes.js';
import { authenticate, rememberUser } from './session.js';

/** Mounts the routes at /api/auth, or the `basePath` of the options. Throws where a variable is wrong or missing. */
export function mountAuth(app: { use(path: string, handler: typeof nodeRoutes): unknown }): void {
  app.use(authPath(), nodeRoutes);
  // A wrong option ends the process: nobody handles this rejection.
  void openAuth();
}

/** Middleware: lets users through, for whom `currentUser(req)` is set, and answers others with 401. */
export async function requireSession(req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) {
  try {
    const user = await authenticate(req);
    if (user instanceof Response) return await sendAnswer(res, user);
    rememberUser(req, user);
  } catch (error) {
    return next(error);
  }
  next();
}
