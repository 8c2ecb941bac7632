// The one instance of better-auth of an application: made at its first use, checked, and its tables created.

import { setTimeout as sleep } from 'node:timers/promises';
import type { betterAuth, BetterAuthOptions } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';

type Auth = ReturnType<typeof betterAuth<BetterAuthOptions>>;
export type AuthLog = { info(message: string): void };

let make: (() => unknown) | undefined;
let made: unknown;
let opening: Promise<Auth> | undefined;

/**
 * Calls `create` at the first use: an import of src/auth.ts opens no database and reads no variable, so that a host can
 * load `.env` before, and build without secrets.
 */
export function defineAuth<Instance extends object>(create: () => Instance): Instance {
  make = create;
  forgetAuth();
  const get = () => currentAuth() as unknown as Instance;
  return new Proxy({} as Instance, {
    get: (_, key) => Reflect.get(get(), key),
    has: (_, key) => Reflect.has(get(), key),
    // The program of the library copies what it finds.
    ownKeys: () => Reflect.ownKeys(get()),
    getOwnPropertyDescriptor: (_, key) => ({ value: Reflect.get(get(), key), enumerable: true, configurable: true }),
  });
}

/** The instance, which may not have its tables yet. */
export function currentAuth(): Auth {
  if (make === undefined) throw new Error('Cannot find the accounts: import src/auth.ts, which calls defineAuth()');
  return (made ??= make()) as Auth;
}

/** The instance with its tables. Rejects where an option is wrong or the database down; the next call tries again. */
export function openAuth(log: AuthLog = console): Promise<Auth> {
  opening ??= open(log).catch((error: unknown) => {
    forgetAuth();
    throw error;
  });
  return opening;
}

/** The next use makes another one. */
export const forgetAuth = (): void => void (made = opening = undefined);

async function open(log: AuthLog): Promise<Auth> {
  const auth = currentAuth();
  const { options } = await auth.$context;
  checkOptions(options);
  // Drizzle and Prisma have migrations of their own.
  if (typeof options.database !== 'function') await createTables(auth.options, log);
  return auth;
}

/** Finds what the library accepts without a warning, and fails at later. */
function checkOptions(options: BetterAuthOptions): void {
  const { emailAndPassword, emailVerification, socialProviders, trustedOrigins } = options;
  const report = (what: string) => { throw new Error(`Cannot start the accounts: in src/auth.ts ${what}`); };
  const isLocked = emailAndPassword?.requireEmailVerification && !emailVerification?.sendVerificationEmail;
  if (isLocked) report('"requireEmailVerification" is true, and there is no "sendVerificationEmail"');
  for (const [name, provider] of Object.entries(socialProviders ?? {})) {
    if (typeof provider !== 'object' || provider.enabled === false) continue;
    const missing = ['clientId', 'clientSecret'].filter((key) => !(provider as Record<string, unknown>)[key]);
    if (missing.length > 0) report(`"socialProviders.${name}" has no ${missing.join(' and ')}`);
  }
  const wrong = Array.isArray(trustedOrigins) && trustedOrigins.find((origin) => !origin.includes('://'));
  if (wrong) report(`"trustedOrigins" has "${wrong}", which is no origin such as https://app.example.com`);
}

/** Adds tables and columns that are missing. Of processes that start at once, one creates them, others try again. */
async function createTables(options: BetterAuthOptions, log: AuthLog): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { toBeCreated, toBeAdded, runMigrations } = await getMigrations(options);
    const changes = [...toBeCreated, ...toBeAdded].map(({ table }) => `"${table}"`);
    try {
      await runMigrations();
      if (changes.length > 0) log.info(`better-auth created or extended the tables ${changes.join(', ')}`);
      return;
    } catch (error) {
      if (attempt === 5) throw error;
      await sleep(100 * attempt);
    }
  }
}
