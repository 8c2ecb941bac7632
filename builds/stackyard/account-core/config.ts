// Reads the environment variables of the accounts, when the host calls it: nothing is read on import.

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

/** A variable whose value cannot be used. */
export interface ConfigProblem {
  readonly name: string;
  /** The wanted form. It never contains the value, which may be a secret. */
  readonly message: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables are wrong. The message lists all of them and shows no values. */
export class AccountConfigError extends RangeError {
  override readonly name = 'AccountConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const lines = problems.map(({ name, message }) => `  ${name}: ${message}`);
    super(['Invalid environment variables:', ...lines].join('\n'));
    this.problems = problems;
  }
}

/** Everybody can read this secret here: a token signed with it proves nothing. */
const DEVELOPMENT_SECRET = 'stackyard/account: built-in secret for tests and development only';

/** A key for HS256 has at least as many bytes as a SHA-256 (RFC 7518 section 3.2). */
const MIN_SECRET_BYTES = 32;
const NO_TOKENS = 'register and login will fail and every token will be refused';
const WANTED_SECRET = `at least ${MIN_SECRET_BYTES} random bytes, such as the output of "openssl rand -hex 32"`;

// Exactly these: a server with any other value, or without one, may be one that strangers can reach.
const DEVELOPMENT_MODES: ReadonlySet<string> = new Set(['development', 'test']);
const TTL_FORM = /^[1-9][0-9]{0,8}$/;

/**
 * Reads JWT_SECRET, JWT_TTL_SECONDS, JWT_SECRET_STRICT, JWT_SECRET_ALLOW_SHORT and NODE_ENV. Throws `AccountConfigError` when
 * JWT_TTL_SECONDS is no whole number of seconds, or when JWT_SECRET_STRICT is 1 and the secret is short.
 */
export function readAccountConfig(env: Environment): AccountConfig {
  const problems = findProblems(env);
  if (problems.length > 0) throw new AccountConfigError(problems);
  const ttl = valueOf(env, 'JWT_TTL_SECONDS');
  const production = !DEVELOPMENT_MODES.has(env['NODE_ENV'] ?? '');
  return { ...readSecret(env, production), ttlSeconds: ttl === '' ? DEFAULT_TTL_SECONDS : Number(ttl), production };
}

/** As `readAccountConfig`, for an entry file: where a variable is wrong, prints the list and ends the process with status 1. */
export function readAccountConfigOrExit(env: Environment): AccountConfig {
  try {
    return readAccountConfig(env);
  } catch (error) {
    if (!(error instanceof AccountConfigError)) throw error;
    console.error(error.message);
    return process.exit(1);
  }
}

/** What keeps accounts from working with these variables: wrong values, and a secret that is missing or too short in production. */
export function checkAccountSettings(env: Environment): ConfigProblem[] {
  const problems = findProblems(env);
  const { notices } = readSecret(env, !DEVELOPMENT_MODES.has(env['NODE_ENV'] ?? ''));
  const fault = notices.find(({ level }) => level === 'error');
  if (!fault || problems.some(({ name }) => name === 'JWT_SECRET')) return problems;
  return [...problems, { name: 'JWT_SECRET', message: fault.message.replace(/^JWT_SECRET /, '') }];
}

function findProblems(env: Environment): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const ttl = valueOf(env, 'JWT_TTL_SECONDS');
  // Not `Number` or `parseInt`: they read 1e3, 0x10 and 60s as numbers.
  if (ttl !== '' && !TTL_FORM.test(ttl)) {
    const message = `use a whole number of seconds from 1 to 999999999, such as "${DEFAULT_TTL_SECONDS}"`;
    problems.push({ name: 'JWT_TTL_SECONDS', message });
  }
  const bytes = secretBytes(env);
  if (valueOf(env, 'JWT_SECRET_STRICT') === '1' && valueOf(env, 'JWT_SECRET') !== '' && bytes < MIN_SECRET_BYTES) {
    problems.push({ name: 'JWT_SECRET', message: `has ${bytes} bytes, and JWT_SECRET_STRICT is 1: use ${WANTED_SECRET}` });
  }
  return problems;
}

function readSecret(env: Environment, production: boolean): Pick<AccountConfig, 'secret' | 'notices'> {
  const refuse = (message: string) => ({ secret: undefined, notices: [{ level: 'error', message } as const] });
  const warn = (secret: string, message: string) => ({ secret, notices: [{ level: 'warn', message } as const] });
  // As it is, spaces included: they are part of the key.
  const secret = env['JWT_SECRET'] ?? '';
  if (secret.trim() === '') {
    const missing = `JWT_SECRET is not set: ${NO_TOKENS}. Set it to ${WANTED_SECRET}`;
    const hint = valueOf(env, 'NODE_ENV') === '' ? '; in development set NODE_ENV to "development"' : '';
    if (production) return refuse(missing + hint);
    return warn(DEVELOPMENT_SECRET, 'JWT_SECRET is not set: login tokens are signed with the built-in development secret');
  }
  if (secretBytes(env) >= MIN_SECRET_BYTES || !production) return { secret, notices: [] };
  const short = `JWT_SECRET has ${secretBytes(env)} bytes`;
  if (valueOf(env, 'JWT_SECRET_ALLOW_SHORT') !== '1') return refuse(`${short}: ${NO_TOKENS}. Set it to ${WANTED_SECRET}`);
  return warn(secret, `${short}, which JWT_SECRET_ALLOW_SHORT allows: use ${WANTED_SECRET}`);
}

function secretBytes(env: Environment): number {
  return Buffer.byteLength(env['JWT_SECRET'] ?? '', 'utf8');
}

function valueOf(env: Environment, name: string): string {
  return env[name]?.trim() ?? '';
}
