// The login tokens of the service. To rotate the secret: put the new one into JWT_SECRET and the old one into
// JWT_SECRET_PREVIOUS; after JWT_TTL_SECONDS, remove the old one. The header `kid` of a token names the secret that signed it.

import { createTokens, type Tokens } from '../builds/stackyard/account/index.ts';
import type { ServiceConfig } from './config.ts';

type TokenConfig = Pick<ServiceConfig, 'account' | 'previousSecrets' | 'issuer' | 'audience'>;

/** Signs with the current secret, and also accepts tokens of the previous ones. */
export function createServiceTokens(config: TokenConfig): Tokens {
  const { account, previousSecrets, issuer, audience } = config;
  const { secret, ttlSeconds } = account;
  const reason = account.notices.find(({ level }) => level === 'error')?.message;
  return createTokens({ secret, reason, ttlSeconds, previousSecrets, issuer, audience });
}
