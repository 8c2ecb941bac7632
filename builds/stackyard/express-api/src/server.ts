// Starts the server: loads .env, reads the configuration, listens, and shuts down on a signal.
// The only file with side effects; what can be tested is in app.ts.

import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.js';
import { ConfigError, loadConfig } from './config.js';
import { createLogger } from './logger.js';
import { createRoutes } from './routes.js';
import { Shutdown } from './shutdown.js';

/** How often Node looks for requests that take too long. */
const TIMEOUT_CHECK_MS = 1000;

if (existsSync('.env')) process.loadEnvFile('.env');

const config = readConfig();
const logger = createLogger(config);
const shutdown = new Shutdown(config, logger);
const app = createApp(config, {
  logger,
  routes: createRoutes(),
  // What the server cannot work without, such as: database: () => db.prepare('SELECT 1').get()
  checks: {},
  isDraining: shutdown.isDraining,
});
const times = {
  keepAliveTimeout: config.KEEP_ALIVE_TIMEOUT_MS,
  headersTimeout: config.HEADERS_TIMEOUT_MS,
  requestTimeout: config.REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: TIMEOUT_CHECK_MS,
};
const server = createServer(times, app);

server.once('error', cannotListen);
server.listen(config.PORT, config.HOST, () => {
  server.off('error', cannotListen);
  server.on('error', (err) => logger.error({ err }, 'the server reports an error'));
  const { port } = server.address() as AddressInfo;
  logger.info(`listening on port ${port}`);
});
shutdown.watch(server);

function readConfig(): ReturnType<typeof loadConfig> {
  try {
    return loadConfig();
  } catch (error) {
    if (error instanceof ConfigError) exit(error.message);
    throw error;
  }
}

function cannotListen(error: Error): never {
  exit(`Cannot listen on port ${config.PORT}: ${error.message}`);
}

function exit(message: string): never {
  console.error(message);
  process.exit(1);
}
