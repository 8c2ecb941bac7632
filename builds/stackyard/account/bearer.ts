// Takes the token out of `Authorization: Bearer <token>` (RFC 6750 section 2.1). Nowhere else is a token looked for:
// not in the query, not in a form, not in a cookie.

import type { IncomingMessage } from 'node:http';
import { AccountError } from './account-error.js';

// The scheme is a token of RFC 9110 section 5.6.2, in any case; one or more spaces; then the `b64token` of RFC 6750.
const SCHEME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+/;
const AUTHORIZATION = 'authorization';
const CREDENTIALS = /^ +([A-Za-z0-9._~+/-]+=*)$/;

/**
 * The bearer token of a request. Throws `AccountError`: `missing_token` without one or with another scheme,
 * `invalid_token` for a malformed or repeated header.
 */
export function readBearerToken(req: IncomingMessage): string {
  const value = req.headers.authorization ?? '';
  // Node keeps the first of several headers in silence; the raw list shows them all.
  if (countAuthorizationHeaders(req.rawHeaders) > 1) throw malformed();
  const scheme = SCHEME.exec(value)?.[0] ?? '';
  if (scheme.toLowerCase() !== 'bearer') throw new AccountError('missing_token');
  const token = CREDENTIALS.exec(value.slice(scheme.length))?.[1];
  if (token === undefined) throw malformed();
  return token;
}

function countAuthorizationHeaders(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // The length first: it tells most names apart without a new text for each.
    if (name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION) count++;
  }
  return count;
}

function malformed(): AccountError {
  return new AccountError('invalid_token', { challenge: 'invalid_request' });
}
