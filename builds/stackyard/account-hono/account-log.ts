// Writes to the log of the host, which is `console`, a pino logger, or an object of the host with these two methods.

/** Where warnings and errors go. `console` fits, and so does a pino logger. */
export interface AccountLog {
  warn(message: string): void;
  error(message: string, error?: unknown): void;
}

/** pino takes the error first; after a message it would drop it. */
interface PinoLog {
  bindings(): unknown;
  error(fields: { readonly err: unknown }, message: string): void;
}

/** Logs `message`, and the error that it is about, if any. */
export function logError(log: AccountLog, message: string, error?: unknown): void {
  if (error === undefined) log.error(message);
  else if (isPino(log)) log.error({ err: error }, message);
  else log.error(message, error);
}

// Of the loggers in use only pino, and those that wrap it, have `bindings`.
function isPino(log: object): log is PinoLog {
  return typeof (log as Partial<PinoLog>).bindings === 'function';
}
