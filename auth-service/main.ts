// The program: reads the environment, starts the service, and stops it on SIGTERM or SIGINT.
//
//   NODE_ENV=development npm run auth

import type { Logger } from 'pino';
import { readServiceConfig } from './config.ts';
import { ConfigError } from './errors.ts';
import { createLog } from './log.ts';
import { type RunningService, startService } from './server.ts';

const EXIT_CONFIG = 2;
const EXIT_FAILURE = 1;
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

try {
  const config = readServiceConfig(process.env);
  const log = createLog(config.logLevel);
  const service = await startService(config, log);
  log.info({ port: service.port }, 'The service is listening');
  stopOnSignal(service, log);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`error: ${message}\n`);
  process.exitCode = error instanceof ConfigError ? EXIT_CONFIG : EXIT_FAILURE;
}

function stopOnSignal(service: RunningService, log: Logger): void {
  const onSignal = async (signal: NodeJS.Signals): Promise<void> => {
    // Another signal ends the process at once.
    for (const each of SIGNALS) process.removeAllListeners(each);
    log.info({ signal }, 'The service is stopping');
    const isClean = await service.stop();
    if (isClean) log.info('The service has stopped');
    else log.error('The service has stopped and cut off requests that took too long');
    // Work for requests that were cut off may go on for seconds.
    if (!isClean) process.exit(EXIT_FAILURE);
  };
  for (const signal of SIGNALS) process.once(signal, (received) => void onSignal(received));
}
