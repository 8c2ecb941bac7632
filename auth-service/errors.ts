// The errors of this room. A problem in a request is an `AccountError` of the account module.

export type AuthServiceErrorCode =
  | 'ERR_CONFIG'
  | 'ERR_STORE_ID'
  | 'ERR_STORE_SCHEMA'
  | 'ERR_STORE_UNAVAILABLE';

/** The service, or one request to it, cannot go on. `code` is stable, `cause` is the underlying error, if any. */
export class AuthServiceError extends Error {
  override readonly name = 'AuthServiceError';
  readonly code: AuthServiceErrorCode;

  constructor(code: AuthServiceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** HTTP status, also for the error handler of an application that mounts the router. */
  get status(): 500 | 503 {
    return this.code === 'ERR_STORE_UNAVAILABLE' ? 503 : 500;
  }
}

/** Whether the database is away: the request may succeed later, nothing is wrong with the service. */
export function isUnavailable(error: unknown): error is AuthServiceError {
  return error instanceof AuthServiceError && error.code === 'ERR_STORE_UNAVAILABLE';
}
