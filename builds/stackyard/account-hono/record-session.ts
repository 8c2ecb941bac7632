// Stores the session of a token that was just issued.

import { AccountError } from './account-error.js';
import { logError } from './account-log.js';
import type { AccountDependencies } from './dependencies.js';
import type { AccountRequest } from './request.js';
import { deviceName } from './sessions.js';
import type { TokenClaims } from './token-claims.js';
import type { Tokens } from './tokens.js';

/**
 * Adds the session to the list of the account. Never fails: a session that could not be stored is logged and not listed,
 * and ends like all others with `POST /logout-all` or another password.
 */
export async function recordSession(
  { sessions, tokens, log, now }: AccountDependencies,
  { userAgent }: Pick<AccountRequest, 'userAgent'>,
  token: string,
): Promise<void> {
  const claims = sessions && tryReadClaims(tokens, token);
  if (!sessions || !claims) return;
  const { tokenId, userId, tokenVersion, issuedAt, expiresAt } = claims;
  const device = deviceName(userAgent);
  const session = { id: tokenId, userId, tokenVersion, device, createdAt: issuedAt, expiresAt };
  try {
    await sessions.add(session, Math.floor(now() / 1000));
  } catch (error) {
    logError(log, `Cannot store a session of account ${userId}`, error);
  }
}

// Also remembers the token as verified, which its first request would do otherwise.
function tryReadClaims(tokens: Tokens, token: string): TokenClaims | undefined {
  try {
    return tokens.verify(token);
  } catch (error) {
    // A token from the future: the account was made by a host whose clock is ahead.
    if (error instanceof AccountError) return undefined;
    throw error;
  }
}
