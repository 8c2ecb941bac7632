/**
 * The signed identity of a CI run (OpenID Connect). GitHub Actions gives it on request to a job with the permission
 * `id-token: write`; GitLab CI puts it into the variable that the job names:
 *
 *     id_tokens:
 *       STACKYARD_ID_TOKEN:
 *         aud: stackyard
 */
import { z } from 'zod';
import { askJson } from './ask-json.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that holds the token in GitLab CI. */
const TOKEN_VARIABLE = 'STACKYARD_ID_TOKEN';
const REQUEST_URL = 'ACTIONS_ID_TOKEN_REQUEST_URL';
const REQUEST_TOKEN = 'ACTIONS_ID_TOKEN_REQUEST_TOKEN';

/** What gives a program the identity of the run: tests are started without it. */
export const IDENTITY_VARIABLES: readonly string[] = [TOKEN_VARIABLE, REQUEST_URL, REQUEST_TOKEN];

const Answer = z.object({ value: z.string().regex(/^[\w.-]{1,8192}$/) });

/**
 * The token for a service; `undefined` where the run has none.
 * @throws {ClientError} `ERR_NETWORK`, `ERR_INSECURE_URL`, `ERR_USAGE`
 */
export async function requestCiToken(
  audience: string,
  env: Environment,
  signal: AbortSignal,
): Promise<string | undefined> {
  const given = env[TOKEN_VARIABLE] ?? '';
  if (given !== '') return given;
  const [address, secret] = [env[REQUEST_URL] ?? '', env[REQUEST_TOKEN] ?? ''];
  if (address === '' || secret === '') return undefined;
  const url = `${address}${address.includes('?') ? '&' : '?'}audience=${encodeURIComponent(audience)}`;
  const { value } = await askJson('the code host', url, { token: secret, signal });
  return Answer.safeParse(value).data?.value;
}
