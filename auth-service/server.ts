import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { isUnavailable } from './answer.ts';
import { createAuthApp, type AuthApp } from './app.ts';
import type { ServiceConfig } from './config.ts';
import { Drain } from './drain.ts';
import type { Metrics } from './metrics.ts';

// Opens the ports of the service, and closes them without interrupting requests.

interface RunningService {
  readonly port: number;
  readonly metricsPort: number | undefined;
  /** Finishes running requests, then closes everything. Resolves to whether all of them finished in time; see `Drain.end`. */
  stop(beforeClose?: () => Promise<void>): Promise<boolean>;
}

// A client must send its request within these times. Idle connections are kept longer than load balancers keep theirs,
// so that the load balancer closes them first.
const TIMES = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 };

/** Starts the service. Rejects when a port or the database file cannot be opened, or the tables are not its own. */
export async function startService(config: ServiceConfig, log: Logger): Promise<RunningService> {
  const auth = await createAuthApp(config, { log });
  const drain = new Drain();
  const server = createServer(TIMES, drain.listener(auth.app));
  drain.watch(server);
  let metrics: RunningMetrics | undefined;
  try {
    await prepareStore(auth, log);
    const port = await listen(server, config.port, config.host);
    metrics = await startMetrics(config, () => auth.metrics.render());
    return {
      port,
      metricsPort: metrics?.port,
      async stop(beforeClose) {
        auth.beginShutdown();
        const isClean = await drain.end(server, config.shutdown, beforeClose);
        metrics?.stop();
        await auth.close();
        return isClean;
      },
    };
  } catch (error) {
    server.close();
    metrics?.stop();
    await auth.close();
    throw error;
  }
}

/** Creates the tables, or only logs that the database is away. Rejects as `AuthApp.checkStore` does for other reasons. */
export async function prepareStore(auth: AuthApp, log: Logger): Promise<void> {
  try {
    await auth.checkStore();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    log.error(
      { err: error },
      'Database unavailable: requests are answered with 503 until it can be reached',
    );
  }
}

async function listen(server: Server, port: number, host: string | undefined): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

// Serves the metrics on a separate port, which must not be public.

type Render = Metrics['render'];

export interface RunningMetrics {
  readonly port: number;
  stop(): void;
}

/** Serves what `render` gives, on the port of the configuration; `undefined` without one. */
export async function startMetrics(
  config: Pick<ServiceConfig, 'metrics'>,
  render: Render,
): Promise<RunningMetrics | undefined> {
  if (config.metrics === undefined) return undefined;
  const server = createMetricsServer(render);
  const port = await listen(server, config.metrics.port, config.metrics.host);
  return {
    port,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

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
