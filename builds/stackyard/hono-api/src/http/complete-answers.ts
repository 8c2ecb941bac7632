// What answers need so that clients can rely on them: HEAD has the length of GET, and a stream that fails in the middle
// does not look complete.

import type { ServerResponse } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import type { AppEnv } from './app-env.js';
import { toError } from './error-handler.js';

const JSON_TYPE = /^application\/(?:[^;\s]+\+)?json\b/;

/** Middleware that adds the length of JSON to answers to HEAD, and cuts the connection when another body fails. */
export const completeAnswers: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  // JSON comes in one piece. To look at a body makes its answer slower, so it is left alone.
  const isJson = JSON_TYPE.test(c.res.headers.get('Content-Type') ?? '');
  if (!isJson) cutOnFailure(c);
  else if (c.req.method === 'HEAD') await addLength(c);
};

async function addLength(c: Context): Promise<void> {
  const { byteLength } = await c.res.clone().arrayBuffer();
  c.res.headers.set('Content-Length', String(byteLength));
}

// Otherwise the server package writes the error to standard error, and before the first bytes its message to the client.
function cutOnFailure(c: Context<AppEnv>): void {
  const outgoing = c.env?.outgoing;
  if (outgoing !== undefined && c.res.body !== null) c.res = new Response(guard(c.res.body, outgoing), c.res);
}

function guard(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        // The log finds it as `outgoing.errored`.
        outgoing.destroy(toError(error));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
