// What every answer has: a request id, security headers, a line in the log. What clients rely on: HEAD has the length
// of GET, and a stream that fails does not look complete. Which pages of other origins may read answers.

import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Context, Handler, Hono, MiddlewareHandler } from 'hono';
import { getPath } from 'hono/utils/url';
import type { Logger } from 'pino';
import { type AppEnv, setHeader } from './context.js';
import { answerError, HttpError, toError } from './errors.js';
import { logAnswer } from './log.js';

/**
 * Nothing that an API answers may load anything, be framed, or be taken for another type. A route that answers pages
 * replaces the policy for itself.
 */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
};

/** Ids of a proxy or client that are safe to log and to send back. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

type Bindings = AppEnv['Bindings'];

/**
 * Gives every answer of `app` what it has to have. Around the application, because each middleware costs time in every
 * request: an answer that is made at once stays one.
 * @param proxies the number of trusted proxies in front of the server
 */
export function completeAnswers(app: Hono<AppEnv>, logger: Logger, proxies: number): void {
  const find = app.fetch;
  app.fetch = (request, given, ...rest) => {
    const started = performance.now();
    const isHead = request.method === 'HEAD';
    const { incoming, outgoing } = (given ?? {}) as Partial<Bindings>;
    const header = (name: string): string =>
      (incoming ? incoming.headers[name] : request.headers.get(name))?.toString() ?? '';
    const id = header('x-request-id');
    const env: Bindings = {
      ...(incoming && { incoming }),
      ...(outgoing && { outgoing }),
      requestId: REQUEST_ID.test(id) ? id : randomUUID(),
      clientAddress: findClientAddress(incoming?.socket.remoteAddress, proxies, header),
      logger,
    };
    if (outgoing !== undefined) {
      addHeaders(outgoing, env.requestId);
      outgoing.on('close', () => logAnswer(request, env, outgoing.statusCode, performance.now() - started));
    }
    const finish = (answer: Response): Response | Promise<Response> => {
      if (outgoing === undefined) {
        completeTestAnswer(answer, env);
        logAnswer(request, env, answer.status, performance.now() - started);
      }
      return isHead ? withoutBody(answer) : answer;
    };
    // Hono hands errors to its handler, but nothing else that is thrown.
    const fail = (thrown: unknown): Response => answerError(toError(thrown), env);
    try {
      if (request.url.includes('%')) checkPath(getPath(request));
      const answer = find(isHead ? asGet(request) : request, env, ...rest);
      return answer instanceof Promise ? answer.catch(fail).then(finish) : finish(answer);
    } catch (thrown) {
      return finish(fail(thrown));
    }
  };
}

/** `handler` with the variables in its context, and with an answer that cannot fail in the server package. */
export function handleRoute(handler: Handler): Handler<AppEnv> {
  return (c, next) => {
    const { requestId, clientAddress, outgoing } = c.env;
    c.set('requestId', requestId);
    c.set('clientAddress', clientAddress);
    if (outgoing === undefined) return handler(c, next);
    const isPlain = watchJson(c);
    const guard = (answer: Response | void): Response | void => {
      if (answer !== undefined) return isPlain(answer) ? answer : guardStream(answer, outgoing);
      // The handler was middleware.
      if (c.finalized && !isPlain(c.res)) c.res = guardStream(c.res, outgoing);
    };
    const answer = handler(c, next) as Response | Promise<Response | void>;
    return answer instanceof Promise ? answer.then(guard) : guard(answer);
  };
}

/** Tells answers of `c.json()`: they come in one piece, so that nobody need look at their body, which takes time. */
function watchJson(c: Context<AppEnv>): (answer: Response) => boolean {
  let made: unknown;
  const { json } = c;
  c.json = ((...args: Parameters<typeof json>) => (made = json(...args))) as typeof json;
  return (answer) => answer === made;
}

