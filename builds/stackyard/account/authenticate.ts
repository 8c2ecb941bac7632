// From a request to the account that sent it: bearer header, token, account, revocation, in this order.

import type { IncomingMessage } from 'node:http';
import { AccountError } from './account-error.js';
import { readBearerToken } from './bearer.js';
import type { TokenClaims } from './token-claims.js';
import { invalidToken, type Tokens } from './tokens.js';
import type { StoredUser, UserStore } from './users.js';

export interface Session {
  readonly user: StoredUser;
  readonly claims: TokenClaims;
}

/**
 * The account behind the token, read fresh from the storage. Throws `AccountError`: `missing_token`, `invalid_token`,
 * `token_expired` or `account_gone`.
 */
export async function authenticate(req: IncomingMessage, users: UserStore, tokens: Tokens): Promise<Session> {
  const claims = tokens.verify(readBearerToken(req));
  const owner = await users.findByToken(claims.userId, claims.tokenId);
  // A token older than its account belonged to an earlier account with the same id.
  if (!owner || claims.issuedAt < Math.floor(Date.parse(owner.user.createdAt) / 1000)) {
    throw new AccountError('account_gone', { challenge: 'invalid_token' });
  }
  if (owner.revoked || claims.tokenVersion !== owner.user.tokenVersion) throw invalidToken();
  return { user: owner.user, claims };
}
