// Login tokens by jose. Their claims are those of the account module: the module and the service accept each other's tokens.

import { createSecretKey, type KeyObject, randomUUID } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { readPayload, type Tokens } from '../builds/stackyard/account/tokens.ts';

export interface TokenOptions {
  readonly secret: string;
  /** Earlier secrets, whose tokens are still accepted. */
  readonly previousSecrets?: readonly string[];
  readonly ttlSeconds: number;
  /** New tokens have these claims `iss` and `aud`, and others are refused. */
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
}

// The one spelling of the 32 bytes of a signature: the last character has two bits that must be zero.
const FORM = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/** Signs with the current secret, and also accepts tokens of the previous ones. */
export function createJoseTokens(options: TokenOptions): Tokens {
  const { secret, previousSecrets = [], ttlSeconds, issuer, audience } = options;
  const key = createSecretKey(secret, 'utf8');
  const keys = [key, ...previousSecrets.map((text) => createSecretKey(text, 'utf8'))];
  const parties = {
    ...(issuer !== undefined && { iss: issuer }),
    ...(audience !== undefined && { aud: audience }),
  };
  const rules = {
    algorithms: ['HS256'],
    ...(issuer !== undefined && { issuer }),
    ...(audience !== undefined && { audience }),
  };

  async function tryVerify(token: string, each: KeyObject): Promise<JWTPayload | undefined> {
    try {
      return (await jwtVerify(token, each, rules)).payload;
    } catch {
      return undefined;
    }
  }

  return {
    issue({ id, email, tokenVersion, createdAt }) {
      // Never before the account, which a machine with a faster clock may have written.
      const issuedAt = Math.floor(Math.max(Date.now(), Date.parse(createdAt)) / 1000);
      return new SignJWT({ email, ver: tokenVersion, ...parties })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(String(id))
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ttlSeconds)
        .sign(key);
    },

    async verify(token) {
      if (!FORM.test(token)) return undefined;
      for (const each of keys) {
        const payload = await tryVerify(token, each);
        if (payload === undefined) continue;
        // jose has checked it. The module refuses tokens for an audience, because it has none.
        const { aud, ...claims } = payload;
        return aud === undefined || aud === audience ? readPayload(claims) : undefined;
      }
      return undefined;
    },
  };
}
