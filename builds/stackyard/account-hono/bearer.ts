// Takes the token out of `Authorization: Bearer <token>` (RFC 6750 section 2.1). A token is read from no other place:
// not from the query, not from a form, not from a cookie.

import { AccountError } from './account-error.js';

// The scheme is a token of RFC 9110 section 5.6.2, in any case; one or more spaces; then the `b64token` of RFC 6750.
const SCHEME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+/;
const CREDENTIALS = /^ +([A-Za-z0-9._~+/-]+=*)$/;

/**
 * The bearer token in the values of the `Authorization` headers. Throws `AccountError`: `missing_token` without one or
 * with another scheme, `invalid_token` for a malformed or repeated header.
 */
export function readBearerToken(authorization: readonly string[]): string {
  const [value = ''] = authorization;
  if (authorization.length > 1) throw malformed();
  const scheme = SCHEME.exec(value)?.[0] ?? '';
  if (scheme.toLowerCase() !== 'bearer') throw new AccountError('missing_token');
  const token = CREDENTIALS.exec(value.slice(scheme.length))?.[1];
  if (token === undefined) throw malformed();
  return token;
}

function malformed(): AccountError {
  return new AccountError('invalid_token', { challenge: 'invalid_request' });
}
