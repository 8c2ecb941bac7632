// Starts the server: loads .env, reads the settings, starts the modules, listens, and shuts down on a signal.
// The only file with side effects; what can be tested is in app.ts.

import { createServer, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type Logger, pino } from 'pino';
import { createApp } from './app.js';
import { type Config, ConfigError, loadConfig, loadEnvFile } from './config.js';
import { refuseRequest } from './http/errors.js';
import { openWeb } from './http/web.js';
import { checkModules, startModules } from './module.js';
import { modules } from './modules.js';
import { Shutdown } from './shutdown.js';

/** How often Node looks for requests that take too long. */
const TIMEOUT_CHECK_MS = 1000;

/** How long a line of the log waits for others. */
const LOG_DELAY_MS = 10;

const config = readConfig();
const logger = createLogger(config);
const stopModules = await startModules(modules, process.env, logger).catch(cannotStart);
const shutdown = new Shutdown(config, logger);
const web = openWeb(config.NODE_ENV === 'development');
const app = createApp(config, { logger, modules, isDraining: shutdown.isDraining, web });
const times = {
  keepAliveTimeout: config.KEEP_ALIVE_TIMEOUT_MS,
  headersTimeout: config.HEADERS_TIMEOUT_MS,
  requestTimeout: config.REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: TIMEOUT_CHECK_MS,
};
// The host name stands for that of a request without one, as HTTP/1.0 allows.
const options = { hostname: 'localhost', errorHandler: refuseRequest(logger) };
const answer = shutdown.listener(getRequestListener(app.fetch, options));
const server = createServer(times, answer);

// Node answers CONNECT by closing the connection, unless this does.
server.on('connect', (req, socket: Socket) => {
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket.on('error', () => socket.destroy()));
  res.once('finish', () => socket.end());
  answer(req, res);
});
server.once('error', cannotListen);
server.listen(config.PORT, config.HOST, () => {
  server.off('error', cannotListen);
  server.on('error', (err) => logger.error({ err }, 'the server reports an error'));
  const { port } = server.address() as AddressInfo;
  logger.info(`listening on port ${port}`);
});
shutdown.watch(server, stopModules);

function readConfig(): Config {
  try {
    loadEnvFile(process.env);
    return loadConfig(process.env, checkModules(modules, process.env));
  } catch (error) {
    if (error instanceof ConfigError) exit(error.message);
    throw error;
  }
}

/** The log of the server: JSON lines on standard output, or readable text for a developer at a terminal. */
function createLogger({ NODE_ENV, LOG_LEVEL: level }: Config): Logger {
  const isPretty = NODE_ENV === 'development' && process.stdout.isTTY && hasPinoPretty();
  if (!isPretty) return pino({ level }, createOutput());
  return pino({
    level,
    transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname,req,res,responseTime' } },
  });
}

/** Standard output, which gets the lines of some milliseconds in one piece: each piece is a call of the system. */
function createOutput(): { write(line: string): void } {
  const output = pino.destination();
  let lines = '';
  const flush = (): void => {
    output.write(lines);
    lines = '';
  };
  process.once('exit', () => {
    flush();
    output.flushSync();
  });
  return {
    write(line) {
      if (lines === '') setTimeout(flush, LOG_DELAY_MS);
      lines += line;
    },
  };
}

/** A development package: absent where only the packages for production are installed. */
function hasPinoPretty(): boolean {
  try {
    return import.meta.resolve('pino-pretty') !== '';
  } catch {
    return false;
  }
}

function cannotStart(err: Error): never {
  logger.fatal({ err }, err.message);
  process.exit(1);
}

async function cannotListen(error: Error): Promise<void> {
  await stopModules();
  exit(`Cannot listen on port ${config.PORT}: ${error.message}`);
}

function exit(message: string): never {
  console.error(message);
  process.exit(1);
}
