/**
 * The signed identity of a CI run (OpenID Connect). GitHub Actions gives it on request to a job with the permission
 * `id-token: write`; GitLab CI puts it into the variable that the job names:
 *
 *     id_tokens:
 *       STACKYARD_ID_TOKEN:
 *         aud: stackyard:reports.example
 */
import { z } from 'zod';
import { ciAudience } from '../../format/index/report-service.ts';
import { ClientError } from '../errors.ts';
import { askJson } from './ask-json.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that holds the token in GitLab CI. */
const TOKEN_VARIABLE = 'STACKYARD_ID_TOKEN';
const REQUEST_URL = 'ACTIONS_ID_TOKEN_REQUEST_URL';
const REQUEST_TOKEN = 'ACTIONS_ID_TOKEN_REQUEST_TOKEN';

/** The environment of a program that must not sign anything, such as a test. */
export function withoutIdentity(env: Environment): NodeJS.ProcessEnv {
  const identity = [TOKEN_VARIABLE, REQUEST_URL, REQUEST_TOKEN];
  return Object.fromEntries(Object.entries(env).filter(([name]) => !identity.includes(name)));
}

const Answer = z.object({ value: z.string().regex(/^[\w.-]{1,8192}$/) });

const Claims = z.object({ aud: z.unknown() });

/**
 * The token for the service at `address`, whose audience follows from the address; `undefined` where the run has none.
 * @throws {ClientError} `ERR_CI_TOKEN` for a token that another service accepts; `ERR_NETWORK`, `ERR_INSECURE_URL`, `ERR_USAGE`
 */
export async function requestCiToken(
  address: string,
  env: Environment,
  signal: AbortSignal,
): Promise<string | undefined> {
  const audience = ciAudience(address);
  const token = env[TOKEN_VARIABLE] || (await askCodeHost(audience, env, signal));
  if (token === undefined || isFor(audience, token)) return token;
  throw new ClientError(
    'ERR_CI_TOKEN',
    `The token of this run is not for "${audience}" alone, so it is not sent to ${address}`,
    { hint: `in GitLab CI: id_tokens: { ${TOKEN_VARIABLE}: { aud: '${audience}' } }` },
  );
}

async function askCodeHost(
  audience: string,
  env: Environment,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [address, secret] = [env[REQUEST_URL] ?? '', env[REQUEST_TOKEN] ?? ''];
  if (address === '' || secret === '') return undefined;
  const url = `${address}${address.includes('?') ? '&' : '?'}audience=${encodeURIComponent(audience)}`;
  const { value } = await askJson('the code host', url, { token: secret, signal });
  return Answer.safeParse(value).data?.value;
}

/** Reads the claim without verifying it: the service does that. */
function isFor(audience: string, token: string): boolean {
  try {
    const [, payload = ''] = token.split('.');
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const { aud } = Claims.parse(claims);
    return aud === audience || (Array.isArray(aud) && aud.length === 1 && aud[0] === audience);
  } catch {
    return false;
  }
}
