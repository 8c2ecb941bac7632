// Serves the metrics on a separate port, which must not be public.

import { createServer, type Server } from 'node:http';
import type { Metrics } from './metrics.ts';

type Render = Metrics['render'];

/** A server that is not listening yet; it answers `GET /metrics` only. */
export function createMetricsServer(render: Render): Server {
  return createServer((req, res) => {
    if (req.url !== '/metrics' || (req.method !== 'GET' && req.method !== 'HEAD')) {
      res.writeHead(404).end();
      return;
    }
    render().then(
      ({ text, type }) => res.writeHead(200, { 'Content-Type': type }).end(text),
      () => res.writeHead(500).end(),
    );
  });
}
