// Reads the configuration from environment variables. One message lists all problems, and no message holds a value:
// a secret that was put into the wrong variable must not reach a log.

import { isIP } from 'node:net';
import { z } from 'zod';
import { readAccountSettings } from '../builds/stackyard/account/index.ts';
import { type DatabaseConfig, parseDatabaseUrl } from './database-url.ts';
import type { DrainTimes } from './drain.ts';
import { ConfigError } from './errors.ts';

/** The configuration of the service. */
export interface ServiceConfig {
  /** Signs tokens. */
  readonly secret: string;
  /** Previous secrets, whose tokens are still accepted. */
  readonly previousSecrets: readonly string[];
  readonly ttlSeconds: number;
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
  /** `undefined` listens on all addresses. */
  readonly host: string | undefined;
  /** 0 takes a free port. */
  readonly port: number;
  readonly database: DatabaseConfig;
  /** Express's "trust proxy": false, a number of proxies, or their addresses. */
  readonly trustProxy: false | number | readonly string[];
  /** Attempts to register and log in are limited. */
  readonly isRateLimited: boolean;
  /** New passwords that are among the most common ones are refused. */
  readonly refusesCommonPasswords: boolean;
  /** Password hashes computed at once. */
  readonly hashConcurrency: number;
  readonly logLevel: LogLevel;
  /** Who sends it as a bearer token may read `/metrics`; `undefined` serves no metrics. */
  readonly metricsToken: string | undefined;
  readonly shutdown: DrainTimes;
  /** Warnings for the log. */
  readonly warnings: readonly string[];
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_PORT = 4000;
const DEFAULT_POOL_SIZE = 10;
const DEFAULT_SHUTDOWN_MS = 10_000;
const IDLE_MS = 1000;
const DEFAULT_HASHES = 2;
const DEFAULT_POOL_THREADS = 4;
const SPARE_THREADS = 2;
const LOOPBACK = '127.0.0.1';

/** A key for HS256 has at least as many bytes as a SHA-256 digest (RFC 7518 section 3.2). */
const MIN_SECRET_BYTES = 32;

const HOST = /^[A-Za-z0-9.:_-]+$/;

const party = z.string().max(200, 'use at most 200 characters');

const Variables = z.object({
  NODE_ENV: z.string().optional(),
  HOST: z.string().regex(HOST, 'use a host name or an address, such as "127.0.0.1"').optional(),
  PORT: wholeNumber(0, 65_535, DEFAULT_PORT).optional(),
  DATABASE_URL: z.string().transform(readDatabaseUrl).optional(),
  DATABASE_POOL_SIZE: wholeNumber(1, 1000, DEFAULT_POOL_SIZE).optional(),
  JWT_SECRET: z.string().optional(),
  JWT_SECRET_PREVIOUS: z.string().transform(readPreviousSecrets).optional(),
  JWT_ISSUER: party.optional(),
  JWT_AUDIENCE: party.optional(),
  TRUST_PROXY: z.string().transform(readTrustProxy).optional(),
  RATE_LIMIT: z.enum(['on', 'off'], 'use "on" or "off"').optional(),
  COMMON_PASSWORDS: z.enum(['allow', 'refuse'], 'use "allow" or "refuse"').optional(),
  HASH_CONCURRENCY: wholeNumber(1, 64, DEFAULT_HASHES).optional(),
  UV_THREADPOOL_SIZE: wholeNumber(1, 1024, DEFAULT_POOL_THREADS).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `use one of ${LOG_LEVELS.join(', ')}`).optional(),
  METRICS_TOKEN: z
    .string()
    .regex(
      /^[A-Za-z0-9._~+/-]{16,512}$/,
      'use 16 to 512 letters and digits, such as the output of "openssl rand -hex 16"',
    )
    .optional(),
  SHUTDOWN_DELAY_MS: wholeNumber(0, 600_000, 5000).optional(),
  SHUTDOWN_TIMEOUT_MS: wholeNumber(1, 600_000, DEFAULT_SHUTDOWN_MS).optional(),
});

type Values = z.output<typeof Variables>;
type AccountSettings = ReturnType<typeof readAccountSettings>;

interface Problem {
  readonly name: string;
  readonly message: string;
}

/** Names of the variables that are read. */
export const VARIABLE_NAMES: readonly string[] = Object.keys(Variables.shape);

