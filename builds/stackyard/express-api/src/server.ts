// Starts the server: loads .env, reads the configuration, listens, and shuts down on a signal.
// The only file with side effects; what can be tested is in app.ts.

import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.js';
import { ConfigError, loadConfig } from './config.js';
import { createLogger } from './logger.js';
import { createRoutes } from './routes.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const IDLE_CHECK_MS = 50;

if (existsSync('.env')) process.loadEnvFile('.env');

const config = readConfig();
const logger = createLogger(config);
const server = createServer(createApp(config, { logger, routes: createRoutes() }));

server.on('error', (error) => exit(`Cannot listen on port ${config.PORT}: ${error.message}`));
server.listen(config.PORT, config.HOST, () => {
  const { port } = server.address() as AddressInfo;
  logger.info(`listening on port ${port}`);
});

for (const signal of SIGNALS) process.on(signal, shutDown);

/** Lets running requests finish, then ends the process. A second signal ends it at once. */
function shutDown(signal: NodeJS.Signals): void {
  for (const each of SIGNALS) process.off(each, shutDown);
  logger.info(`shutting down after ${signal}`);
  server.close(() => process.exit(0));
  // Connections become idle as their requests finish, and would wait for the client to leave.
  setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  setTimeout(() => server.closeAllConnections(), config.SHUTDOWN_TIMEOUT_MS);
}

function readConfig(): ReturnType<typeof loadConfig> {
  try {
    return loadConfig();
  } catch (error) {
    if (error instanceof ConfigError) exit(error.message);
    throw error;
  }
}

function exit(message: string): never {
  console.error(message);
  process.exit(1);
}
