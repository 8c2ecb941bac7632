/// <reference types="node" />
// A second factor by one-time codes for the accounts of stackyard/account-core. Import from this file: the others may be arranged
// differently in a later version. The line above finds the types of Node in projects whose tsconfig.json lists other `types`.

import type { AccountModule } from '../account-core/index.js';
import { createSql, type PgPool, type SqliteDatabase } from '../sql/index.js';
import { describeTotp, isEnabled, totpRoutes } from './routes.js';
import { createTotpStore, totpMigrations } from './store.js';
import { createSecretBox } from './totp.js';

export { totpMigrations } from './store.js';

export interface TotpOptions {
  /** `database` of the build that is the database. */
  readonly database: () => SqliteDatabase | PgPool;
  /** `accountModule` of the build that is the accounts. */
  readonly account: AccountModule;
  /** What apps show beside the address. Default: the host in `APP_URL`, or `localhost`. */
  readonly issuer?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A `Module` of src/module.ts in a foundation. It adds its routes to those of the accounts, below `/auth/totp`. */
export interface TotpModule {
  readonly name: 'totp';
  readonly migrations: readonly unknown[];
  checkSettings(env: Environment): readonly { readonly name: string; readonly message: string }[];
  /** Throws `RangeError` where `TOTP_KEY` cannot be used. */
  start(host: { readonly env: Environment }): Promise<void>;
  stop(): void;
  /** Whether logins of the account need a code. */
  isEnabled(userId: number): Promise<boolean>;
}

/** Everybody can read this key here: what it encrypts is not secret. */
const DEVELOPMENT_KEY = 'stackyard/totp: built-in key for tests and development only';
const MIN_KEY_LENGTH = 32;

/** The module of second factors, to stand in the list of modules behind the database and the accounts. */
export function createTotpModule({ database, account, issuer }: TotpOptions): TotpModule {
  const store = createTotpStore(createSql(database));
  let forget = (): void => {};
  return {
    name: 'totp',
    migrations: totpMigrations,
    checkSettings(env) {
      const fault = findKeyFault(env);
      return fault === undefined ? [] : [{ name: 'TOTP_KEY', message: fault }];
    },
    async start({ env }) {
      const fault = findKeyFault(env);
      if (fault !== undefined) throw new RangeError(`TOTP_KEY: ${fault}`);
      const accounts = await account.accounts();
      const keys = readKeys(env);
      const box = createSecretBox(keys.length > 0 ? keys : [DEVELOPMENT_KEY]);
      accounts.addRoutes(totpRoutes({ accounts, store, box, issuer: issuer ?? hostOf(env) }), describeTotp());
      accounts.addSecondFactor({ name: 'totp', isRequired: async (userId) => isEnabled(await store.find(userId)) });
      forget = accounts.onUserDeleted(({ id }) => store.remove(id));
    },
    stop() {
      forget();
    },
    isEnabled: async (userId) => isEnabled(await store.find(userId)),
  };
}

function readKeys(env: Environment): readonly string[] {
  return (env['TOTP_KEY'] ?? '').split(',').map((key) => key.trim()).filter((key) => key !== '');
}

// Exactly these modes: a server with any other NODE_ENV, or without one, may be one that strangers can reach.
function findKeyFault(env: Environment): string | undefined {
  const keys = readKeys(env);
  const isOpen = env['NODE_ENV'] === 'development' || env['NODE_ENV'] === 'test';
  const wanted = `at least ${MIN_KEY_LENGTH} characters, such as the output of "openssl rand -hex 32"`;
  if (keys.length === 0) return isOpen ? undefined : `is not set: it encrypts the secrets of second factors. Set it to ${wanted}`;
  const short = keys.find((key) => key.length < MIN_KEY_LENGTH);
  return short === undefined ? undefined : `has a key of ${short.length} characters: use ${wanted}`;
}

function hostOf(env: Environment): string {
  try {
    return new URL(env['APP_URL'] ?? '').hostname;
  } catch {
    return 'localhost';
  }
}
