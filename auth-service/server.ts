// Opens the port of the service, and closes it without interrupting requests.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createAuthApp } from './app.ts';
import type { ServiceConfig } from './config.ts';
import { Drain } from './drain.ts';
import { isUnavailable } from './errors.ts';
import { openPostgresStore } from './store/postgres-store.ts';
import { openSqliteStore } from './store/sqlite-store.ts';
import type { ServiceStore } from './store/store.ts';

export interface RunningService {
  readonly port: number;
  /** Finishes running requests, then closes everything. Resolves to whether all of them finished in time. */
  stop(): Promise<boolean>;
}

// A client must send its request within these times. Idle connections are kept longer than load balancers keep theirs,
// so that the load balancer closes them first.
const TIMES = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 };

/** Starts the service. Rejects when the port or a SQLite file cannot be opened, or the tables are not its own. */
export async function startService(config: ServiceConfig, log: Logger): Promise<RunningService> {
  for (const warning of config.warnings) log.warn(warning);
  const store = openStore(config, log);
  const auth = createAuthApp(config, store, log);
  const drain = new Drain();
  const server = createServer(TIMES, drain.listener(auth.app));
  drain.watch(server);
  try {
    await store.check().catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
      log.error(
        { err: error },
        'Database unavailable: requests are answered with 503 until it can be reached',
      );
    });
    server.listen(config.port, config.host);
    await once(server, 'listening');
  } catch (error) {
    await store.close();
    throw error;
  }
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      auth.beginShutdown();
      const isClean = await drain.end(server, config.shutdown);
      await store.close();
      return isClean;
    },
  };
}

function openStore({ database }: ServiceConfig, log: Logger): ServiceStore {
  return database.kind === 'sqlite'
    ? openSqliteStore(database.file)
    : openPostgresStore(database, log);
}
