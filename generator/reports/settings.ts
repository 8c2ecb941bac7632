/**
 * The settings of `stackyard-registry reports`: environment variables, those of the accounts with the names that the account service has.
 * No message holds a value: a secret that was put into the wrong variable must not reach a log.
 */
import { z } from 'zod';
import { isReportAddress } from '../../format/index/registry-info.ts';
import { usageError } from '../errors.ts';

/** How reports and flags are taken. */
export interface ReportsSettings {
  /** `file:PATH` or `postgres://...`, of the account service. */
  readonly databaseUrl: string;
  /** With which the account service signs login tokens, and has signed them. */
  readonly secrets: readonly string[];
  readonly tokenIssuer: string | undefined;
  readonly tokenAudience: string | undefined;
  /** `undefined`: no export. */
  readonly exportToken: string | undefined;
  /** Folder or address of the index whose versions may be reported; `undefined` compares none. */
  readonly index: string | undefined;
  /** Where clients find the program: tokens of CI runs are for its host. Absent without issuers. */
  readonly address: string | undefined;
  /** Issuers of tokens of CI runs; empty accepts none. */
  readonly ciIssuers: readonly CiIssuer[];
  /** Proxies in front, each of which adds to `X-Forwarded-For`. */
  readonly proxies: number;
  /** Reports and flags of one account within a minute; `undefined` limits nothing. */
  readonly perMinute: number | undefined;
  /** After SIGTERM: how long connections are still accepted, and how long running requests may take. */
  readonly shutdownDelayMs: number;
  readonly shutdownTimeoutMs: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const count = (least: number, most: number) => {
  const message = `use a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^(?:0|[1-9]\d{0,8})$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message);
};

const Variables = z.object({
  NODE_ENV: z.string().optional(),
  DATABASE_URL: z
    .string('is not set: use that of the account service')
    .regex(/^(?:file:[^?]|postgres(?:ql)?:\/\/.)/, 'use "file:PATH" or "postgres://..."'),
  JWT_SECRET: z.string('is not set: use that of the account service'),
  JWT_SECRET_PREVIOUS: z.string().transform(readPreviousSecrets).optional(),
  JWT_ISSUER: z.string().optional(),
  JWT_AUDIENCE: z.string().optional(),
  REPORTS_EXPORT_TOKEN: z
    .string()
    .regex(
      /^[A-Za-z0-9._~+/=-]{32,512}$/,
      'use 32 to 512 letters and digits, such as the output of "openssl rand -hex 32"',
    )
    .optional(),
  REPORTS_INDEX: z
    .string()
    .regex(
      /^(?!https?:).|^https?:\/\/[^@?#]*[^@?#/]$/,
      'use a folder, or an address without "/" at the end',
    )
    .optional(),
  REPORTS_ADDRESS: z
    .string()
    .refine(
      isReportAddress,
      'use the https address that clients have, in lower case without "/" at the end, such as "https://reports.example"',
    )
    .optional(),
  OIDC_ISSUERS: z.string().transform(readCiIssuers).default([]),
  TRUST_PROXY: count(1, 10).optional(),
  RATE_LIMIT: z.enum(['on', 'off'], 'use "on" or "off"').optional(),
  RATE_LIMIT_PER_MINUTE: count(1, 1_000_000).default(100),
  SHUTDOWN_DELAY_MS: count(0, 600_000).default(0),
  SHUTDOWN_TIMEOUT_MS: count(1, 600_000).default(10_000),
});
type Values = z.output<typeof Variables>;

/** @throws {GeneratorError} `ERR_USAGE`, whose message lists all problems */
export function readReportsSettings(env: Environment): ReportsSettings {
  // Blank is absent. Secrets are used unchanged, spaces included.
  const given = Object.fromEntries(
    Object.keys(Variables.shape)
      .map((name) => [name, name.startsWith('JWT_SECRET') ? env[name] : env[name]?.trim()] as const)
      .filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const { data, error } = Variables.safeParse(given);
  const problems =
    data === undefined
      ? error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
      : [...checkTogether(data)];
  if (data === undefined || problems.length > 0) {
    const list = problems.join('; ');
    throw usageError('reports', `Cannot read the settings from the environment: ${list}`);
  }
  const isProduction = !isTrial(data);
  return {
    databaseUrl: data.DATABASE_URL,
    secrets: [data.JWT_SECRET, ...(data.JWT_SECRET_PREVIOUS ?? [])],
    tokenIssuer: data.JWT_ISSUER,
    tokenAudience: data.JWT_AUDIENCE,
    exportToken: data.REPORTS_EXPORT_TOKEN,
    index: data.REPORTS_INDEX,
    address: data.REPORTS_ADDRESS,
    ciIssuers: data.OIDC_ISSUERS,
    proxies: data.TRUST_PROXY ?? 0,
    perMinute:
      (data.RATE_LIMIT ?? (isProduction ? 'on' : 'off')) === 'on'
        ? data.RATE_LIMIT_PER_MINUTE
        : undefined,
    shutdownDelayMs: data.SHUTDOWN_DELAY_MS,
    shutdownTimeoutMs: data.SHUTDOWN_TIMEOUT_MS,
  };
}

/** Anything but exactly these is production, as in the account service. */
function isTrial({ NODE_ENV: mode }: Values): boolean {
  return mode === 'development' || mode === 'test';
}

function* checkTogether(values: Values): Generator<string> {
  const { OIDC_ISSUERS: issuers, REPORTS_ADDRESS: address, JWT_ISSUER: own } = values;
  if (issuers.length > 0 && address === undefined) {
    yield 'REPORTS_ADDRESS: is not set, and OIDC_ISSUERS is: tokens of CI runs are for its host alone';
  }
  if (issuers.some(({ issuer }) => issuer === own)) {
    yield 'OIDC_ISSUERS: has the issuer of the account service, JWT_ISSUER';
  }
  if (isTrial(values)) return;
  if (issuers.some(({ issuer }) => issuer.startsWith('http:'))) {
    yield 'OIDC_ISSUERS: has an issuer without TLS; use https in production';
  }
  if (address?.startsWith('http:') === true) {
    yield 'REPORTS_ADDRESS: is an address without TLS; use https in production';
  }
}

// One secret, or a JSON array: a separator would split a secret that holds it.
function readPreviousSecrets(text: string, context: z.RefinementCtx): string[] {
  if (!text.trimStart().startsWith('[')) return [text];
  const result = z.array(z.string().min(1)).safeParse(tryParseJson(text));
  if (result.success) return result.data;
  context.addIssue({ code: 'custom', message: 'use one secret, or a JSON array of strings' });
  return z.NEVER;
}

// The issuers of OpenID Connect tokens whose CI runs may report: the value of OIDC_ISSUERS.
//
//     [{ "issuer": "https://token.actions.githubusercontent.com", "kind": "github" }]

const CiIssuer = z.strictObject({
  issuer: z.string().max(200).refine(isIssuer),
  kind: z.enum(['github', 'gitlab']),
  /** Reports and flags of all repositories of this issuer within a minute. */
  per_minute: z.int().min(1).max(1_000_000).default(600),
});
/** A service of continuous integration whose runs have signed identities. */
export type CiIssuer = z.output<typeof CiIssuer>;

const MAX_ISSUERS = 20;
const CiIssuers = z
  .array(CiIssuer)
  .min(1)
  .max(MAX_ISSUERS)
  .refine((all) => new Set(all.map(({ issuer }) => hostAndPath(issuer))).size === all.length);

const FORM = `use a JSON array of at most ${MAX_ISSUERS} issuers, each once, such as [{ "issuer": "https://token.actions.githubusercontent.com", "kind": "github" }]; kind is "github" or "gitlab", an issuer has no "/" at the end`;

/** Reads OIDC_ISSUERS. The message quotes no value. */
function readCiIssuers(text: string, context: z.RefinementCtx): CiIssuer[] {
  const result = CiIssuers.safeParse(tryParseJson(text));
  if (result.success) return result.data;
  context.addIssue({ code: 'custom', message: FORM });
  return z.NEVER;
}

// Plain HTTP on the own machine only: anyone on the way could replace the keys. The text is what tokens must have as
// `iss`, so it is compared with its normal form.
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, origin, pathname } = new URL(text);
  if (`${origin}${pathname === '/' ? '' : pathname}` !== text || text.endsWith('/')) return false;
  if (!/^[A-Za-z0-9._/-]*$/.test(pathname) || !/^[a-z0-9.-]+$/.test(hostname)) return false;
  const isLoopback = hostname === '127.0.0.1' || hostname === 'localhost';
  return protocol === 'https:' || (protocol === 'http:' && isLoopback);
}

function hostAndPath(issuer: string): string {
  return issuer.replace(/^https?:\/\//, '');
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
