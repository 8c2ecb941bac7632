// Work for each request before its route: an id and security headers, and at the end a log line and metrics. It uses
// the requests of Node directly, because every request pays for it.

import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { Metrics } from './metrics.ts';
import { assignRequestId } from './request-id.ts';
import { createRequestLog } from './request-log.ts';

// An interface for programs: no page may frame, load or run what it answers.
const SECURITY_HEADERS = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  referrerPolicy: { policy: 'no-referrer' },
  frameguard: { action: 'deny' },
} as const;

/** Prepares a request and its response. Call it before anything answers or changes the URL. */
export function createRequestFront(
  log: Logger,
  metrics: Metrics,
): (req: IncomingMessage, res: ServerResponse) => void {
  const logRequest = createRequestLog(log);
  const headers = listSecurityHeaders();
  return (req, res) => {
    const begin = performance.now();
    const id = assignRequestId(req, res);
    const { method = '', url = '' } = req;
    for (const [name, value] of headers) res.setHeader(name, value);
    // Not `finish`, which is not emitted when the client disconnects.
    res.on('close', () => {
      const durationMs = performance.now() - begin;
      const path = pathOf(url);
      metrics.observeRequest(method, path, res.statusCode, durationMs / 1000);
      logRequest({ id, method, path, durationMs }, res);
    });
  };
}

/** The path in the first line of a request, without its query. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

// They are the same on every response, so helmet computes them once.
function listSecurityHeaders(): readonly (readonly [name: string, value: string])[] {
  const headers: [string, string][] = [];
  const response = {
    setHeader: (name: string, value: string) => void headers.push([name, value]),
    removeHeader: () => {},
  };
  helmet(SECURITY_HEADERS)(
    {} as IncomingMessage,
    response as unknown as ServerResponse,
    (error) => {
      if (error) throw error;
    },
  );
  return headers;
}
