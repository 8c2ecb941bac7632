// Reads the configuration from environment variables. One message lists all problems, and no message holds a value:
// a secret that was put into the wrong variable must not reach a log.

import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import {
  type AccountConfig,
  type ConfigNotice,
  readAccountConfig,
} from '../builds/stackyard/account-core/index.ts';
import { type DatabaseConfig, parseDatabaseUrl } from './database-url.ts';
import { AuthServiceError } from './answer.ts';
import type { DrainTimes } from './drain.ts';
import type { MailConfig } from './mail.ts';

/** The configuration of the service. */
export interface ServiceConfig {
  readonly account: AccountConfig;
  /** Previous secrets, whose tokens are still accepted. */
  readonly previousSecrets: readonly string[];
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
  /** `undefined` listens on all addresses. */
  readonly host: string | undefined;
  /** 0 takes a free port. */
  readonly port: number;
  readonly database: DatabaseConfig;
  /** Express's "trust proxy": false, a number of proxies, or their addresses. */
  readonly trustProxy: false | number | readonly string[];
  /** `undefined`: no limits. */
  readonly rateLimit: { readonly attemptsPerMinute: number } | undefined;
  /** New passwords that are among the most common ones are refused. */
  readonly refusesCommonPasswords: boolean;
  /** Password hashes computed at once; `undefined` leaves it to the account module. */
  readonly hashConcurrency: number | undefined;
  /** How long a login may wait for others, in milliseconds. */
  readonly hashWaitMs: number;
  /** `undefined`: no password reset and no e-mail verification. */
  readonly mail: MailConfig | undefined;
  readonly logLevel: LogLevel;
  /** `undefined` serves no metrics. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  readonly shutdown: DrainTimes;
  /** Processes that share the port; 1 is this one alone. */
  readonly workers: number;
  /** Warnings for the log, those of the account module included. */
  readonly notices: readonly ConfigNotice[];
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_PORT = 4000;
const DEFAULT_ATTEMPTS_PER_MINUTE = 100;
const DEFAULT_SHUTDOWN_MS = 10_000;
const IDLE_MS = 1000;
const HASH_WAIT_MS = 10_000;
const DEFAULT_POOL_THREADS = 4;
const SPARE_THREADS = 2;
const LOOPBACK = '127.0.0.1';

/** A key for HS256 has at least as many bytes as a SHA-256 digest (RFC 7518 section 3.2). */
const MIN_SECRET_BYTES = 32;

const LONG_SECRET = `use at least ${MIN_SECRET_BYTES} random bytes, such as the output of "openssl rand -hex 32"`;

const HOST = /^[A-Za-z0-9.:_-]+$/;

const port = wholeNumber(0, 65_535, DEFAULT_PORT);
const host = z.string().regex(HOST, 'use a host name or an address, such as "127.0.0.1"');
const party = z.string().max(200, 'use at most 200 characters');

const address = z.url({
  protocol: /^https?$/,
  error: 'use an address of http or https, such as "https://app.example.com"',
});

const Variables = z.object({
  NODE_ENV: z.string().optional(),
  HOST: host.optional(),
  PORT: port.optional(),
  DATABASE_URL: z.string().transform(readDatabaseUrl).optional(),
  DATABASE_POOL_SIZE: wholeNumber(1, 1000, 10).optional(),
  DATABASE_PREPARED: onOrOff().optional(),
  JWT_SECRET: z.string().optional(),
  JWT_SECRET_PREVIOUS: z.string().transform(readPreviousSecrets).optional(),
  JWT_SECRET_STRICT: zeroOrOne().optional(),
  JWT_SECRET_ALLOW_SHORT: zeroOrOne().optional(),
  JWT_TTL_SECONDS: wholeNumber(1, 999_999_999, 604_800).optional(),
  JWT_ISSUER: party.optional(),
  JWT_AUDIENCE: party.optional(),
  TRUST_PROXY: z.string().transform(readTrustProxy).optional(),
  RATE_LIMIT: onOrOff().optional(),
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 1_000_000, DEFAULT_ATTEMPTS_PER_MINUTE).optional(),
  HASH_CONCURRENCY: wholeNumber(1, 64, 2).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `use one of ${LOG_LEVELS.join(', ')}`).optional(),
  MAIL_URL: address.optional(),
  MAIL_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{1,512}$/, 'use at most 512 visible ASCII characters')
    .optional(),
  MAIL_LINK: address.optional(),
  METRICS_PORT: wholeNumber(0, 65_535, 9464).optional(),
  METRICS_HOST: host.optional(),
  SHUTDOWN_DELAY_MS: wholeNumber(0, 600_000, 5000).optional(),
  SHUTDOWN_TIMEOUT_MS: wholeNumber(1, 600_000, DEFAULT_SHUTDOWN_MS).optional(),
  SHUTDOWN_TIMEOUT_SECONDS: z.undefined('use SHUTDOWN_TIMEOUT_MS, in milliseconds'),
  WORKERS: wholeNumber(1, 256, 4).optional(),
  REPORTS: z
    .string()
    .refine(
      (value) => value === 'off',
      'is served by "stackyard-registry reports": start it there, with its variables',
    )
    .optional(),
  COMMON_PASSWORDS: z.enum(['allow', 'refuse'], 'use "allow" or "refuse"').optional(),
  UV_THREADPOOL_SIZE: wholeNumber(1, 1024, DEFAULT_POOL_THREADS).optional(),
});

