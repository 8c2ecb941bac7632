// Routes for every host, written once: functions from a Request of the web standard to a Response. A host that speaks
// in requests and responses of Node, such as Express, gets an adapter. Method, path, headers and body come from
// anybody.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { dropBody, MAX_DROPPED_BYTES, RequestError } from './bodies.js';

/** A request for a route. */
export interface Call {
  readonly request: Request;
  /** Those of the path, by name, as they were sent: not decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly requestId?: string | undefined;
}

export type Handler = (call: Call) => Promise<Response>;

/** Handlers by path, such as `/:id`, and method. HEAD is answered as GET is. */
export type RouteTable = Readonly<Record<string, Readonly<Record<string, Handler>>>>;

type Next = (error?: unknown) => void;

export interface Routes {
  /** Below the prefix. */
  readonly node: (req: IncomingMessage, res: ServerResponse, next: Next) => void;
  readonly fetch: (
    request: Request,
    info: { readonly prefix: string; readonly requestId?: string | undefined },
  ) => Promise<Response | undefined>;
}

/** Answers the paths of the table; other paths are left to the host. Of two that match the first one counts. */
export function createRoutes(table: RouteTable): Routes {
  const entries = Object.entries(table).map(([path, handlers]) => {
    return { names: path.split('/'), handlers: new Map(Object.entries(handlers)) };
  });

  function find(method: string, target: string) {
    const [path = '', search = ''] = target.split(/\?(.*)/s);
    // A slash at the end makes no difference.
    const parts = (path.replace(/\/$/, '') || '/').split('/');
    for (const { names, handlers } of entries) {
      const params = names.length === parts.length && match(names, parts);
      if (!params) continue;
      const handle = handlers.get(method === 'HEAD' ? 'GET' : method);
      const allow = [...handlers.keys(), ...(handlers.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
      return { handle, allow, params, query: new URLSearchParams(search) };
    }
    return undefined;
  }

  return {
    node(req, res, next) {
      const { method = 'GET', url = '/' } = req;
      // Also from the absolute form, such as `GET http://host/path` (RFC 9112 section 3.2.2).
      const target = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '').replace(/^(?!\/)/, '/');
      const found = find(method, target);
      if (!found) return next();
      const answer = async (): Promise<void> => {
        const chunks = req.iterator({ destroyOnReturn: false });
        try {
          const { handle, allow, params, query } = found;
          const id = res.getHeader('X-Request-Id');
          const requestId = typeof id === 'string' ? id : undefined;
          // Not every method can be that of a Request: undici throws for TRACE.
          const response = handle
            ? await handle({ params, query, requestId, request: toRequest(req, res, target, chunks) })
            : answerOtherMethod(method, allow);
          await send(response, method, res);
        } catch (error) {
          // A client that went away needs no answer.
          if (!req.destroyed || !res.destroyed) next(error);
        }
        await dropRest(req, chunks);
      };
      // Where the host's own answer to an error fails, only this request ends.
      answer().catch(() => res.destroy());
    },
    async fetch(request, { prefix, requestId }) {
      const { method, url } = request;
      const path = url.slice(url.indexOf('/', url.indexOf('//') + 2));
      const found = path.startsWith(prefix) ? find(method, path.slice(prefix.length)) : undefined;
      if (!found) return undefined;
      try {
        const { handle, allow, params, query } = found;
        return handle ? await handle({ params, query, requestId, request }) : answerOtherMethod(method, allow);
      } finally {
        dropBody(request);
      }
    },
  };
}

function match(names: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const part = parts[index] ?? '';
    if (name.startsWith(':') && part !== '') params[name.slice(1)] = part;
    else if (name !== part) return undefined;
  }
  return params;
}

function answerOtherMethod(method: string, allow: string): Response {
  const headers = { Allow: allow };
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers });
  throw new RequestError(405, 'method_not_allowed', `Method ${method} is not allowed here`, { headers });
}

function toRequest(
  req: IncomingMessage & { readonly body?: unknown },
  res: ServerResponse,
  target: string,
  chunks: AsyncIterator<Uint8Array>,
): Request {
  const { method = 'GET', rawHeaders } = req;
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  try {
    const headers = new Headers();
    for (let index = 0; index < rawHeaders.length; index += 2) {
      headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
    }
    const init: RequestInit & { duplex?: 'half' } = { method, headers, signal: gone.signal };
    if (method !== 'GET' && method !== 'HEAD') {
      // A body that a parser of the host has read is only on the request.
      const isRead = req.readableEnded && req.body !== undefined;
      init.body = isRead ? JSON.stringify(req.body) : toStream(chunks);
      init.duplex = 'half';
    }
    return new Request(`http://localhost${target}`, init);
  } catch (cause) {
    throw new RequestError(400, 'invalid_request', 'The request has a part that no route can read', { cause });
  }
}

/** Reads a piece when it is asked for, so that a slow reader slows the sender. */
export function toStream(chunks: AsyncIterator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await chunks.return?.()),
    },
    { highWaterMark: 0 },
  );
}

// Lets a client finish sending a body that was refused: until then it may not read the answer, and the connection is
// not free.
async function dropRest(req: IncomingMessage, chunks: AsyncIterator<Uint8Array>): Promise<void> {
  if (req.complete && req.readableEnded) return;
  try {
    await chunks.return?.();
  } catch {
    return;
  }
  let bytes = 0;
  req.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > MAX_DROPPED_BYTES) req.destroy();
  });
}

async function send(response: Response, method: string, res: ServerResponse): Promise<void> {
  res.statusCode = response.status;
  response.headers.forEach((value, name) => {
    if (name === 'set-cookie') res.appendHeader(name, value);
    else res.setHeader(name, value);
  });
  if (response.body && method !== 'HEAD') return pipeline(Readable.fromWeb(response.body as never), res);
  await response.body?.cancel();
  res.end();
}
