/** Login tokens of the account service (JWT, HS256): who sends a report. The account is read for each request, so a logout counts. */
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { z } from 'zod';
import { Refusal } from './answer.ts';
import type { RunSql } from './database.ts';
import type { ReportsSettings } from './settings.ts';

const Claims = z.object({
  sub: z
    .string()
    .regex(/^[1-9][0-9]{0,15}$/)
    .transform(Number),
  ver: z.int().nonnegative(),
  jti: z.string().min(16).max(64),
  iat: z.int(),
  exp: z.int(),
});

const FIND = `SELECT token_version, created_at, EXISTS (SELECT 1 FROM revoked_tokens WHERE jti = $2) AS revoked
  FROM users WHERE id = $1`;

const MAX_CHARACTERS = 4096;
/** How far `iat` may lie ahead of this machine's clock. */
const MAX_LEAD_SECONDS = 60;

/** The id of the account that the token is of. @throws {Refusal} */
export async function accountOfToken(
  token: string | undefined,
  run: RunSql,
  settings: Pick<ReportsSettings, 'secrets' | 'tokenIssuer' | 'tokenAudience'>,
): Promise<number> {
  if (token === undefined) {
    throw new Refusal('missing_token', 'Send a bearer token in the header Authorization');
  }
  const { iss, aud, ...payload } = await verifySigned(token, settings.secrets);
  const claims = Claims.safeParse(payload);
  if (!claims.success || iss !== settings.tokenIssuer || aud !== settings.tokenAudience)
    throw invalid();
  const { sub, ver, jti, iat } = claims.data;
  if (iat > Date.now() / 1000 + MAX_LEAD_SECONDS) throw invalid();
  const [row] = await run(FIND, [sub, jti]);
  // A token older than its account belonged to an earlier account with the same id.
  const createdAt = new Date(String(row?.['created_at'])).getTime();
  if (row === undefined || iat < Math.floor(createdAt / 1000)) {
    throw new Refusal('account_gone', 'The account was deleted');
  }
  if (Boolean(row['revoked']) || Number(row['token_version']) !== ver) throw invalid();
  return sub;
}

async function verifySigned(token: string, secrets: readonly string[]): Promise<JWTPayload> {
  if (token.length > MAX_CHARACTERS) throw invalid();
  for (const secret of secrets) {
    try {
      const key = new TextEncoder().encode(secret);
      return (await jwtVerify(token, key, { algorithms: ['HS256'] })).payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) {
        throw new Refusal('token_expired', 'The token has expired: log in again');
      }
      if (!(error instanceof errors.JOSEError)) throw error;
    }
  }
  throw invalid();
}

function invalid(): Refusal {
  return new Refusal('invalid_token', 'The token is not valid');
}
