// Lets a client finish sending a body that was refused, before it gets the answer.
//
// A connection that ends with the answer is closed by Node as soon as the answer is written. When parts of the body
// arrive after that, or have not been read, the system resets the connection, and an answer that the client has not read
// yet is lost.

import type { IncomingMessage, ServerResponse } from 'node:http';

/** How much is read and how long that takes at most; after either, the answer is sent, and may be lost. */
export interface DrainLimits {
  readonly maxBytes: number;
  readonly maxMs: number;
}

const DEFAULT_LIMITS: DrainLimits = { maxBytes: 16_777_216, maxMs: 5_000 };

/** Resolves once the rest of the body has been thrown away; at once when the connection stays open. */
export function drainRequest(
  req: IncomingMessage,
  res: ServerResponse,
  { maxBytes, maxMs }: DrainLimits = DEFAULT_LIMITS,
): Promise<void> {
  if (req.complete || req.destroyed || !endsConnection(res)) return Promise.resolve();
  return new Promise((resolve) => {
    let bytes = 0;
    const count = (chunk: Buffer | string): void => {
      bytes += chunk.length;
      if (bytes > maxBytes) finish();
    };
    const finish = (): void => {
      clearTimeout(timer);
      req.off('data', count).off('end', finish).off('close', finish).off('error', finish);
      // Without a listener for data the stream would pause.
      req.resume();
      resolve();
    };
    const timer = setTimeout(finish, maxMs);
    req.on('data', count).once('end', finish).once('close', finish).once('error', finish);
  });
}

// `Connection: close` of either side, or HTTP/1.0.
function endsConnection(res: ServerResponse): boolean {
  return !res.shouldKeepAlive || /\bclose\b/i.test(String(res.getHeader('Connection') ?? ''));
}
