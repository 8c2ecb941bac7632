// What the routes answer, for the file of the web framework to send.

import type { AccountError } from './account-error.js';

export interface AccountAnswer {
  readonly status: number;
  /** Sent as JSON; none is sent without it. */
  readonly body?: object | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Work to begin once the answer is sent. It never rejects. */
  readonly after?: (() => Promise<void>) | undefined;
}

type Headers = Readonly<Record<string, string>>;

/** An answer in JSON that no cache may keep. */
export function jsonAnswer(status: number, body: object, headers: Headers = {}): AccountAnswer {
  const type = { 'Cache-Control': 'no-store', 'Content-Type': 'application/json; charset=utf-8' };
  return { status, body, headers: { ...type, ...headers } };
}

/** 204, without a body. */
export function emptyAnswer(headers: Headers = {}): AccountAnswer {
  return { status: 204, headers: { 'Cache-Control': 'no-store', ...headers } };
}

/**
 * `{ "error": { status, code, message, issues?, requestId? } }`. A 401 has a challenge, as RFC 9110 section 15.5.2
 * demands, for `realm`.
 */
export function errorAnswer(error: AccountError, realm: string, requestId: string | undefined): AccountAnswer {
  const { status, code, message, issues } = error;
  const body = {
    error: {
      status,
      code,
      message,
      ...(issues && { issues }),
      ...(requestId !== undefined && { requestId }),
    },
  };
  const challenge: Headers = status === 401 ? { 'WWW-Authenticate': formatChallenge(error, realm) } : {};
  return jsonAnswer(status, body, { ...challenge, ...error.headers });
}

// A request without credentials gets no error code (RFC 6750 section 3.1).
function formatChallenge(error: AccountError, realm: string): string {
  return `Bearer realm="${realm}"${error.challenge ? `, error="${error.challenge}"` : ''}`;
}
