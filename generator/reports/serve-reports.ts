/** The program that takes reports and flags: its routes, its port, and a stop that breaks no request. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createListener, Refusal, type Log, type ReportsAnswer } from './answer.ts';
import { openReportsDatabase } from './database.ts';
import type { ReportsSettings } from './settings.ts';
import { createStatementRoutes, otherMethod, type RouteOptions } from './statement-routes.ts';

export interface ReportsApp {
  readonly listener: RequestListener;
  /** From now on `/ready` answers 503. */
  beginShutdown(): void;
  /** Closes the database. */
  close(): Promise<void>;
}

/** Opens the database and builds the application. @throws {GeneratorError} `ERR_REPORTS_DATABASE` */
export async function createReportsApp(
  settings: ReportsSettings,
  log: Log,
  options?: RouteOptions,
): Promise<ReportsApp> {
  const database = await openReportsDatabase(settings.databaseUrl);
  await database.check().catch(async (error: unknown) => {
    if (error instanceof Refusal) return log('warn', { msg: error.message });
    await database.close();
    throw error;
  });
  let isStopping = false;
  const warn = (msg: string): void => log('warn', { msg });
  const routes = createStatementRoutes(settings, database.run, warn, options);

  async function readiness(): Promise<ReportsAnswer> {
    const isUp = await database.check().then(
      () => true,
      () => false,
    );
    const isReady = isUp && !isStopping;
    const checks = {
      database: isUp ? 'ok' : 'unavailable',
      shutdown: isStopping ? 'in_progress' : 'no',
    };
    return {
      status: isReady ? 200 : 503,
      body: { status: isReady ? 'ready' : 'unavailable', checks },
    };
  }

  const listener = createListener(
    async (request) => {
      const { method, path } = request;
      if (path === '/health' || path === '/ready') {
        if (method !== 'GET' && method !== 'HEAD') throw otherMethod(request);
        return path === '/ready' ? readiness() : { status: 200, body: { status: 'ok' } };
      }
      const answer = routes(request);
      if (answer === undefined) throw new Refusal('not_found', `No route for ${method} ${path}`);
      return answer;
    },
    settings.proxies,
    log,
  );
  return {
    listener(req, res) {
      if (isStopping) res.setHeader('Connection', 'close');
      listener(req, res);
    },
    beginShutdown: () => void (isStopping = true),
    close: () => database.close(),
  };
}

/** How long an idle connection stays open, at most half of the time for running requests. */
const IDLE_GRACE_MS = 1000;

/** Serves it. `stop` resolves to whether all requests were answered in time. */
export async function serveReports(
  settings: ReportsSettings,
  place: { readonly port: number; readonly host: string | undefined },
  log: Log,
): Promise<{ readonly port: number; stop(): Promise<boolean> }> {
  const app = await createReportsApp(settings, log);
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 },
    app.listener,
  );
  try {
    server.listen(place.port, place.host);
    await once(server, 'listening');
  } catch (error) {
    await app.close();
    throw error;
  }
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      // Clients that keep a connection see `Connection: close` with their next answer, and open another one elsewhere.
      app.beginShutdown();
      await sleep(settings.shutdownDelayMs);
      const closed = once(server, 'close');
      // Not that of the HTTP server, which closes idle connections at once: a client may be writing to one.
      NetServer.prototype.close.call(server);
      const grace = Math.min(IDLE_GRACE_MS, settings.shutdownTimeoutMs / 2);
      const idle = setTimeout(() => server.closeIdleConnections(), grace);
      let isClean = true;
      const deadline = setTimeout(() => {
        isClean = false;
        server.closeAllConnections();
      }, settings.shutdownTimeoutMs);
      await closed;
      clearTimeout(deadline);
      clearTimeout(idle);
      await app.close();
      return isClean;
    },
  };
}
