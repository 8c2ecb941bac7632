// The account routes, as a router that the host mounts under a prefix. Works with interfaces only: the defaults are
// put together in account.ts.

import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import { AccountError } from './account-error.js';
import type { AccountLog } from './account-log.js';
import { answerError, DEFAULT_REALM } from './answer-error.js';
import { changePassword } from './change-password.js';
import type { AccountDependencies, PasswordRule } from './dependencies.js';
import { drainRequest } from './drain-request.js';
import type { AccountEventListener } from './events.js';
import { login } from './login.js';
import { logout, logoutAll } from './logout.js';
import { deleteMe, showMe } from './me.js';
import type { Passwords } from './passwords.js';
import { register } from './register.js';
import { reportEvent } from './report-event.js';
import { sendEmpty } from './response.js';
import { noThrottle, type Throttle } from './throttle.js';
import type { Tokens } from './tokens.js';
import type { UserStore } from './users.js';

export interface AccountRouterOptions {
  readonly users: UserStore;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  /** Default: none. */
  readonly throttle?: Throttle;
  /** Takes events for an audit log or for metrics. */
  readonly onEvent?: AccountEventListener;
  /** `console`, or a pino logger. Default: `console`. */
  readonly log?: AccountLog;
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** `realm` of the challenges. Default: `account`. */
  readonly realm?: string;
  /** Longest body, in bytes. Default: 16384. */
  readonly maxBodyBytes?: number;
  /** How old the token may be that deletes an account, in seconds. Default: 900. */
  readonly recentLoginSeconds?: number;
  /** A further rule for new passwords, such as a list of common ones. */
  readonly refusePassword?: PasswordRule;
}

type Handler = (deps: AccountDependencies, req: Request, res: Response) => Promise<void>;

const DEFAULT_MAX_BODY_BYTES = 16_384;
const DEFAULT_RECENT_LOGIN_SECONDS = 900;

/** `POST /register`, `/login`, `/logout`, `/logout-all`, `/password` and `GET`, `DELETE /me`. */
export function createAccountRouter(options: AccountRouterOptions): Router {
  const deps: AccountDependencies = {
    users: options.users,
    tokens: options.tokens,
    passwords: options.passwords,
    throttle: options.throttle ?? noThrottle,
    onEvent: options.onEvent ?? (() => {}),
    log: options.log ?? console,
    now: options.now ?? Date.now,
    realm: options.realm ?? DEFAULT_REALM,
    maxBodyBytes: options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
    recentLoginSeconds: options.recentLoginSeconds ?? DEFAULT_RECENT_LOGIN_SECONDS,
    refusePassword: options.refusePassword ?? (() => undefined),
  };
  const router = Router();
  // First, since it is asked far more often than all others and Express looks at its routes one after the other.
  router
    .route('/me')
    .get(route(deps, showMe))
    .delete(route(deps, deleteMe))
    .all(refuseMethod(deps, 'GET, HEAD, DELETE, OPTIONS'));
  const posts: readonly [path: string, handler: Handler][] = [
    ['/register', register],
    ['/login', login],
    ['/logout', logout],
    ['/logout-all', logoutAll],
    ['/password', changePassword],
  ];
  for (const [path, handler] of posts)
    router.route(path).post(route(deps, handler)).all(refuseMethod(deps, 'POST, OPTIONS'));
  return router;
}

// Express 4 does not look at the promise of a handler, so the rejection is caught here.
function route(deps: AccountDependencies, handler: Handler): RequestHandler {
  return (req, res, next) => {
    handler(deps, req, res).catch(async (error: unknown) => {
      const code = error instanceof AccountError ? error.code : undefined;
      if (code === 'overloaded') reportEvent(deps, req, 'overloaded');
      if (code === 'payload_too_large') await drainRequest(req, res);
      answerError(error, res, next, deps.realm);
    });
  };
}

function refuseMethod({ realm }: AccountDependencies, allow: string): RequestHandler {
  return (req: Request, res: Response, next: NextFunction) => {
    if (req.method === 'OPTIONS') return sendEmpty(res, { Allow: allow });
    const message = `Method ${req.method} is not allowed here`;
    answerError(
      new AccountError('method_not_allowed', { message, headers: { Allow: allow } }),
      res,
      next,
      realm,
    );
  };
}