/** Hono would hand parameters that cannot be decoded, such as `%ff`, on as they are. */
function checkPath(path: string): void {
  try {
    decodeURIComponent(path);
  } catch (cause) {
    throw new HttpError(400, undefined, { cause });
  }
}

/**
 * The address that the outermost of `proxies` trusted proxies saw; without proxies that of the connection. Each adds
 * the address of its client at the end of the list. What stands before those, the client itself has written.
 */
function findClientAddress(
  peer: string | undefined,
  proxies: number,
  header: (name: string) => string,
): string | undefined {
  if (proxies === 0) return peer;
  const hops = header('x-forwarded-for')
    .split(',')
    .flatMap((hop) => hop.trim() || []);
  return [...hops, peer].slice(-1 - proxies)[0];
}

/** Adds headers at once when they are written: setting each of them takes longer. Those of the answer itself win. */
function addHeaders(outgoing: ServerResponse, requestId: string): void {
  const writeHead = outgoing.writeHead.bind(outgoing);
  outgoing.writeHead = (status: number, ...given: readonly unknown[]) => {
    const headers: OutgoingHttpHeaders = { ...HEADERS, 'x-request-id': requestId };
    for (const name of outgoing.getHeaderNames()) delete headers[name];
    const own = given.at(-1);
    if (typeof own === 'object') for (const name in own) headers[name.toLowerCase()] = own[name as keyof typeof own];
    return writeHead(status, headers);
  };
}

/** A test calls the application without a response of Node. */
function completeTestAnswer(answer: Response, { requestId }: Bindings): void {
  for (const [name, value] of Object.entries({ ...HEADERS, 'x-request-id': requestId })) {
    if (!answer.headers.has(name)) answer.headers.set(name, value);
  }
}

/** Hono answers HEAD as it answers GET, and drops the body before its length is known. */
function asGet({ url, headers, signal }: Request): Request {
  return new Request(url, { headers, signal });
}

/** The answer to HEAD. JSON comes in one piece, so its length is known. */
async function withoutBody(answer: Response): Promise<Response> {
  const head = new Response(null, answer);
  if (/^application\/(?:[^;\s]+\+)?json\b/.test(answer.headers.get('Content-Type') ?? '')) {
    head.headers.set('Content-Length', String((await answer.arrayBuffer()).byteLength));
  }
  return head;
}

// Otherwise the server package writes the error to standard error, and may write its message to the client.
function guardStream(answer: Response, outgoing: ServerResponse): Response {
  // The server package keeps a text that was not streamed.
  if (!(answer.body instanceof ReadableStream)) return answer;
  const reader = answer.body.getReader();
  const body = new ReadableStream<Uint8Array>({
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
  return new Response(body, answer);
}

const PREFLIGHT_MAX_AGE_SECONDS = '600';

/** Headers that scripts of those pages may read, besides the few that every browser admits. */
const EXPOSED = ['ETag', 'Location', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'].join(', ');

/**
 * Middleware that admits exactly the given origins and answers their preflight requests.
 * @param hasCredentials whether they may send cookies; tokens in a header need it not
 */
export function cors(origins: readonly string[], hasCredentials = false): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    setHeader(c, 'Vary', 'Origin');
    const origin = c.req.header('Origin');
    if (origin === undefined || !origins.includes(origin)) return next();
    setHeader(c, 'Access-Control-Allow-Origin', origin);
    setHeader(c, 'Access-Control-Expose-Headers', EXPOSED);
    if (hasCredentials) setHeader(c, 'Access-Control-Allow-Credentials', 'true');
    if (c.req.method !== 'OPTIONS' || !c.req.header('Access-Control-Request-Method')) return next();
    return c.body(null, 204, {
      Vary: 'Origin, Access-Control-Request-Headers',
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'Access-Control-Allow-Headers': c.req.header('Access-Control-Request-Headers') ?? '',
      'Access-Control-Max-Age': PREFLIGHT_MAX_AGE_SECONDS,
    });
  };
}
