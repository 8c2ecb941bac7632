// The program: reads the environment, starts the service, and stops it on SIGTERM or SIGINT.
//
//   NODE_ENV=development npm run auth

import { readServiceConfig } from './config.ts';
import { AuthServiceError } from './answer.ts';
import { createLog } from './log.ts';
import { startService } from './server.ts';

/** Exit status by what went wrong; everything else is 1. */
const EXIT_CONFIG = 2;
const EXIT_FAILURE = 1;

try {
  await main();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`error: ${message}\n`);
  process.exitCode =
    error instanceof AuthServiceError && error.code === 'ERR_CONFIG' ? EXIT_CONFIG : EXIT_FAILURE;
}

async function main(): Promise<void> {
  const config = readServiceConfig(process.env);
  const log = createLog(config.logLevel);
  const service = await startService(config, log);
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    // Another signal ends the process at once.
    process.removeAllListeners('SIGTERM').removeAllListeners('SIGINT');
    log.info({ signal }, 'The service is stopping');
    const isClean = await service.stop();
    if (isClean) log.info('The service has stopped');
    else log.error('The service has stopped and cut off requests that took too long');
    // Work for requests that were cut off may go on for seconds.
    if (!isClean) process.exit(EXIT_FAILURE);
  };
  process.once('SIGTERM', (signal) => void stop(signal));
  process.once('SIGINT', (signal) => void stop(signal));
}
