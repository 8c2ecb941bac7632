// The log of the server: JSON lines on standard output, or readable text for a developer at a terminal.

import { pino, type Logger } from 'pino';
import type { Config } from './config.js';

/** Creates the logger that `config` asks for. */
export function createLogger(config: Config): Logger {
  const isPretty = config.NODE_ENV === 'development' && process.stdout.isTTY && hasPinoPretty();
  return pino({
    level: config.LOG_LEVEL,
    ...(isPretty && { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname,req,res,responseTime' } } }),
  });
}

/** A development package: absent where only the packages for production are installed. */
function hasPinoPretty(): boolean {
  try {
    return import.meta.resolve('pino-pretty') !== '';
  } catch {
    return false;
  }
}
