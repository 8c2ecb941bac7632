/** A proxy before a store, which records requests and answers some of them itself. */
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as it arrived. */
export interface SeenRequest {
  readonly method: string;
  /** With the bucket, without the query. */
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
}

/** `lose`: forward the request and break the connection; a response instead of the store's; otherwise forward. */
export type Reaction = 'forward' | 'lose' | { readonly status: number; readonly code?: string };

export interface StoreProxy {
  readonly endpoint: string;
  /** The clock of the store: by how much it is behind that of this machine. */
  behindMs: number;
  readonly requests: SeenRequest[];
  /** May be replaced at any time; called when a whole request has arrived. */
  react: (request: SeenRequest, number: number) => Reaction | Promise<Reaction>;
}

/** Starts a proxy before `endpoint` that ends with the test. */
export async function proxyBefore(endpoint: string): Promise<StoreProxy> {
  const target = new URL(endpoint);
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const proxy: StoreProxy = {
    endpoint: `http://127.0.0.1:${port}`,
    behindMs: 0,
    requests: [],
    react: () => 'forward',
  };
  return proxy;

  function date(): string {
    return new Date(Date.now() - proxy.behindMs).toUTCString();
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    if (body === undefined) return;
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const { method = '', headers } = request;
    const seen = { method, path: decodeURIComponent(path), query, headers };
    proxy.requests.push(seen);
    const reaction = await proxy.react(seen, proxy.requests.length);
    if (typeof reaction === 'object') {
      const { status, code = 'Test' } = reaction;
      const type = { 'content-type': 'application/xml', date: date() };
      response.writeHead(status, type).end(`<Error><Code>${code}</Code></Error>`);
      return;
    }
    const options = {
      host: target.hostname,
      port: target.port,
      path: request.url,
      method,
      headers,
    };
    const forwarded = send(options, (answered) => {
      if (reaction === 'lose') {
        answered.resume().on('end', () => response.destroy());
        return;
      }
      response.writeHead(answered.statusCode ?? 500, { ...answered.headers, date: date() });
      answered.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    forwarded.end(body);
  }
}

/** `undefined` for a request that broke off. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  try {
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    return Buffer.concat(parts);
  } catch {
    return undefined;
  }
}