/** Reads the environment. Throws `ConfigError`, whose message lists all problems. */
export function readServiceConfig(env: Environment): ServiceConfig {
  // Each variable on its own, so that problems between several are reported even when one of them is wrong.
  const values: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const [name, schema] of Object.entries(Variables.shape)) {
    const result = schema.safeParse(readVariable(env, name));
    if (result.success) values[name] = result.data;
    else problems.push({ name, message: result.error.issues[0]?.message ?? 'is not valid' });
  }
  const account = readAccountSettings(env);
  problems.push(...account.problems, ...checkPreviousSecrets(values as Values, account));
  if (problems.length > 0) throw toError(problems);
  return toConfig(values as Values, account);
}

// Blank is absent. Secrets are used unchanged, spaces included.
function readVariable(env: Environment, name: string): string | undefined {
  const text = env[name]?.trim();
  if (text === undefined || text === '') return undefined;
  return name === 'JWT_SECRET' || name === 'JWT_SECRET_PREVIOUS' ? env[name] : text;
}

/** Strangers can guess what a short secret signs. The account module checks JWT_SECRET in the same way. */
function* checkPreviousSecrets(
  values: Values,
  { isProduction }: AccountSettings,
): Generator<Problem> {
  const name = 'JWT_SECRET_PREVIOUS';
  const { JWT_SECRET: secret, JWT_SECRET_PREVIOUS: previous = [] } = values;
  if (secret === undefined && previous.length > 0) {
    yield { name, message: 'is set without JWT_SECRET; set the new secret there' };
  } else if (isProduction && previous.some((text) => Buffer.byteLength(text) < MIN_SECRET_BYTES)) {
    yield { name, message: `use secrets of at least ${MIN_SECRET_BYTES} bytes` };
  }
}

function toError(problems: readonly Problem[]): ConfigError {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  const lines = problems.map(({ name, message }) => `  ${name}: ${message}`);
  return new ConfigError(
    `Cannot read the configuration from the environment: ${count}\n${lines.join('\n')}`,
  );
}

function toConfig(
  values: Values,
  { secret, ttlSeconds, isProduction }: AccountSettings,
): ServiceConfig {
  const timeoutMs = values.SHUTDOWN_TIMEOUT_MS ?? DEFAULT_SHUTDOWN_MS;
  return {
    secret,
    previousSecrets: values.JWT_SECRET_PREVIOUS ?? [],
    ttlSeconds,
    issuer: values.JWT_ISSUER,
    audience: values.JWT_AUDIENCE,
    host: values.HOST ?? (isProduction ? undefined : LOOPBACK),
    port: values.PORT ?? DEFAULT_PORT,
    database: toDatabase(values),
    trustProxy: values.TRUST_PROXY ?? false,
    isRateLimited: values.RATE_LIMIT === undefined ? isProduction : values.RATE_LIMIT === 'on',
    refusesCommonPasswords: values.COMMON_PASSWORDS === 'refuse',
    hashConcurrency: values.HASH_CONCURRENCY ?? DEFAULT_HASHES,
    logLevel: values.LOG_LEVEL ?? 'info',
    metricsToken: values.METRICS_TOKEN,
    shutdown: {
      delayMs: values.SHUTDOWN_DELAY_MS ?? 0,
      timeoutMs,
      // A developer waits for each restart.
      idleMs: values.NODE_ENV === 'development' ? 0 : Math.min(IDLE_MS, timeoutMs / 2),
    },
    warnings: [...findWarnings(values, isProduction)],
  };
}

function toDatabase({ DATABASE_URL, DATABASE_POOL_SIZE }: Values): DatabaseConfig {
  const database = DATABASE_URL ?? parseDatabaseUrl('file:data/auth.sqlite');
  if (database.kind === 'sqlite') return database;
  return { ...database, poolSize: DATABASE_POOL_SIZE ?? database.poolSize };
}

function* findWarnings(values: Values, isProduction: boolean): Generator<string> {
  if (values.JWT_SECRET === undefined) {
    yield 'JWT_SECRET is not set: login tokens are signed with the built-in development secret';
  }
  if (isProduction && values.RATE_LIMIT === 'off') {
    yield 'RATE_LIMIT is off: passwords can be guessed without a limit';
  }
  // Node reads files and looks up hosts in the same threads as it computes hashes.
  const { HASH_CONCURRENCY: hashes = 0, UV_THREADPOOL_SIZE: threads = DEFAULT_POOL_THREADS } =
    values;
  if (hashes > threads - SPARE_THREADS) {
    yield `HASH_CONCURRENCY leaves too few threads: set UV_THREADPOOL_SIZE to at least ${hashes + SPARE_THREADS}`;
  }
}

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

const MAX_PROXIES = 10;
const PROXY_GROUPS: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

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
