// What handlers find in the context: `c.get('requestId')` and the other variables, and what the server has in `c.env`.

import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Logger } from 'pino';

export interface AppEnv {
  /** Of the request, made by `answers.ts`. */
  Bindings: Partial<HttpBindings> & RequestState;
  /** In the routes of modules. */
  Variables: {
    /** In the header `X-Request-Id`, in error bodies and in the log. */
    requestId: string;
    /** Where the request comes from, behind the proxies that `TRUST_PROXY` counts. */
    clientAddress: string | undefined;
    /** The JSON value of the body, `undefined` without one. */
    body: unknown;
  };
}

export interface RequestState {
  readonly requestId: string;
  readonly clientAddress: string | undefined;
  /** The log of the server. Handlers use `requestLog(c)`. */
  readonly logger: Logger;
  /** Why the request failed, for the log. */
  error?: Error | undefined;
}

/** Sets a header of the answer before it is made. In Node itself, which is faster than `c.header()`. */
export function setHeader(c: Context<AppEnv>, name: string, value: string): void {
  const { outgoing } = c.env;
  if (outgoing === undefined) c.header(name, value);
  else outgoing.setHeader(name, value);
}