type Values = z.output<typeof Variables>;

interface Problem {
  readonly name: string;
  readonly message: string;
}

/** Names of the variables that are read. */
export const VARIABLE_NAMES: readonly string[] = Object.keys(Variables.shape);

/** Reads the environment. Throws `AuthServiceError`, code `ERR_CONFIG`, whose message lists all problems. */
export function readServiceConfig(env: Environment): ServiceConfig {
  // Each variable by itself, so that problems between several are reported even when one of them is wrong.
  const values: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const [name, schema] of Object.entries(Variables.shape)) {
    const result = schema.safeParse(readVariable(env, name));
    if (result.success) values[name] = result.data;
    else problems.push({ name, message: result.error.issues[0]?.message ?? 'is not valid' });
  }
  problems.push(...checkTogether(values as Values));
  if (problems.length > 0) throw configError(problems);
  const account = readAccountConfig(env);
  problems.push(...checkSecrets(values as Values, account));
  if (problems.length > 0) throw configError(problems);
  return toConfig(values as Values, account);
}

// Blank is absent. Secrets are used unchanged, spaces included.
function readVariable(env: Environment, name: string): string | undefined {
  const text = env[name]?.trim();
  if (text === undefined || text === '') return undefined;
  return name === 'JWT_SECRET' || name === 'JWT_SECRET_PREVIOUS' ? env[name] : text;
}

function toConfig(values: Values, account: AccountConfig): ServiceConfig {
  const { production } = account;
  const attemptsPerMinute = values.RATE_LIMIT_PER_MINUTE ?? DEFAULT_ATTEMPTS_PER_MINUTE;
  const shutdownMs = values.SHUTDOWN_TIMEOUT_MS ?? DEFAULT_SHUTDOWN_MS;
  return {
    account,
    previousSecrets: values.JWT_SECRET_PREVIOUS ?? [],
    issuer: values.JWT_ISSUER,
    audience: values.JWT_AUDIENCE,
    host: values.HOST ?? (production ? undefined : LOOPBACK),
    port: values.PORT ?? DEFAULT_PORT,
    database: toDatabase(values),
    trustProxy: values.TRUST_PROXY ?? false,
    rateLimit: (values.RATE_LIMIT ?? production) ? { attemptsPerMinute } : undefined,
    refusesCommonPasswords: values.COMMON_PASSWORDS === 'refuse',
    hashConcurrency: values.HASH_CONCURRENCY,
    // Processes that share cores are slower, each of them.
    hashWaitMs:
      HASH_WAIT_MS * Math.max(1, Math.ceil((values.WORKERS ?? 1) / availableParallelism())),
    mail:
      values.MAIL_URL === undefined || values.MAIL_LINK === undefined
        ? undefined
        : { url: values.MAIL_URL, token: values.MAIL_TOKEN, link: values.MAIL_LINK },
    logLevel: values.LOG_LEVEL ?? 'info',
    metrics:
      values.METRICS_PORT === undefined
        ? undefined
        : { host: values.METRICS_HOST ?? LOOPBACK, port: values.METRICS_PORT },
    shutdown: {
      delayMs: values.SHUTDOWN_DELAY_MS ?? 0,
      timeoutMs: shutdownMs,
      // A developer waits for each restart.
      idleMs: values.NODE_ENV === 'development' ? 0 : Math.min(IDLE_MS, shutdownMs / 2),
    },
    workers: values.WORKERS ?? 1,
    notices: [...account.notices, ...findNotices(values, account)],
  };
}

function* findNotices(values: Values, { production }: AccountConfig): Generator<ConfigNotice> {
  if (production && values.RATE_LIMIT === false) {
    yield { level: 'warn', message: 'RATE_LIMIT is off: passwords can be guessed without a limit' };
  }
  // Node reads files and looks up hosts in the same threads as it computes hashes.
  const { HASH_CONCURRENCY: hashes = 0, UV_THREADPOOL_SIZE: threads = DEFAULT_POOL_THREADS } =
    values;
  if (hashes > threads - SPARE_THREADS) {
    const message = `HASH_CONCURRENCY leaves too few threads: set UV_THREADPOOL_SIZE to at least ${hashes + SPARE_THREADS}`;
    yield { level: 'warn', message };
  }
}

function toDatabase(values: Values): DatabaseConfig {
  const database = values.DATABASE_URL ?? parseDatabaseUrl('file:data/auth.sqlite');
  if (database.kind === 'sqlite') return database;
  return {
    ...database,
    poolSize: values.DATABASE_POOL_SIZE ?? database.poolSize,
    prepared: values.DATABASE_PREPARED ?? database.prepared,
  };
}

