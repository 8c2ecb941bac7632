// Routes of this build as an Express router. All that is about Express is in the files express-*.ts, account.ts,
// account-router.ts, auth-user.ts, body-errors.ts, recovery.ts and require-auth.ts.

import { type NextFunction, type Request, type Response, Router } from 'express';
import type { AccountDependencies } from './dependencies.js';
import { drainRequest } from './drain-request.js';
import { sendAnswer } from './express-answer.js';
import { readExpressRequest } from './express-request.js';
import { type AccountRoute, answerRoute } from './route.js';

type Answer = (req: Request, res: Response, next: NextFunction, pathId: string) => void;

const ID_ENDING = '/:id';
// What is left of the URL below the path before the id.
const ID_FORM = /^\/([^/?]+)\/?(?:\?|$)/;

/** A router with these routes. Errors that are not of this build go on to the host. */
export function mountRoutes(deps: AccountDependencies, routes: readonly AccountRoute[]): Router {
  const router = Router();
  for (const route of routes) {
    const answer = answerWith(deps, route);
    if (route.path.endsWith(ID_ENDING)) mountWithId(router, route.path.slice(0, -ID_ENDING.length), answer);
    else router.all(route.path, (req, res, next) => answer(req, res, next, ''));
  }
  return router;
}

// Without a parameter of Express, which refuses an id such as `%` before any handler runs.
function mountWithId(router: Router, path: string, answer: Answer): void {
  router.use(path, (req, res, next) => {
    const id = ID_FORM.exec(req.url)?.[1];
    if (id === undefined) next();
    else answer(req, res, next, id);
  });
}

// Express 4 does not look at the promise of a handler, so the rejection is caught here.
function answerWith(deps: AccountDependencies, route: AccountRoute): Answer {
  return (req, res, next, pathId) => {
    const work = async (): Promise<void> => {
      try {
        const answer = await answerRoute(deps, route, readExpressRequest(req, res, pathId));
        if (answer.status === 413) await drainRequest(req, res);
        sendAnswer(res, answer);
      } catch (error) {
        next(error);
      }
    };
    void work();
  };
}
