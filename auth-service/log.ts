// Structured logs, one JSON object a line. Neither headers, bodies nor query strings are written; a field
// that appears nevertheless is redacted by name.

import { type DestinationStream, type Logger, pino } from 'pino';
import type { AccountEvent } from '../builds/stackyard/account-core/index.ts';
import { isUnavailable } from './answer.ts';
import { openStandardOutput } from './log-output.ts';

const SECRET_NAMES = [
  'password',
  'new_password',
  'current_password',
  'password_hash',
  'passwordHash',
];
const REDACTED_NAMES = [...SECRET_NAMES, 'token', 'secret', 'authorization', 'cookie', 'email'];

const MAX_CAUSES = 5;

/** A logger that writes to `destination`, else to the standard output. */
export function createLog(
  level: string,
  destination: DestinationStream = openStandardOutput(),
): Logger {
  const options = {
    level,
    base: null,
    timestamp: formatTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError, error: describeError },
    redact: {
      paths: REDACTED_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      censor: '[redacted]',
    },
  };
  return pino(options, destination);
}

let lastMs = 0;
let lastTime = '';

// Many requests end in the same millisecond.
function formatTime(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastTime = `,"time":"${new Date(now).toISOString()}"`;
  }
  return lastTime;
}

/** The audit log. Without the e-mail: clients choose it, and people type passwords into its field. */
export function logEvent(log: Logger, { type, userId, address }: AccountEvent): void {
  log.info({ event: type, ...(userId !== undefined && { userId }), address }, 'account event');
}

// An allow list of fields, because errors of drivers carry rows and parameters in other fields. No stack while the
// database is unavailable: it would be the same for every request.
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
