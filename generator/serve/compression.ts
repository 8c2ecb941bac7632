/** Compresses what pages load, as static hosts do. Documents that clients read stay as they are. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import { transformBody } from './answer-body.ts';

const TYPES = /^(?:text\/(?:html|css|javascript|markdown)|image\/svg\+xml)\b/;

export function compress(request: IncomingMessage, response: ServerResponse): void {
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return;
  transformBody(response, (headers) => {
    if (!TYPES.test(String(headers['Content-Type'] ?? ''))) return undefined;
    headers['Content-Encoding'] = 'gzip';
    headers['Vary'] = 'Accept-Encoding';
    return createGzip();
  });
}
