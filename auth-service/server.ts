import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createAuthApp, type AuthApp } from './app.ts';
import type { ServiceConfig } from './config.ts';
import { isUnavailable } from './answer.ts';
import type { Metrics } from './metrics.ts';

// Opens the ports of the service, and closes them without interrupting requests.

interface RunningService {
  readonly port: number;
  readonly metricsPort: number | undefined;
  /** Finishes running requests, then closes everything. Resolves to whether all of them finished in time. */
  stop(): Promise<boolean>;
}

// A client must send its request within these times. Idle connections are kept longer than load balancers keep theirs,
// so that the load balancer closes them first.
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

const IDLE_CHECK_MS = 50;

/** Starts the service. Rejects when a port or the database file cannot be opened, or the tables are not its own. */
export async function startService(config: ServiceConfig, log: Logger): Promise<RunningService> {
  const auth = await createAuthApp(config, { log });
  const servers: Server[] = [];
  try {
    await prepareStore(auth, log);
    const server = createServer(
      { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
      auth.app,
    );
    server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
    servers.push(server);
    const port = await listen(server, config.port, config.host);
    let metricsPort: number | undefined;
    if (config.metrics) {
      const metricsServer = createMetricsServer(async () => {
        // Writes to the database, so that its metric is current.
        await auth.readReadiness();
        return auth.metrics.render();
      });
      servers.push(metricsServer);
      metricsPort = await listen(metricsServer, config.metrics.port, config.metrics.host);
    }
    log.info(
      { port, ...(metricsPort !== undefined && { metricsPort }) },
      'The service is listening',
    );
    return {
      port,
      metricsPort,
      async stop() {
        auth.beginShutdown();
        const isClean = await closeServer(server, config.shutdownTimeoutMs);
        for (const other of servers) other.closeAllConnections();
        for (const other of servers) if (other.listening) other.close();
        await auth.close();
        return isClean;
      },
    };
  } catch (error) {
    for (const server of servers) server.close();
    await auth.close();
    throw error;
  }
}

async function prepareStore(auth: AuthApp, log: Logger): Promise<void> {
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

async function closeServer(server: Server, timeoutMs: number): Promise<boolean> {
  const closed = once(server, 'close');
  server.close();
  // A connection that was busy becomes idle, and its client may keep it open.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  let isClean = true;
  const deadline = setTimeout(() => {
    isClean = false;
    server.closeAllConnections();
  }, timeoutMs);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
  return isClean;
}

// Serves the metrics on a separate port, which must not be public.

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
