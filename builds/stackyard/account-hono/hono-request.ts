// What the routes read of a request of Hono. Everything is read when it is asked for: most routes need little of it.

import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import { toNetwork } from './client-address.js';
import { readJsonBody } from './hono-body.js';
import type { AccountRequest } from './request.js';

/** What @hono/node-server gives to an application. */
interface NodeBindings {
  readonly incoming?: IncomingMessage;
  readonly server?: NodeBindings;
}

const AUTHORIZATION = 'authorization';

// The last segment of the path, not decoded.
const PATH_ID = /^[^?#]*\/([^/?#]+)\/?(?:[?#]|$)/;

export function readHonoRequest(c: Context): AccountRequest {
  return {
    method: c.req.method,
    get address() {
      return toNetwork(clientAddress(c));
    },
    get authorization() {
      return readAuthorization(c);
    },
    get userAgent() {
      return c.req.header('User-Agent');
    },
    get requestId() {
      return readRequestId(c);
    },
    get pathId() {
      return PATH_ID.exec(c.req.url)?.[1] ?? '';
    },
    readJson: (maxBytes) => readJsonBody(c, maxBytes),
  };
}

/**
 * The values of all `Authorization` headers. The standard API joins them to one; the raw list of Node, where the server
 * is Node, has them all.
 */
export function readAuthorization(c: Context): readonly string[] {
  const { rawHeaders = [] } = incomingOf(c) ?? {};
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // The length first: it excludes most names without a new text for each.
    if (name.length !== AUTHORIZATION.length || name.toLowerCase() !== AUTHORIZATION) continue;
    values.push(rawHeaders[index + 1] ?? '');
  }
  if (values.length > 1) return values;
  // Of a single header what the host sees, which middleware may have set.
  const value = c.req.header('Authorization');
  return value === undefined ? [] : [value];
}

/** The context value `requestId`, which the middleware `hono/request-id` sets. */
export function readRequestId(c: Context): string | undefined {
  return readText(c, 'requestId');
}

// The context value `clientAddress`, which a host behind proxies sets; else the address of the connection.
function clientAddress(c: Context): string {
  return readText(c, 'clientAddress') ?? incomingOf(c)?.socket.remoteAddress ?? '';
}

function readText(c: Context, name: string): string | undefined {
  const value: unknown = c.get(name);
  return typeof value === 'string' ? value : undefined;
}

// There are no bindings where a test calls the application itself.
function incomingOf(c: Context): IncomingMessage | undefined {
  const bindings = c.env as NodeBindings | undefined;
  return (bindings?.server ?? bindings)?.incoming;
}
