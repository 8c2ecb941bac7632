// The routes for hosts of the web standard, a Request to a Response, and for those that wrap both in a context, as Hono does.
// It imports none of them.

import type { IncomingMessage } from 'node:http';
import { decodeJsonBody } from './bodies.js';
import type { Sender } from './cookie.js';
import { type AccountDependencies, type AccountRequest, answerRoute, type AuthUser, type RouteTable } from './core.js';
import { AccountError, type AccountAnswer, errorAnswer } from './errors.js';
import { DRAIN_LIMITS, type DrainLimits, rawAuthorization } from './node-adapter.js';
import { toNetwork } from './throttle.js';

/** What a host knows of a request besides the standard. */
export interface FetchInfo {
  /** Where the routes are mounted, such as `/auth`. */
  readonly prefix: string;
  /** Of the client. */
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
}

/** `undefined` for paths that are not among the routes. Rejects with errors that are the host's. */
export type FetchHandler = (request: Request, info: FetchInfo) => Promise<Response | undefined>;

/** What is used of a context of Hono. */
export interface HostContext {
  readonly req: { readonly raw: Request; readonly bodyCache?: object; arrayBuffer(): Promise<ArrayBuffer>; header(name: string): string | undefined };
  readonly env: unknown;
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  newResponse(text: string | null, init: { status: never; headers: Record<string, string> }): Response;
}

/** Middleware in the style of Hono. */
export type ContextHandler = (c: HostContext, next: () => Promise<void>) => Promise<Response | void>;

/** Answers the routes of `table` below the prefix. */
export function createFetchHandler(deps: AccountDependencies, table: RouteTable): FetchHandler {
  return async (request, { prefix, address, requestId }) => {
    const match = table.match(pathBelow(request.url, prefix));
    if (!match) return undefined;
    const source = {
      raw: request,
      arrayBuffer: () => request.arrayBuffer(),
      header: (name: string) => request.headers.get(name) ?? undefined,
    };
    const read = readRequest(source, [], () => address, () => requestId);
    const { status, body, headers } = answerParts(await answerRoute(deps, match, read), request.method);
    return new Response(body, { status, headers });
  };
}

/** As `createFetchHandler`, for a host that mounts middleware: other paths go on to `next`. */
export function createContextHandler(deps: AccountDependencies, table: RouteTable, prefix: string): ContextHandler {
  return async (c, next) => {
    const match = table.match(pathBelow(c.req.raw.url, prefix));
    if (!match) return next();
    return respond(c, await answerRoute(deps, match, requestOf(c)));
  };
}

/** Lets requests through that `find` finds the user of, whom it sets as `user`; answers the `AccountError`s that it throws. */
export function protectContext(find: (request: Sender) => Promise<AuthUser>, realm: string): ContextHandler {
  return async (c, next) => {
    try {
      c.set('user', await find(requestOf(c)));
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      return respond(c, errorAnswer(error, realm, textOf(c, 'requestId')));
    }
    // Outside, so that an error of a later handler is not answered here.
    return next();
  };
}

// The path and query of an absolute URL below the prefix, which the host has matched, or `` where it is another one.
function pathBelow(url: string, prefix: string): string {
  const path = url.slice(url.indexOf('/', url.indexOf('//') + 2));
  return path.startsWith(prefix) ? path.slice(prefix.length) : '';
}

// With the headers that the host has set.
function respond(c: HostContext, answer: AccountAnswer): Response {
  const { status, body, headers } = answerParts(answer, c.req.raw.method);
  return c.newResponse(body, { status: status as never, headers });
}

function answerParts({ status, body, headers, after }: AccountAnswer, method: string) {
  // Servers write the answer in this turn of the event loop, so the work cannot delay it.
  if (after) setImmediate(() => void after());
  const text = body === undefined ? null : JSON.stringify(body);
  if (text === null || method !== 'HEAD') return { status, body: text, headers: { ...headers } };
  // Servers add the length of a body; here there is none.
  return { status, body: null, headers: { ...headers, 'Content-Length': String(Buffer.byteLength(text)) } };
}

type Source = HostContext['req'];

function requestOf(c: HostContext): AccountRequest {
  return readRequest(c.req, rawHeadersOf(c), () => addressOf(c), () => textOf(c, 'requestId'));
}

