import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';

// The public keys of an issuer, by its `/.well-known/openid-configuration`. They are fetched when the first token needs
// them, kept for ten minutes, and fetched again for a key that is not among them, but at most twice a minute: tokens
// cannot make the service ask the issuer more often.

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

// Fetches small JSON documents, such as the keys of an issuer. The server may be down, slow or taken over: what it answers is
// limited in time and size, and redirects are not followed.

const MAX_BYTES = 256 * 1024;

/** The answer has another status than 200. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: number;

  constructor(status: number) {
    super(`The status is ${status}`);
    this.status = status;
  }
}

/** The text of a document. Rejects unless it is 200, complete within `timeoutMs` and at most `maxBytes`. */
export async function fetchDocument(
  url: string,
  timeoutMs: number,
  maxBytes: number = MAX_BYTES,
): Promise<string> {
  const answer = await fetch(url, {
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new StatusError(answer.status);
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.length;
    // Leaving the loop ends the connection.
    if (bytes > maxBytes) throw new Error(`The document has more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