function configError(problems: readonly Problem[]): AuthServiceError {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  const lines = problems.map(({ name, message }) => `  ${name}: ${message}`);
  return new AuthServiceError(
    'ERR_CONFIG',
    `Cannot read the configuration from the environment: ${count}\n${lines.join('\n')}`,
  );
}

function* checkTogether(values: Values): Generator<Problem> {
  const { JWT_SECRET: secret, JWT_SECRET_PREVIOUS: previous = [] } = values;
  if (previous.length > 0 && secret === undefined) {
    const message = 'is set without JWT_SECRET; set the new secret there';
    yield { name: 'JWT_SECRET_PREVIOUS', message };
  }
  if (values.JWT_SECRET_STRICT === '1') {
    if (secret !== undefined && isShort(secret)) yield { name: 'JWT_SECRET', message: LONG_SECRET };
    if (previous.some(isShort)) yield { name: 'JWT_SECRET_PREVIOUS', message: LONG_SECRET };
  }
  if ((values.WORKERS ?? 1) > 1 && values.DATABASE_URL?.kind !== 'postgres') {
    const message =
      'needs PostgreSQL, which processes share: set DATABASE_URL to it, or WORKERS to "1"';
    yield { name: 'WORKERS', message };
  }
  if ((values.MAIL_URL === undefined) !== (values.MAIL_LINK === undefined)) {
    const [name, other] =
      values.MAIL_URL === undefined ? ['MAIL_LINK', 'MAIL_URL'] : ['MAIL_URL', 'MAIL_LINK'];
    const message = `is set without ${other}: password reset and e-mail verification need both`;
    yield { name, message };
  }
  if (values.METRICS_HOST !== undefined && values.METRICS_PORT === undefined) {
    yield {
      name: 'METRICS_HOST',
      message: 'is set without METRICS_PORT; set the port, such as "9464"',
    };
  }
}

/**
 * Strangers can guess what a short secret signs: in production the service does not start with one. Nor does it start
 * when neither a mode nor a secret is set, because then nobody has decided that it may run without one.
 */
function* checkSecrets(values: Values, { production }: AccountConfig): Generator<Problem> {
  const { JWT_SECRET: secret, JWT_SECRET_PREVIOUS: previous = [] } = values;
  if (secret === undefined && values.NODE_ENV === undefined) {
    const message = `is not set, and neither is NODE_ENV: ${LONG_SECRET}; in development set NODE_ENV to "development"`;
    yield { name: 'JWT_SECRET', message };
  }
  if (!production || values.JWT_SECRET_ALLOW_SHORT === '1') return;
  const message = `${LONG_SECRET}; JWT_SECRET_ALLOW_SHORT=1 accepts a shorter one`;
  if (secret !== undefined && isShort(secret)) yield { name: 'JWT_SECRET', message };
  if (previous.some(isShort)) yield { name: 'JWT_SECRET_PREVIOUS', message };
}

function isShort(secret: string): boolean {
  return Buffer.byteLength(secret, 'utf8') < MIN_SECRET_BYTES;
}

const MAX_PROXIES = 10;
const PROXY_GROUPS: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** A number from `min` to `max`. */
// Not `Number` or `parseInt` alone: they read 1e3, 0x10 and 60s as numbers.
function wholeNumber(min: number, max: number, example: number) {
  const message = `use a whole number from ${min} to ${max}, such as "${example}"`;
  return z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,8})$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** `0` or `1`, as it is. */
function zeroOrOne() {
  return z.enum(['0', '1'], 'use "0" or "1"');
}

/** `on` or `off`, as a boolean. */
function onOrOff() {
  return z.enum(['on', 'off'], 'use "on" or "off"').transform((text) => text === 'on');
}

/** The database of DATABASE_URL. */
function readDatabaseUrl(text: string, context: z.RefinementCtx): DatabaseConfig {
  try {
    return parseDatabaseUrl(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : '' });
    return z.NEVER;
  }
}

/** The secrets of JWT_SECRET_PREVIOUS. */
// One secret, or a JSON array: a separator would split a secret that holds it.
function readPreviousSecrets(text: string, context: z.RefinementCtx): string[] {
  if (!text.trimStart().startsWith('[')) return [text];
  try {
    return z.array(z.string().min(1)).parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: 'custom', message: 'use one secret, or a JSON array of strings' });
    return z.NEVER;
  }
}

/** The value of TRUST_PROXY for Express. */
// Not `true`, which Express also accepts: it would let every client choose its own address.
function readTrustProxy(text: string, context: z.RefinementCtx): number | string[] {
  if (/^[1-9][0-9]?$/.test(text) && Number(text) <= MAX_PROXIES) return Number(text);
  const addresses = text.split(',').map((part) => part.trim());
  if (addresses.every(isProxyAddress)) return addresses;
  context.addIssue({
    code: 'custom',
    message: `use the number of proxies, from 1 to ${MAX_PROXIES}, or their addresses, such as "loopback, 10.0.0.0/8"`,
  });
  return z.NEVER;
}

// Express would throw for others, and quote them.
function isProxyAddress(text: string): boolean {
  if (PROXY_GROUPS.has(text)) return true;
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return (
    bits === undefined ||
    (/^[1-9][0-9]{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  );
}