// Everything is read when it is asked for: most routes need little of it.
function readRequest(
  source: Source,
  rawHeaders: readonly string[],
  readAddress: () => string | undefined,
  readId: () => string | undefined,
): AccountRequest {
  return {
    method: source.raw.method,
    get address() {
      return toNetwork(readAddress() ?? '');
    },
    get authorization() {
      return readAuthorization(source, rawHeaders);
    },
    get userAgent() {
      return source.header('User-Agent');
    },
    get requestId() {
      return readId();
    },
    // Requests that no server has made have no `Host`.
    header: (name) => source.header(name) ?? (name === 'Host' ? new URL(source.raw.url).host : undefined),
    readJson: (maxBytes) => readFetchBody(source, maxBytes),
  };
}

// The raw list of Node, where the server is Node, has repeated headers; the standard joins them to one text.
function readAuthorization(source: Source, rawHeaders: readonly string[]): readonly string[] {
  const values = rawAuthorization(rawHeaders);
  if (values.length > 1) return values;
  // Of a single header what the host sees, which middleware may have set.
  const value = source.header('Authorization');
  if (value === undefined) return [];
  return rawHeaders.length > 0 ? [value] : value.split(/, (?=bearer(?: |$))/i);
}

/** What the servers of Hono for Node give to an application; nothing where a test calls it. */
interface NodeBindings {
  readonly incoming?: IncomingMessage;
  readonly server?: NodeBindings;
}

function incomingOf(c: HostContext): IncomingMessage | undefined {
  const bindings = c.env as NodeBindings | undefined;
  return (bindings?.server ?? bindings)?.incoming;
}

function rawHeadersOf(c: HostContext): readonly string[] {
  return incomingOf(c)?.rawHeaders ?? [];
}

// The context value `clientAddress`, which a host behind proxies sets; else the address of the connection.
function addressOf(c: HostContext): string | undefined {
  return textOf(c, 'clientAddress') ?? incomingOf(c)?.socket.remoteAddress;
}

function textOf(c: HostContext, name: string): string | undefined {
  const value = c.get(name);
  return typeof value === 'string' ? value : undefined;
}

/**
 * The JSON value in the body, of at most `maxBytes` bytes before and after decompression; where the host has read the body by
 * the context, what that remembers. Throws `AccountError` with code `invalid_json` or `payload_too_large`, and `Error` when the
 * host has consumed the body by other means.
 */
export async function readFetchBody(source: Source, maxBytes: number, limits: DrainLimits = DRAIN_LIMITS): Promise<unknown> {
  const bytes = await readBytes(source, maxBytes, limits);
  return decodeJsonBody(bytes, source.header('Content-Encoding'), maxBytes);
}

async function readBytes(source: Source, maxBytes: number, limits: DrainLimits): Promise<Uint8Array> {
  const { raw, bodyCache = {} } = source;
  const length = source.header('Content-Length');
  const isCached = Object.keys(bodyCache).length > 0;
  if (!isCached && (raw.bodyUsed || raw.body?.locked)) {
    throw new Error('Cannot read the request body: it was consumed before the account routes, and not by "c.req"');
  }
  // A server lets no more through than the header says.
  const isBounded = length !== undefined && Number(length) <= maxBytes;
  if (!isCached && !isBounded) return raw.body === null ? new Uint8Array() : readStream(raw.body, maxBytes, limits);
  try {
    return new Uint8Array(await source.arrayBuffer());
  } catch {
    // The client went away in the middle: nobody reads the answer, but the request must come to an end.
    throw new AccountError('invalid_json');
  }
}

async function readStream(body: ReadableStream<Uint8Array>, maxBytes: number, limits: DrainLimits): Promise<Uint8Array> {
  const reader = body.getReader();
  const read = async (): Promise<Uint8Array | undefined> => {
    try {
      return (await reader.read()).value;
    } catch {
      throw new AccountError('invalid_json');
    }
  };
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let chunk = await read(); chunk !== undefined; chunk = await read()) {
    length += chunk.length;
    if (length > maxBytes) {
      await dropRest(read, limits);
      throw new AccountError('payload_too_large');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

// Lets the client finish sending a body that nobody wants, before it gets the answer, as `drainRequest` does.
async function dropRest(read: () => Promise<Uint8Array | undefined>, { maxBytes, maxMs }: DrainLimits): Promise<void> {
  const drop = async (): Promise<void> => {
    let bytes = 0;
    for (let chunk = await read(); chunk !== undefined && bytes <= maxBytes; chunk = await read()) bytes += chunk.length;
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, maxMs)));
  await Promise.race([drop(), late]);
  clearTimeout(timer);
}
