// The forms that values of environment variables have. No message holds a value.

import { isIP } from 'node:net';
import { z } from 'zod';
import { type DatabaseConfig, parseDatabaseUrl } from './database-url.ts';

const MAX_PROXIES = 10;
const PROXY_GROUPS: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** A number from `min` to `max`. */
// Not `Number` or `parseInt` alone: they read 1e3, 0x10 and 60s as numbers.
export function wholeNumber(min: number, max: number, example: number) {
  const message = `use a whole number from ${min} to ${max}, such as "${example}"`;
  return z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,8})$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** `0` or `1`, as it is. */
export function zeroOrOne() {
  return z.enum(['0', '1'], 'use "0" or "1"');
}

/** `on` or `off`, as a boolean. */
export function onOrOff() {
  return z.enum(['on', 'off'], 'use "on" or "off"').transform((text) => text === 'on');
}

/** The database of DATABASE_URL. */
export function readDatabaseUrl(text: string, context: z.RefinementCtx): DatabaseConfig {
  try {
    return parseDatabaseUrl(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : '' });
    return z.NEVER;
  }
}

/** The secrets of JWT_SECRET_PREVIOUS. */
// One secret, or a JSON array: a separator would split a secret that holds it.
export function readPreviousSecrets(text: string, context: z.RefinementCtx): string[] {
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
export function readTrustProxy(text: string, context: z.RefinementCtx): number | string[] {
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
