// The protection middleware. Behind it `req.user` and `res.locals.user` hold the id and e-mail of the account.

import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { answerError, DEFAULT_REALM } from './answer-error.js';
import type { AuthUser } from './auth-user.js';
import { authenticate } from './authenticate.js';
import { readBearerToken } from './bearer.js';
import type { Tokens } from './tokens.js';
import type { UserStore } from './users.js';

export interface RequireAuthOptions {
  readonly users: UserStore;
  readonly tokens: Tokens;
  /**
   * Whether the account is read on each request. When false, only the token is checked: deleted accounts, logouts and
   * changed passwords then count from the token's expiry on. Default: true.
   */
  readonly checkAccount?: boolean;
  /** `realm` of the challenges. Default: `account`. */
  readonly realm?: string;
}

/** Lets requests with a valid bearer token through, answers others with 401, passes other errors on to the host. */
export function createRequireAuth(options: RequireAuthOptions): RequestHandler {
  return (req, res, next) => void protect(options, req, res, next);
}

async function protect(
  options: RequireAuthOptions,
  req: Request,
  res: Response,
  next: NextFunction,
): Promise<void> {
  try {
    const user = await identify(req, options);
    req.user = user;
    res.locals['user'] = user;
  } catch (error) {
    answerError(error, res, next, options.realm ?? DEFAULT_REALM);
    return;
  }
  // Outside, so that an error of a later handler is not answered here.
  next();
}

async function identify(
  req: Request,
  { users, tokens, checkAccount = true }: RequireAuthOptions,
): Promise<AuthUser> {
  if (!checkAccount) {
    const { userId, email } = tokens.verify(readBearerToken(req));
    return { id: userId, email };
  }
  const { user } = await authenticate(req, users, tokens);
  return { id: user.id, email: user.email };
}
