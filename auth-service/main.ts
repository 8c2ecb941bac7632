// The program: reads the environment, starts the service, and stops it on SIGTERM or SIGINT.
//
//   NODE_ENV=development npm run auth

import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { AggregatorRegistry } from 'prom-client';
import { AuthServiceError } from './answer.ts';
import { createAuthApp } from './app.ts';
import { readServiceConfig, type ServiceConfig } from './config.ts';
import { createLog } from './log.ts';
import { prepareStore, startMetrics, startService } from './server.ts';
import { CLOSE, startWorkers, STOP, WAITING } from './workers.ts';

/** Exit status by what went wrong; everything else is 1. */
const EXIT_CONFIG = 2;
const EXIT_FAILURE = 1;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

try {
  const config = readServiceConfig(process.env);
  const log = createLog(config.logLevel);
  if (cluster.isWorker) await runWorker(config, log);
  else if (config.workers > 1) await runWorkers(config, log);
  else await run(config, log);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`error: ${message}\n`);
  const isConfig = error instanceof AuthServiceError && error.code === 'ERR_CONFIG';
  process.exitCode = isConfig ? EXIT_CONFIG : EXIT_FAILURE;
  // The channel to the first process would keep it.
  if (cluster.isWorker) process.disconnect();
}

/** One process. */
async function run(config: ServiceConfig, log: Logger): Promise<void> {
  const service = await startService(config, log);
  const { port, metricsPort } = service;
  log.info({ port, ...(metricsPort !== undefined && { metricsPort }) }, 'The service is listening');
  stopOnSignal(log, () => service.stop());
}

/** The first of several processes. */
async function runWorkers(config: ServiceConfig, log: Logger): Promise<void> {
  // The tables once, before several processes look at them.
  const auth = await createAuthApp(config, { log });
  try {
    await prepareStore(auth, log);
  } finally {
    await auth.close();
  }
  const registry = new AggregatorRegistry();
  const metrics = await startMetrics(config, async () => {
    return { text: await registry.clusterMetrics(), type: registry.contentType };
  });
  const workers = await startWorkers(config.workers, log).catch((error: unknown) => {
    metrics?.stop();
    throw error;
  });
  const { port } = workers;
  const metricsPort = metrics && { metricsPort: metrics.port };
  log.info({ port, ...metricsPort, workers: config.workers }, 'The service is listening');
  process.once('exit', () => workers.kill());
  stopOnSignal(log, async () => {
    const isClean = await workers.stop();
    metrics?.stop();
    return isClean;
  });
}

/** One of several processes: it is stopped by the first one, or because that one is gone. */
async function runWorker(config: ServiceConfig, log: Logger): Promise<void> {
  for (const signal of SIGNALS) process.on(signal, () => {});
  // Before any other listener: what is sent while nobody listens is kept for the first one.
  const stopped = awaitMessage(STOP);
  const closed = awaitMessage(CLOSE);
  // Answers the first process, which adds up the metrics of all.
  new AggregatorRegistry();
  const { hashConcurrency = Math.max(1, Math.floor(availableParallelism() / config.workers)) } =
    config;
  const service = await startService({ ...config, hashConcurrency, metrics: undefined }, log);
  process.send?.({ port: service.port });
  await stopped;
  const isClean = await service.stop(async () => {
    if (process.connected) process.send?.(WAITING);
    await closed;
  });
  process.exit(isClean ? 0 : EXIT_FAILURE);
}

/** Resolves when the first process sends it, or is gone. */
function awaitMessage(what: string): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', (message) => void (message === what && resolve()));
    process.once('disconnect', resolve);
  });
}

function stopOnSignal(log: Logger, stop: () => Promise<boolean>): void {
  const onSignal = async (signal: NodeJS.Signals): Promise<void> => {
    // Another signal ends the process at once.
    for (const each of SIGNALS) process.removeAllListeners(each);
    log.info({ signal }, 'The service is stopping');
    const isClean = await stop();
    if (isClean) log.info('The service has stopped');
    else log.error('The service has stopped and cut off requests that took too long');
    // Work for requests that were cut off may go on for seconds.
    if (!isClean) process.exit(EXIT_FAILURE);
  };
  for (const signal of SIGNALS) process.once(signal, (received) => void onSignal(received));
}
