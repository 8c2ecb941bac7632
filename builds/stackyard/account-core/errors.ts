// The errors that the account routes answer themselves, in one table from code to status and message, and the form of every
// answer. All other errors are passed on to the host application.

const ANSWERS = {
  invalid_json: [400, 'Invalid JSON body'],
  invalid_request: [400, 'Invalid request'],
  invalid_recovery_token: [400, 'Invalid or expired recovery token'],
  missing_token: [401, 'Missing bearer token'],
  invalid_token: [401, 'Invalid or expired token'],
  token_expired: [401, 'Invalid or expired token'],
  account_gone: [401, 'Account no longer exists'],
  invalid_credentials: [401, 'Invalid email or password'],
  wrong_password: [403, 'Current password is wrong'],
  recent_login_required: [403, 'Log in again to do this'],
  cross_origin: [403, 'The session cookie needs a request from the own origin, with the header Sec-Fetch-Site or Origin'],
  email_not_verified: [403, 'Verify your e-mail address to do this'],
  session_not_found: [404, 'Session not found'],
  method_not_allowed: [405, 'Method not allowed'],
  email_taken: [409, 'Email is already registered'],
  conflict: [409, 'The account was changed at the same time, try again'],
  payload_too_large: [413, 'Request body is too large'],
  rate_limited: [429, 'Too many attempts, try again later'],
  internal: [500, 'Internal Server Error'],
  overloaded: [503, 'Too many requests in progress, try again later'],
} as const;

export type AccountErrorCode = keyof typeof ANSWERS;

/** One rule that a request body breaks. `path` is the dotted field path, or `body`. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

type Headers = Readonly<Record<string, string>>;

export interface AccountErrorOptions {
  /** The error that caused it, for the log of the host. */
  readonly cause?: unknown;
  /** Replaces the message of the code. */
  readonly message?: string;
  readonly issues?: readonly Issue[];
  /** Response headers beside the usual ones, such as `Retry-After`. */
  readonly headers?: Headers;
  /** Value of `error` in the challenge of a 401 (RFC 6750 section 3.1). */
  readonly challenge?: 'invalid_request' | 'invalid_token';
}

/** A request that the account routes refuse. `code` is stable; `status` and `message` follow from it. */
export class AccountError extends Error {
  override readonly name = 'AccountError';
  readonly code: AccountErrorCode;
  readonly status: number;
  readonly issues: readonly Issue[] | undefined;
  readonly headers: Headers;
  readonly challenge: 'invalid_request' | 'invalid_token' | undefined;

  constructor(code: AccountErrorCode, options: AccountErrorOptions = {}) {
    const [status, message] = ANSWERS[code];
    super(options.message ?? message);
    // As the second parameter of `Error` does, which the types of ES2020 do not have.
    if (options.cause !== undefined) {
      Object.defineProperty(this, 'cause', { value: options.cause, writable: true, configurable: true });
    }
    this.code = code;
    this.status = status;
    this.issues = options.issues;
    this.headers = options.headers ?? {};
    this.challenge = options.challenge;
  }
}

/** 400 with all issues in one message: `Invalid request: <path>: <message>; <path>: <message>`. */
export function invalidRequest(issues: readonly Issue[]): AccountError {
  const text = issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return new AccountError('invalid_request', { message: `Invalid request: ${text}`, issues });
}

/** What the routes answer, for an adapter to send. */
export interface AccountAnswer {
  readonly status: number;
  /** Sent as JSON; none is sent without it. */
  readonly body?: object | undefined;
  readonly headers: Headers;
  /** Work to begin once the answer is sent. It never rejects. */
  readonly after?: (() => Promise<void>) | undefined;
}

/** An answer in JSON that no cache may keep. */
export function jsonAnswer(status: number, body: object, headers: Headers = {}): AccountAnswer {
  const type = { 'Cache-Control': 'no-store', 'Content-Type': 'application/json; charset=utf-8' };
  return { status, body, headers: { ...type, ...headers } };
}

/** 204, without a body. */
export function emptyAnswer(headers: Headers = {}): AccountAnswer {
  return { status: 204, headers: { 'Cache-Control': 'no-store', ...headers } };
}

/** `{ "error": { status, code, message, issues?, requestId? } }`; a 401 has a challenge (RFC 9110 section 15.5.2) for `realm`. */
export function errorAnswer(error: AccountError, realm: string, requestId: string | undefined): AccountAnswer {
  const { status, code, message, issues, challenge } = error;
  const body = { status, code, message, ...(issues && { issues }), ...(requestId !== undefined && { requestId }) };
  // A request without credentials gets no error code (RFC 6750 section 3.1).
  const value = `Bearer realm="${realm}"${challenge ? `, error="${challenge}"` : ''}`;
  return jsonAnswer(status, { error: body }, { ...(status === 401 && { 'WWW-Authenticate': value }), ...error.headers });
}

/** Where warnings and errors go. `console` fits, and so does a pino logger. */
export interface AccountLog {
  warn(message: string): void;
  error(message: string, error?: unknown): void;
}

/** Logs `message`, and the error that it is about, if any. pino takes the error first: after a message it would drop it. */
export function logError(log: AccountLog, message: string, error?: unknown): void {
  if (error === undefined) log.error(message);
  else if (isPino(log)) log.error({ err: error }, message);
  else log.error(message, error);
}

// Of the loggers in use only pino, and those that wrap it, have `bindings`.
function isPino(log: object): log is { error(fields: { readonly err: unknown }, message: string): void } {
  return typeof (log as { readonly bindings?: unknown }).bindings === 'function';
}
