// The errors that the account routes answer themselves: one table from code to status and message.
// All other errors are passed on to the host application.

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

export interface AccountErrorOptions {
  /** The error that caused it, for the log of the host. */
  readonly cause?: unknown;
  /** Replaces the message of the code. */
  readonly message?: string;
  readonly issues?: readonly Issue[];
  /** Response headers beside the usual ones, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Value of `error` in the challenge of a 401 (RFC 6750 section 3.1). */
  readonly challenge?: 'invalid_request' | 'invalid_token';
}

/** A request that the account routes refuse. `code` is stable; `status` and `message` follow from it. */
export class AccountError extends Error {
  override readonly name = 'AccountError';
  readonly code: AccountErrorCode;
  readonly status: number;
  readonly issues: readonly Issue[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
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
