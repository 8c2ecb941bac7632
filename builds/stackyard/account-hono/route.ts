// A path with the handlers of its methods, and the answer to a request for that path.

import { AccountError } from './account-error.js';
import { type AccountAnswer, emptyAnswer, errorAnswer } from './answer.js';
import type { AccountDependencies } from './dependencies.js';
import { reportEvent } from './report-event.js';
import type { AccountRequest } from './request.js';

/** Answers a request, or throws: an `AccountError` is answered, other errors are those of the host. */
export type AccountHandler = (request: AccountRequest) => Promise<AccountAnswer>;

export interface AccountRoute {
  /** Below the prefix of the host, such as `/me` or `/sessions/:id`. */
  readonly path: string;
  /** By method. `GET` stands for HEAD as well. */
  readonly handlers: ReadonlyMap<string, AccountHandler>;
}

export function accountRoute(path: string, handlers: Readonly<Record<string, AccountHandler>>): AccountRoute {
  return { path, handlers: new Map(Object.entries(handlers)) };
}

/** The answer of the route, also to methods that it does not have. Rejects with errors that are not `AccountError`s. */
export async function answerRoute(
  deps: AccountDependencies,
  { handlers }: AccountRoute,
  request: AccountRequest,
): Promise<AccountAnswer> {
  const { method } = request;
  const handler = handlers.get(method === 'HEAD' ? 'GET' : method);
  try {
    if (handler) return await handler(request);
    const allow = { Allow: allowedMethods(handlers) };
    if (method === 'OPTIONS') return emptyAnswer(allow);
    throw new AccountError('method_not_allowed', { message: `Method ${method} is not allowed here`, headers: allow });
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    if (error.code === 'overloaded') reportEvent(deps, request, 'overloaded');
    return errorAnswer(error, deps.realm, request.requestId);
  }
}

function allowedMethods(handlers: AccountRoute['handlers']): string {
  const methods = Array.from(handlers.keys(), (method) => (method === 'GET' ? 'GET, HEAD' : method));
  return [...methods, 'OPTIONS'].join(', ');
}
