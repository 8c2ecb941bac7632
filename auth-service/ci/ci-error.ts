// Why a token of a CI run is not accepted.

const REFUSALS = {
  invalid_token: 401,
  token_expired: 401,
  token_replayed: 401,
  unknown_issuer: 401,
  rate_limited: 429,
  issuer_unavailable: 503,
} as const;

export type CiErrorCode = keyof typeof REFUSALS;

/** A refusal of a token. The message is for the client and quotes nothing of the token. */
export class CiError extends Error {
  override readonly name = 'CiError';
  readonly code: CiErrorCode;
  readonly retryAfterSeconds?: number;

  constructor(
    code: CiErrorCode,
    message: string,
    options: ErrorOptions & { readonly retryAfterMs?: number } = {},
  ) {
    super(message, options);
    this.code = code;
    const { retryAfterMs } = options;
    if (retryAfterMs !== undefined) {
      this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
    }
  }

  get status(): 401 | 429 | 503 {
    return REFUSALS[this.code];
  }
}
