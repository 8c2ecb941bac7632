// The routes for hosts that speak in requests and responses of Node: Express 4 and 5, connect, node:http. It imports none of
// them and uses `setHeader` and `end` of Node only, so that all send the same bytes, without an ETag and whatever the settings of
// the host. What a host puts on the request is taken: `req.ip`, and the `req.body` of a parser.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeJsonBody } from './bodies.js';
import type { Sender } from './cookie.js';
import { type AccountDependencies, type AccountRequest, answerRoute, type AuthUser, DEFAULT_REALM, type RouteTable } from './core.js';
import { AccountError, type AccountAnswer, errorAnswer } from './errors.js';
import { toNetwork } from './throttle.js';

/** A request, and what hosts such as Express put on it. */
export type HostRequest = IncomingMessage & { readonly ip?: string | undefined; readonly body?: unknown; user?: unknown };
export type NextHandler = (error?: unknown) => void;
/** Middleware in the style of connect. */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse, next: NextHandler) => void;

/** Answers the routes of `table` below the prefix where the host mounts it; calls `next()` for other paths. */
export function createNodeHandler(deps: AccountDependencies, table: RouteTable): NodeHandler {
  return (req, res, next) => {
    const match = table.match(req.url ?? '/');
    if (!match) return next();
    const answer = async (): Promise<void> => {
      try {
        const result = await answerRoute(deps, match, new NodeRequest(req, res));
        if (result.status === 413) await drainRequest(req, res);
        sendAnswer(res, result);
      } catch (error) {
        next(error);
      }
    };
    void answer();
  };
}

