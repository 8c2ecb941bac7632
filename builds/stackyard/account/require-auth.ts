// The protection middleware. Behind it `req.user` and `res.locals.user` hold the id and e-mail of the account.

import type { RequestHandler } from 'express';
import { type AuthUser, identify, type IdentifyOptions } from './authenticate.js';
import { DEFAULT_REALM } from './dependencies.js';
import { answerError } from './express-answer.js';
import { readAuthorization } from './express-request.js';
import type { AccountRequest } from './request.js';

export interface RequireAuthOptions extends IdentifyOptions {
  /** `realm` of the challenges. Default: `account`. */
  readonly realm?: string;
}

/** Lets requests with a valid bearer token through, answers others with 401, passes other errors on to the host. */
export function createRequireAuth(options: RequireAuthOptions): RequestHandler {
  return protect((request) => identify(request, options), options.realm ?? DEFAULT_REALM);
}

/** Lets requests through that `find` finds the user of, and answers the `AccountError`s that it throws. */
export function protect(
  find: (request: Pick<AccountRequest, 'authorization'>) => Promise<AuthUser>,
  realm: string,
): RequestHandler {
  return (req, res, next) => {
    const admit = async (): Promise<void> => {
      try {
        const user = await find({ authorization: readAuthorization(req) });
        req.user = user;
        res.locals['user'] = user;
      } catch (error) {
        answerError(error, res, next, realm);
        return;
      }
      // Outside, so that an error of a later handler is not answered here.
      next();
    };
    void admit();
  };
}
