// Reads the environment variables of this build. Only the caller decides when: nothing is read on import.

import { DEFAULT_TTL_SECONDS } from './tokens.js';

export interface AccountConfig {
  /** `undefined` in production without a JWT_SECRET that is long enough: then no token is issued or accepted. */
  readonly secret: string | undefined;
  readonly ttlSeconds: number;
  readonly production: boolean;
  /** What an operator should know, for the log. */
  readonly notices: readonly ConfigNotice[];
}

export interface ConfigNotice {
  readonly level: 'warn' | 'error';
  readonly message: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Everybody can read this secret here: whoever relies on tokens signed with it relies on nothing. */
const DEVELOPMENT_SECRET = 'stackyard/account: built-in secret for tests and development only';

/** A key for HS256 has at least as many bytes as SHA-256 gives (RFC 7518 section 3.2). */
const MIN_SECRET_BYTES = 32;

const NO_TOKENS = 'register and login will fail and every token will be refused';
const WANTED_SECRET =
  `at least ${MIN_SECRET_BYTES} random bytes, such as the output of "openssl rand -hex 32"`;

// A value such as "staging" or "prod" means a server that strangers can reach, so it counts as production.
const DEVELOPMENT_MODES: ReadonlySet<string> = new Set(['', 'development', 'test']);

const TTL_FORM = /^[1-9][0-9]{0,8}$/;

/**
 * Reads JWT_SECRET, JWT_TTL_SECONDS, JWT_SECRET_STRICT, JWT_SECRET_ALLOW_SHORT and NODE_ENV. Throws `RangeError` naming
 * the variable when JWT_TTL_SECONDS is no whole number of seconds, or when JWT_SECRET_STRICT is 1 and the secret is short.
 */
export function readAccountConfig(env: Environment): AccountConfig {
  const production = !DEVELOPMENT_MODES.has(env['NODE_ENV']?.trim() ?? '');
  const ttlSeconds = readTtlSeconds(env['JWT_TTL_SECONDS']);
  const text = env['JWT_SECRET'];
  if (text === undefined || text.trim() === '')
    return { ...withoutSecret(production), ttlSeconds, production };
  return { ...withSecret(text, production, env), ttlSeconds, production };
}

function withoutSecret(production: boolean): Pick<AccountConfig, 'secret' | 'notices'> {
  if (!production) {
    const message = 'JWT_SECRET is not set: login tokens are signed with the built-in development secret';
    return { secret: DEVELOPMENT_SECRET, notices: [{ level: 'warn', message }] };
  }
  const message = `JWT_SECRET is not set: ${NO_TOKENS}. Set it to ${WANTED_SECRET}`;
  return { secret: undefined, notices: [{ level: 'error', message }] };
}

function withSecret(
  secret: string,
  production: boolean,
  env: Environment,
): Pick<AccountConfig, 'secret' | 'notices'> {
  const length = Buffer.byteLength(secret, 'utf8');
  if (length >= MIN_SECRET_BYTES) return { secret, notices: [] };
  const short = `JWT_SECRET has ${length} bytes`;
  if (env['JWT_SECRET_STRICT']?.trim() === '1') {
    throw new RangeError(`${short}: use ${WANTED_SECRET}`);
  }
  if (!production) return { secret, notices: [] };
  if (env['JWT_SECRET_ALLOW_SHORT']?.trim() === '1') {
    const message = `${short}, which JWT_SECRET_ALLOW_SHORT allows: use ${WANTED_SECRET}`;
    return { secret, notices: [{ level: 'warn', message }] };
  }
  const message = `${short}: ${NO_TOKENS}. Set it to ${WANTED_SECRET}`;
  return { secret: undefined, notices: [{ level: 'error', message }] };
}

// Not `Number` or `parseInt`: they read 1e3, 0x10, "" and 60s as numbers.
function readTtlSeconds(text: string | undefined): number {
  const value = text?.trim() ?? '';
  if (value === '') return DEFAULT_TTL_SECONDS;
  if (TTL_FORM.test(value)) return Number(value);
  throw new RangeError(
    `JWT_TTL_SECONDS is "${value}": use a whole number of seconds from 1 to 999999999, such as "${DEFAULT_TTL_SECONDS}"`,
  );
}
