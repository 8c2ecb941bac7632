import { createHash } from 'node:crypto';
import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose';
import { z } from 'zod';
import { ciAudience } from '../../format/index/registry-info.ts';
import { ciAccount, type CiOrigin } from '../../format/statement/statement.ts';
import { Refusal } from './answer.ts';
import { createIssuerKeys, KeysUnavailable, type IssuerKeysOptions } from './issuer-keys.ts';
import type { CiIssuer } from './settings.ts';

// Verifies a token of a CI run. Everything in it is hostile until its signature, its issuer and its times are checked.

/** The run that a token identifies. */
export interface CiRun {
  readonly issuer: CiIssuer;
  /** `ci:<issuer>:<repository id>` */
  readonly account: string;
  readonly origin: CiOrigin;
  /** The same for every copy of the token, and for no other one. */
  readonly tokenDigest: string;
  /** From when on a copy is refused because of its age, in seconds since 1970. */
  readonly expiresAt: number;
}

/** Asymmetric ones only: with HS256 the public key would be the secret. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'EdDSA',
];

const MAX_TOKEN_CHARACTERS = 8192;
const COMPACT_FORM = /^[\w-]+\.[\w-]+\.[\w-]*$/;
/** Clocks of runners and of the service differ. */
const TOLERANCE_SECONDS = 60;
const RETRY_MS = 30_000;
/** Runs of GitLab get their token when they begin, and report when they end. */
const MAX_AGE_SECONDS = { github: 3600, gitlab: 6 * 3600 } as const;

const id = z
  .union([z.string(), z.int().positive().transform(String)])
  .pipe(z.string().regex(/^[1-9]\d{0,17}$/));
const CLAIMS = {
  github: z.object({ repository_id: id, repository_owner_id: id, actor_id: id }).transform((c) => ({
    repository: c.repository_id,
    owner: c.repository_owner_id,
    actor: c.actor_id,
  })),
  gitlab: z
    .object({ project_id: id, namespace_id: id, user_id: id })
    .transform((c) => ({ repository: c.project_id, owner: c.namespace_id, actor: c.user_id })),
} as const;

/** Verifies tokens of these issuers that are for this service alone. */
export class CiTokens {
  readonly #audience: string;
  readonly #issuers: ReadonlyMap<
    string,
    { readonly issuer: CiIssuer; readonly keys: ReturnType<typeof createIssuerKeys> }
  >;

  /** @param address of the service, as its clients have it: the audience follows from it */
  constructor(address: string, issuers: readonly CiIssuer[], options: IssuerKeysOptions = {}) {
    this.#audience = ciAudience(address);
    this.#issuers = new Map(
      issuers.map((issuer) => {
        return [issuer.issuer, { issuer, keys: createIssuerKeys(issuer.issuer, options) }];
      }),
    );
  }

  /** Whether the token is for `verify`: one of a configured issuer, or one that only an issuer can have signed. */
  isCiToken(token: string): boolean {
    const { iss, alg } = readUnverified(token);
    return this.#issuers.has(iss ?? '') || (alg !== undefined && ALGORITHMS.includes(alg));
  }

  /** The run that the token identifies. @throws {Refusal} */
  async verify(token: string): Promise<CiRun> {
    if (token.length > MAX_TOKEN_CHARACTERS || !COMPACT_FORM.test(token)) {
      throw new Refusal('invalid_token', 'The token is not a signed JWT');
    }
    const known = this.#issuers.get(readUnverified(token).iss ?? '');
    if (known === undefined) {
      throw new Refusal('unknown_issuer', 'The service does not accept tokens of this issuer');
    }
    const { issuer, keys } = known;
    const payload = await verifySigned(token, this.#audience, issuer, keys);
    const claims = CLAIMS[issuer.kind].safeParse(payload);
    if (!claims.success) {
      const names = [...new Set(claims.error.issues.map(({ path }) => path.join('.')))].join(', ');
      throw new Refusal('invalid_token', `The token has no usable claims ${names}`);
    }
    const { repository, owner, actor } = claims.data;
    // Without an id what is signed, not the signature: an ECDSA signature can be rewritten.
    const tokenId = payload.jti ?? token.slice(0, token.lastIndexOf('.'));
    const latest = Math.min(payload.exp, payload.iat + MAX_AGE_SECONDS[issuer.kind]);
    return {
      issuer,
      account: ciAccount(issuer.issuer, repository),
      origin: { owner, actor },
      tokenDigest: createHash('sha256').update(`${issuer.issuer}\n${tokenId}`).digest('hex'),
      expiresAt: Math.ceil(latest) + TOLERANCE_SECONDS + 1,
    };
  }
}

async function verifySigned(
  token: string,
  audience: string,
  { issuer, kind }: CiIssuer,
  keys: ReturnType<typeof createIssuerKeys>,
): Promise<JWTPayload & { readonly exp: number; readonly iat: number }> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: TOLERANCE_SECONDS,
      maxTokenAge: MAX_AGE_SECONDS[kind],
      requiredClaims: ['exp', 'iat'],
    });
    if (Array.isArray(payload.aud) && payload.aud.length > 1) {
      throw new Refusal('invalid_token', 'The token is for other services as well');
    }
    return { ...payload, exp: payload.exp ?? 0, iat: payload.iat ?? 0 };
  } catch (error) {
    throw toRefusal(error, audience);
  }
}

function toRefusal(cause: unknown, audience: string): Refusal {
  if (cause instanceof Refusal) return cause;
  if (cause instanceof KeysUnavailable) {
    const message = 'The keys of the issuer cannot be fetched, try again later';
    return new Refusal('issuer_unavailable', message, { cause, retryAfterMs: RETRY_MS });
  }
  if (cause instanceof errors.JWTExpired) {
    return new Refusal('token_expired', 'The token is too old: get a new one', { cause });
  }
  if (cause instanceof errors.JWTClaimValidationFailed && cause.claim === 'aud') {
    const message = `The token is for another service: request one for "${audience}"`;
    return new Refusal('invalid_token', message, { cause });
  }
  if (cause instanceof errors.JWTClaimValidationFailed) {
    return new Refusal('invalid_token', `The claim ${cause.claim} is not valid here`, { cause });
  }
  if (cause instanceof errors.JWKSNoMatchingKey) {
    const message = 'The issuer publishes no key that could have signed the token';
    return new Refusal('invalid_token', message, { cause });
  }
  return new Refusal('invalid_token', 'The token is not valid', { cause });
}

function readUnverified(token: string): { readonly iss?: string; readonly alg?: string } {
  if (token.length > MAX_TOKEN_CHARACTERS) return {};
  try {
    const { iss } = decodeJwt(token);
    const header = JSON.parse(
      Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString('utf8'),
    ) as { readonly alg?: unknown } | null;
    return {
      ...(typeof iss === 'string' && { iss }),
      ...(typeof header?.alg === 'string' && { alg: header.alg }),
    };
  } catch {
    return {};
  }
}
