// What handlers find in the context, by `c.get('requestId')` for example.

import type { HttpBindings } from '@hono/node-server';
import type { Logger } from 'pino';

export interface AppEnv {
  /** The request and response of Node; absent where a test calls the application itself. */
  Bindings: Partial<HttpBindings> | undefined;
  Variables: {
    /** In the header `X-Request-Id`, in error bodies and in the log. */
    requestId: string;
    /** Where the request comes from, behind the proxies that `TRUST_PROXY` counts. */
    clientAddress: string | undefined;
    /** The JSON value of the body, `undefined` without one. */
    body: unknown;
    /** The log of the server. Handlers use `requestLog(c)`. */
    logger: Logger;
  };
}
