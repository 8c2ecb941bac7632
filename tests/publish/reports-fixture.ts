// The account service and the program that takes reports, on one database, behind one address.

import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAuthApp } from '../../auth-service/app.ts';
import { readServiceConfig } from '../../auth-service/config.ts';
import { createLog } from '../../auth-service/log.ts';
import { openPostgresStore } from '../../auth-service/store/postgres-store.ts';
import { openSqliteStore } from '../../auth-service/store/sqlite-store.ts';
import { createReportsApp } from '../../generator/reports/serve-reports.ts';
import { readReportsSettings } from '../../generator/reports/settings.ts';
import type { RouteOptions } from '../../generator/reports/statement-routes.ts';

export interface ReportServices {
  readonly url: string;
  /** What the program that takes reports has logged. */
  readonly log: () => string;
  close(): Promise<void>;
}

const ACCOUNTS = { NODE_ENV: 'test', JWT_SECRET: 'x'.repeat(32) };

/** @param env of the program that takes reports @param server that does not answer yet, where its address must be known before */
export async function serveReportServices(
  databaseUrl: string,
  env: Readonly<Record<string, string>>,
  options: RouteOptions,
  server: Server = createServer().listen(0, '127.0.0.1'),
): Promise<ReportServices> {
  const variables = { ...ACCOUNTS, DATABASE_URL: databaseUrl };
  let lines = '';
  const config = readServiceConfig(variables);
  const { database } = config;
  const silent = createLog('silent');
  const store =
    database.kind === 'sqlite'
      ? openSqliteStore(database.file)
      : openPostgresStore(database, silent);
  await store.check();
  const accounts = createAuthApp(config, store, silent);
  const reports = await createReportsApp(
    readReportsSettings({ ...variables, ...env }),
    (level, fields) => void (lines += `${JSON.stringify({ level, ...fields })}\n`),
    options,
  );
  server.on('request', (req, res) => {
    const isOfReports = /^\/(?:reports|flags)(?:[/?]|$)/.test(req.url ?? '');
    (isOfReports ? reports.listener : accounts.app)(req, res);
  });
  if (!server.listening) await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log: () => lines,
    async close() {
      server.close();
      server.closeAllConnections();
      await reports.close();
      await store.close();
    },
  };
}
