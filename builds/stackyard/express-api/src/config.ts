// The environment variables of the server, and the only place that reads them.

import { z } from 'zod';

/** The longest time that Node's timers accept, in milliseconds. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

const Config = z.object({
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
  SHUTDOWN_TIMEOUT_MS: z.coerce.number().int().min(0).max(MAX_TIMEOUT_MS).default(10_000),
  CORS_ORIGINS: z
    .string()
    .transform(splitList)
    .refine((origins) => origins.every(isOrigin), 'Expected origins such as https://app.example')
    .default([]),
});

export type Config = Readonly<z.infer<typeof Config>>;

/** Variables of the environment are missing or wrong. The message names each of them and shows no values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The configuration in `env`, where an empty value counts as absent. Throws `ConfigError`. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const present = Object.entries(env).filter(([, value]) => value?.trim());
  const result = Config.safeParse(Object.fromEntries(present));
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(['Invalid environment variables:', ...lines].join('\n'));
}

function splitList(text: string): string[] {
  return text.split(',').flatMap((item) => item.trim() || []);
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
