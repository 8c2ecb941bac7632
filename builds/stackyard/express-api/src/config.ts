// The environment variables of the server, with those of .env, and the only place that reads them.

import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { z } from 'zod';

/** The longest time that Node's timers accept, in milliseconds. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

const Milliseconds = z.coerce.number().int().min(0).max(MAX_TIMEOUT_MS);

const Config = z
  .object({
    // Unset is a server that strangers may reach. `npm run dev` sets development.
    NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
    /** Address to listen on; all interfaces when absent. */
    HOST: z.string().optional(),
    /** 0 lets the system choose a free port. */
    PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    // A size that the parser cannot read would mean no limit at all.
    BODY_LIMIT: z
      .string()
      .regex(/^\d+(?:\.\d+)?(?:b|kb|mb|gb)$/i, 'Expected a size such as 100kb')
      .default('100kb'),
    /** Number of trusted reverse proxies in front of the server. */
    TRUST_PROXY: z.coerce.number().int().min(0).default(0),
    CORS_ORIGINS: z
      .string()
      .transform(splitList)
      .refine((origins) => origins.every(isOrigin), 'Expected origins such as https://app.example')
      .default([]),
    /** Whether pages of CORS_ORIGINS may send cookies. */
    CORS_CREDENTIALS: z.stringbool().default(false),
    /** Whether /docs and /openapi.json are served. */
    DOCS: z.stringbool().optional(),
    /** How long to go on accepting connections after a signal, with 503 from /ready. */
    SHUTDOWN_DELAY_MS: Milliseconds.default(0),
    SHUTDOWN_TIMEOUT_MS: Milliseconds.default(10_000),
    // Longer than a load balancer keeps an idle connection, else requests meet connections that were just closed.
    KEEP_ALIVE_TIMEOUT_MS: Milliseconds.default(65_000),
    /** Time for the headers of a request; 0 is no limit, as for the whole request. */
    HEADERS_TIMEOUT_MS: Milliseconds.default(60_000),
    REQUEST_TIMEOUT_MS: Milliseconds.default(300_000),
  })
  .refine(({ HEADERS_TIMEOUT_MS: headers, REQUEST_TIMEOUT_MS: all }) => all === 0 || headers <= all, {
    path: ['HEADERS_TIMEOUT_MS'],
    message: 'Expected no more than REQUEST_TIMEOUT_MS',
  })
  .transform((config) => ({ ...config, DOCS: config.DOCS ?? config.NODE_ENV !== 'production' }));

export type Config = Readonly<z.infer<typeof Config>>;

/** Variables of the environment are missing or wrong. The message names each of them and shows no values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * The configuration in `env`, where an empty value counts as absent. Throws `ConfigError`.
 * @param others problems of other variables, which belong in the same list
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env, others: readonly string[] = []): Config {
  const present = Object.entries(env).filter(([, value]) => value?.trim());
  const { data, error } = Config.safeParse(Object.fromEntries(present));
  const own = error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? [];
  const problems = [...own, ...others];
  if (data !== undefined && problems.length === 0) return data;
  throw new ConfigError(['Invalid environment variables:', ...problems.map((text) => `  ${text}`)].join('\n'));
}

/** Adds the variables of the file to `env`, which keeps those that it has. Throws `ConfigError`. */
export function loadEnvFile(env: NodeJS.ProcessEnv, file = '.env'): void {
  if (!existsSync(file)) return;
  const text = decode(readFileSync(file));
  // A file in UTF-16 has a zero beside each letter.
  if (text === undefined || text.includes('\0')) throw new ConfigError(`Cannot read ${file}: save it as UTF-8`);
  for (const [name, value] of Object.entries(parseEnv(text))) env[name] ??= value;
}

/** Without the byte order mark that editors on Windows write. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function splitList(text: string): string[] {
  return text.split(',').flatMap((item) => item.trim() || []);
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