/** Lets requests through that `find` finds the user of, and answers the `AccountError`s that it throws. */
export function protectNode(find: (request: Sender) => Promise<AuthUser>, realm: string): NodeHandler {
  return (req, res, next) => {
    const admit = async (): Promise<void> => {
      try {
        const user = await find(new NodeRequest(req, res));
        (req as HostRequest).user = user;
        const { locals } = res as ServerResponse & { readonly locals?: Record<string, unknown> };
        if (locals) locals['user'] = user;
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

// Everything is read when it is asked for: most routes need little of it.
class NodeRequest implements AccountRequest {
  private readonly req: HostRequest;
  private readonly res: ServerResponse;

  constructor(req: HostRequest, res: ServerResponse) {
    this.req = req;
    this.res = res;
  }

  get method(): string {
    return this.req.method ?? 'GET';
  }

  // That of the socket, unless the host knows another, as Express does with the setting "trust proxy".
  get address(): string {
    return toNetwork(this.req.ip ?? this.req.socket.remoteAddress ?? '');
  }

  get authorization(): readonly string[] {
    return readAuthorization(this.req);
  }

  get userAgent(): string | undefined {
    return this.req.headers['user-agent'];
  }

  // Node joins what was sent twice.
  header(name: string): string | undefined {
    return this.req.headers[name.toLowerCase()] as string | undefined;
  }

  get requestId(): string | undefined {
    return readRequestId(this.res);
  }

  readJson(maxBytes: number): Promise<unknown> {
    return readJsonBody(this.req, maxBytes);
  }
}

const AUTHORIZATION = 'authorization';

/** The values of all `Authorization` headers. Node keeps only the first one; the raw list has them all. */
export function readAuthorization({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): readonly string[] {
  const values = rawAuthorization(rawHeaders);
  if (values.length > 1) return values;
  // Of a single header what the host sees, which adapters and middleware may have set.
  return headers.authorization === undefined ? [] : [headers.authorization];
}

/** The values of all `Authorization` headers in a raw list of names and values. */
export function rawAuthorization(rawHeaders: readonly string[]): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // The length first: it excludes most names without a new text for each.
    if (name.length !== AUTHORIZATION.length || name.toLowerCase() !== AUTHORIZATION) continue;
    values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}

// The `X-Request-Id` that the host has put on the response, if any.
function readRequestId(res: ServerResponse): string | undefined {
  const id = res.getHeader('X-Request-Id');
  return typeof id === 'string' ? id : undefined;
}

/** Sends the answer, unless the host has begun one already, and begins its work. */
function sendAnswer(res: ServerResponse, { status, body, headers, after }: AccountAnswer): void {
  if (!res.headersSent) {
    res.statusCode = status;
    res.removeHeader('X-Powered-By');
    // Beside the cookies of the host.
    for (const name in headers) res[name === 'Set-Cookie' ? 'appendHeader' : 'setHeader'](name, headers[name] ?? '');
    // As one text, which Node sends in one piece with the headers.
    const text = body === undefined ? undefined : JSON.stringify(body);
    if (text !== undefined) res.setHeader('Content-Length', Buffer.byteLength(text));
    res.end(text);
  }
  // Node writes the answer in this turn of the event loop, so the work cannot delay it.
  if (after) setImmediate(() => void after());
}

function answerError(error: unknown, res: ServerResponse, next: NextHandler, realm: string): void {
  if (!(error instanceof AccountError) || res.headersSent) next(error);
  else sendAnswer(res, errorAnswer(error, realm, readRequestId(res)));
}

/** The `type` of an error of body-parser, by the answer that the account routes give themselves. */
const BODY_ERRORS: ReadonlyMap<unknown, 'invalid_json' | 'payload_too_large'> = new Map([
  ['charset.unsupported', 'invalid_json'],
  ['encoding.unsupported', 'invalid_json'],
  ['entity.parse.failed', 'invalid_json'],
  ['entity.too.large', 'payload_too_large'],
  ['request.aborted', 'invalid_json'],
  ['request.size.invalid', 'invalid_json'],
]);

/**
 * Error handler for hosts that parse bodies before the account routes: `app.use('/auth', account.router, answerBodyErrors)`.
 * Malformed JSON gets 400 `Invalid JSON body`, a body that is too long 413; other errors go on to the error handler of the host.
 */
export function answerBodyErrors(error: unknown, _req: IncomingMessage, res: ServerResponse, next: NextHandler): void {
  const { type, status } = (error instanceof Error ? error : {}) as { readonly type?: unknown; readonly status?: unknown };
  // body-parser before 1.18 sets no type.
  const isOld = type === undefined && error instanceof SyntaxError && status === 400 && 'body' in error;
  const code = isOld ? 'invalid_json' : BODY_ERRORS.get(type);
  // Without the cause: its message holds the beginning of the body, which may be a password.
  answerError(code === undefined ? error : new AccountError(code), res, next, DEFAULT_REALM);
}

const FORM_TYPE = /^\s*(?:application\/x-www-form-urlencoded|multipart\/)/i;
const JSON_TYPE = /^\s*application\/(?:[^;\s]+\+)?json\s*(?:;|$)/i;

/**
 * The JSON value in the body, of at most `maxBytes` bytes before and after decompression; where a parser of the host has read
 * the body before, what it has put on the request. Throws `AccountError` with code `invalid_json` or `payload_too_large`, and
 * `Error` when the host has consumed the body and not set `req.body`.
 */
export async function readJsonBody(req: HostRequest, maxBytes: number): Promise<unknown> {
  if (Number(req.headers['content-length']) > maxBytes) {
    req.resume();
    throw new AccountError('payload_too_large');
  }
  if (req.readableDidRead || req.readableEnded) return takeParsedBody(req, maxBytes);
  return decodeJsonBody(await readBytes(req, maxBytes), req.headers['content-encoding'], maxBytes);
}

// Not by `for await`, which would close the connection when the body is too long.
function readBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    req.on('data', (chunk: Buffer | string) => {
      const bytes = Buffer.from(chunk);
      length += bytes.length;
      // The rest is read and dropped, so that the client can finish sending and read the answer.
      if (length > maxBytes) reject(new AccountError('payload_too_large'));
      else chunks.push(bytes);
    });
    req.once('end', () => resolve(Buffer.concat(chunks)));
    // The client went away in the middle: nobody reads the answer, but the promise must settle.
    for (const event of ['error', 'close']) req.once(event, () => reject(new AccountError('invalid_json')));
    req.resume();
  });
}

function takeParsedBody({ body, headers }: HostRequest, maxBytes: number): unknown {
  const type = headers['content-type'] ?? '';
  // Parsers make `{}` of an empty body, and an object with text fields of a form.
  if (headers['content-length'] === '0' || FORM_TYPE.test(type)) throw new AccountError('invalid_json');
  if (body === undefined) {
    throw new Error('Cannot read the request body: it was consumed before the account routes, without setting "req.body"');
  }
  if (body instanceof Uint8Array) return decodeJsonBody(body, undefined, maxBytes);
  if (typeof body !== 'string') return body;
  try {
    return decodeJsonBody(Buffer.from(body), undefined, Infinity);
  } catch (error) {
    // A text is the body itself, from a text parser, or a JSON string, from a JSON parser that is not strict.
    if (JSON_TYPE.test(type) && body !== '') return body;
    throw error;
  }
}

/** How much is read and how long that takes at most; after either, the answer is sent, and may be lost. */
export interface DrainLimits {
  readonly maxBytes: number;
  readonly maxMs: number;
}

export const DRAIN_LIMITS: DrainLimits = { maxBytes: 16_777_216, maxMs: 5_000 };

/**
 * Lets a client finish sending a body that was refused, before it gets the answer: resolves once the rest has been thrown away,
 * at once when the connection stays open. A connection that ends with the answer is closed by Node as soon as the answer is
 * written; when parts of the body arrive after that, the system resets it, and an answer that was not read yet is lost.
 */
export function drainRequest(req: IncomingMessage, res: ServerResponse, limits: DrainLimits = DRAIN_LIMITS): Promise<void> {
  // `Connection: close` of either side, or HTTP/1.0.
  const endsConnection = !res.shouldKeepAlive || /\bclose\b/i.test(String(res.getHeader('Connection') ?? ''));
  if (req.complete || req.destroyed || !endsConnection) return Promise.resolve();
  return new Promise((resolve) => {
    let bytes = 0;
    const count = (chunk: Buffer | string): void => {
      bytes += chunk.length;
      if (bytes > limits.maxBytes) finish();
    };
    const finish = (): void => {
      clearTimeout(timer);
      req.off('data', count).off('end', finish).off('close', finish).off('error', finish);
      // Without a listener for data the stream would pause.
      req.resume();
      resolve();
    };
    const timer = setTimeout(finish, limits.maxMs);
    req.on('data', count).once('end', finish).once('close', finish).once('error', finish);
  });
}
