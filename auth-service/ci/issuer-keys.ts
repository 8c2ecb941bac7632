// The public keys of an issuer, by its `/.well-known/openid-configuration`. They are fetched when the first token needs
// them, kept for ten minutes, and fetched again for a key that is not among them, but at most twice a minute: tokens
// cannot make the service ask the issuer more often.

import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { fetchDocument } from './fetch-document.ts';

export interface IssuerKeysOptions {
  /** For one document. Default: 5 seconds. */
  readonly timeoutMs?: number;
  /** After a fetch, and after a failed one, none within this time. Default: 30 seconds. */
  readonly cooldownMs?: number;
  /** How long keys are used. Default: 10 minutes. */
  readonly cacheMs?: number;
}

/** The keys cannot be fetched: the token may be valid. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url() });
const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) });

const WELL_KNOWN = '/.well-known/openid-configuration';

/** Finds the key of a token. The function that it returns rejects with `KeysUnavailable`, or as `jose` does. */
export function createIssuerKeys(issuer: string, options: IssuerKeysOptions = {}): JWTVerifyGetKey {
  const { timeoutMs = 5000, cooldownMs = 30_000, cacheMs = 600_000 } = options;
  let failedAt = -Infinity;
  let found: Promise<JWTVerifyGetKey> | undefined;

  // `jose` waits after a fetch that succeeded, not after one that failed.
  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    if (Date.now() - failedAt < cooldownMs) throw new KeysUnavailable('A fetch has just failed');
    try {
      return await work();
    } catch (cause) {
      failedAt = Date.now();
      throw new KeysUnavailable('Cannot fetch a document of the issuer', { cause });
    }
  }

  const fetchKeys = (url: string): Promise<Response> =>
    attempt(async () => {
      const keys = KeySet.parse(JSON.parse(await fetchDocument(url, timeoutMs)));
      return Response.json(keys);
    });

  async function discover(): Promise<JWTVerifyGetKey> {
    const address = await attempt(async () => {
      const text = await fetchDocument(`${issuer}${WELL_KNOWN}`, timeoutMs);
      const document = Discovery.parse(JSON.parse(text));
      const isOwn = new URL(document.jwks_uri).origin === new URL(issuer).origin;
      // Another host is one that the operator has not named.
      if (document.issuer !== issuer || !isOwn) throw new Error('It is of another issuer');
      return new URL(document.jwks_uri);
    });
    return createRemoteJWKSet(address, {
      timeoutDuration: timeoutMs,
      cooldownDuration: cooldownMs,
      cacheMaxAge: cacheMs,
      [customFetch]: fetchKeys,
    });
  }

  return async (header, token) => {
    found ??= discover().catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return (await found)(header, token);
  };
}
