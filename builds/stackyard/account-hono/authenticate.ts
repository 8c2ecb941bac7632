// From a request to the account that sent it: bearer header, token, account, revocation, in this order.

import { AccountError } from './account-error.js';
import { readBearerToken } from './bearer.js';
import type { AccountRequest } from './request.js';
import type { TokenClaims } from './token-claims.js';
import { invalidToken, type Tokens } from './tokens.js';
import type { StoredUser, UserStore } from './users.js';

export interface Authentication {
  readonly user: StoredUser;
  readonly claims: TokenClaims;
}

/** Who sent a request that `requireAuth` has let through. */
export interface AuthUser {
  readonly id: number;
  readonly email: string;
}

export interface IdentifyOptions {
  readonly users: UserStore;
  readonly tokens: Tokens;
  /**
   * Whether the account is read on each request. When false, only the token is checked: deleted accounts, logouts and
   * changed passwords then have no effect before the token expires. Default: true.
   */
  readonly checkAccount?: boolean;
}

/**
 * The account behind the token, read fresh from the storage. Throws `AccountError`: `missing_token`, `invalid_token`,
 * `token_expired` or `account_gone`.
 */
export async function authenticate(
  { authorization }: Pick<AccountRequest, 'authorization'>,
  users: UserStore,
  tokens: Tokens,
): Promise<Authentication> {
  const claims = tokens.verify(readBearerToken(authorization));
  const owner = await users.findByToken(claims.userId, claims.tokenId);
  // A token older than its account belonged to an earlier account with the same id.
  if (!owner || claims.issuedAt < Math.floor(Date.parse(owner.user.createdAt) / 1000)) {
    throw new AccountError('account_gone', { challenge: 'invalid_token' });
  }
  if (owner.revoked || claims.tokenVersion !== owner.user.tokenVersion) throw invalidToken();
  return { user: owner.user, claims };
}

/** Who sent the request, for a protected route. Throws as `authenticate` does. */
export async function identify(
  request: Pick<AccountRequest, 'authorization'>,
  { users, tokens, checkAccount = true }: IdentifyOptions,
): Promise<AuthUser> {
  if (!checkAccount) {
    const { userId, email } = tokens.verify(readBearerToken(request.authorization));
    return { id: userId, email };
  }
  const { user } = await authenticate(request, users, tokens);
  return { id: user.id, email: user.email };
}
