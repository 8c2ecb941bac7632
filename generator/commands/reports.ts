/** The command `reports`: takes reports and flags of accounts and of CI runs, and exports them for `ingest`. */
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import { port, portOfVariable, text } from './fields.ts';

const DEFAULT_PORT = 4100;

export const command = defineCommand({
  description:
    'Serves POST /reports, POST /flags and GET /reports/export over HTTP: signed-in accounts of the account service and CI runs report there, and "ingest" counts what it exports. It uses the database of the account service, so that reports go with their account',
  input: z.object({
    port: port(`the variable PORT, or ${DEFAULT_PORT}`),
    host: text('address', 'where it listens; by default all addresses'),
  }),
  notes: [
    'Environment, as the account service has it: DATABASE_URL, JWT_SECRET, JWT_SECRET_PREVIOUS, JWT_ISSUER, JWT_AUDIENCE, TRUST_PROXY (a number), RATE_LIMIT, RATE_LIMIT_PER_MINUTE, SHUTDOWN_DELAY_MS, SHUTDOWN_TIMEOUT_MS; and REPORTS_EXPORT_TOKEN, REPORTS_INDEX, REPORTS_ADDRESS, OIDC_ISSUERS.',
    'Exit status: 0 stopped by SIGTERM or SIGINT; 1 it cannot start, or a request was interrupted; 2 wrong usage or settings.',
  ],
  examples: ['reports --port 4100'],
  run: async ({ port: at = portOfVariable('reports', DEFAULT_PORT), host }) => {
    const { readReportsSettings } = await import('../reports/settings.ts');
    const { serveReports } = await import('../reports/serve-reports.ts');
    const log = (level: string, fields: object): void => {
      console.log(JSON.stringify({ level, time: new Date().toISOString(), ...fields }));
    };
    const service = await serveReports(readReportsSettings(process.env), { port: at, host }, log);
    log('info', { port: service.port, msg: 'The service is listening' });
    const signal = await new Promise<string>((resolve) => {
      process.once('SIGTERM', resolve).once('SIGINT', resolve);
    });
    // Another signal ends the process at once.
    process.removeAllListeners('SIGTERM').removeAllListeners('SIGINT');
    log('info', { signal, msg: 'The service is stopping' });
    const isClean = await service.stop();
    log(isClean ? 'info' : 'error', { msg: 'The service has stopped' });
    // Work for requests that were cut off may go on for seconds.
    if (!isClean) process.exit(1);
    return 0;
  },
});
