// Structured logs, one JSON object a line. Neither headers, bodies nor query strings are written; what slips in all the
// same is redacted by name.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DestinationStream, type Logger, pino } from 'pino';
import { type HttpLogger, pinoHttp } from 'pino-http';
import type { AccountEvent, AccountLog } from '../builds/stackyard/account/index.ts';
import { isUnavailable } from './errors.ts';
import { assignRequestId } from './request-id.ts';

const SECRET_NAMES = [
  'password',
  'new_password',
  'current_password',
  'password_hash',
  'passwordHash',
];
const REDACTED_NAMES = [...SECRET_NAMES, 'token', 'secret', 'authorization', 'cookie', 'email'];

interface LoggedRequest {
  readonly id: unknown;
  readonly method: string;
  readonly url: string;
  /** Set by Express, whose routers shorten `url`. */
  readonly originalUrl?: string;
}

const MAX_CAUSES = 5;
const QUIET_PATHS = /^\/(?:health|ready)\/?(?:\?|$)/;

/** A logger that writes to `destination`, else to the standard output. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError, error: describeError },
    redact: {
      paths: REDACTED_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      censor: '[redacted]',
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Gives each request its id and writes one line for it, but for health checks that succeed. */
export function logRequests(log: Logger): HttpLogger {
  return pinoHttp({
    logger: log,
    genReqId: assignRequestId,
    // So that the functions below see what was logged, not the description of it by pino-http.
    wrapSerializers: false,
    serializers: {
      req: ({ id, method, url, originalUrl }: LoggedRequest) => ({
        id,
        method,
        path: (originalUrl ?? url).split('?', 1)[0],
      }),
      res: ({ statusCode }: ServerResponse) => ({ status: statusCode }),
      err: describeError,
    },
    customLogLevel: (req: IncomingMessage, res: ServerResponse, error?: Error) => {
      if (res.statusCode === 503) return 'warn';
      if (res.statusCode >= 500 || error) return 'error';
      return QUIET_PATHS.test(req.url ?? '') && res.statusCode < 400 ? 'debug' : 'info';
    },
  });
}

/** The log of the account routes. */
export function toAccountLog(log: Logger): AccountLog {
  return {
    warn: (message) => log.warn(message),
    error: (message, error) =>
      error === undefined ? log.error(message) : log.error({ err: error }, message),
  };
}

/** The audit log. Without the e-mail, which a stranger chooses and people mistake for the field of the password. */
export function logEvent(log: Logger, { type, userId, address }: AccountEvent): void {
  log.info({ event: type, ...(userId !== undefined && { userId }), address }, 'account event');
}

// Names the fields, since the errors of drivers carry rows and parameters in fields of their own. No stack while the
// database is away: every request says so, and none from a place of its own.
function describeError(error: unknown, depth = 0, hasStack = !isUnavailable(error)): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    type: error.name,
    ...(code !== undefined && { code }),
    message: error.message,
    ...(hasStack && { stack: error.stack }),
    ...(error.cause !== undefined &&
      depth < MAX_CAUSES && { cause: describeError(error.cause, depth + 1, hasStack) }),
  };
}
