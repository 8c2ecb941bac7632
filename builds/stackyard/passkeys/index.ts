/// <reference types="node" />
// Passkeys for the accounts of stackyard/account-core. Import from this file: the others may be arranged differently in a later
// version; browser.ts is for pages. The line above finds the types of Node in projects whose tsconfig.json lists other `types`.

import type { AccountModule } from '../account-core/index.js';
import { createSql, type PgPool, type SqliteDatabase } from '../sql/index.js';
import { describePasskeys, passkeyRoutes } from './routes.js';
import { createPasskeyStore, passkeyMigrations } from './store.js';

export { passkeyMigrations } from './store.js';

export interface PasskeysOptions {
  /** `database` of the build that is the database. */
  readonly database: () => SqliteDatabase | PgPool;
  /** `accountModule` of the build that is the accounts. */
  readonly account: AccountModule;
  /** What authenticators show. Default: the domain. */
  readonly rpName?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A `Module` of src/module.ts in a foundation. It adds its routes to those of the accounts, below `/auth/passkeys`. */
export interface PasskeysModule {
  readonly name: 'passkeys';
  readonly migrations: readonly unknown[];
  checkSettings(env: Environment): readonly { readonly name: string; readonly message: string }[];
  /** Throws `RangeError` where a variable cannot be used. */
  start(host: { readonly env: Environment }): Promise<void>;
  stop(): void;
  /** Whether the account can log in with a passkey: `otherWaysIn` of stackyard/social-login. */
  hasPasskey(userId: number): Promise<boolean>;
}

/** The module of passkeys, to stand in the list of modules behind the database and the accounts. */
export function createPasskeysModule({ database, account, rpName }: PasskeysOptions): PasskeysModule {
  const store = createPasskeyStore(createSql(database));
  let forget = (): void => {};
  return {
    name: 'passkeys',
    migrations: passkeyMigrations,
    checkSettings: (env) => readSettings(env).problems,
    async start({ env }) {
      const { rpId, origins, problems } = readSettings(env);
      if (problems.length > 0) throw new RangeError(problems.map(({ name, message }) => `${name}: ${message}`).join('\n'));
      const accounts = await account.accounts();
      accounts.addRoutes(passkeyRoutes({ accounts, store, rpId, origins, rpName: rpName ?? rpId }), describePasskeys());
      forget = accounts.onUserDeleted(({ id }) => store.removeUser(id));
    },
    stop() {
      forget();
    },
    hasPasskey: async (userId) => (await store.list(userId)).length > 0,
  };
}

/** Pages of servers for development. */
const DEVELOPMENT_ORIGINS = ['http://localhost:3000', 'http://localhost:5173'];

// The pages at APP_URL and those of PASSKEY_ORIGINS; PASSKEY_RP_ID is a domain that all their hosts are, or are below.
function readSettings(env: Environment) {
  // Exactly these modes: a server with any other NODE_ENV, or without one, may be one that strangers can reach.
  const isOpen = env['NODE_ENV'] === 'development' || env['NODE_ENV'] === 'test';
  const problems: { name: string; message: string }[] = [];
  const listOf = (name: string) => (env[name] ?? '').split(',').map((text) => text.trim()).filter((text) => text !== '');
  const origins: string[] = [];
  const hosts: string[] = [];
  const read = (name: string, texts: readonly string[]): void => {
    for (const text of texts) {
      const url = tryParse(text);
      if (url?.protocol === 'https:' || (url?.protocol === 'http:' && url.hostname === 'localhost')) {
        origins.push(url.origin);
        hosts.push(url.hostname);
        // The form in which Android names an application.
      } else if (name === 'PASSKEY_ORIGINS' && text.startsWith('android:apk-key-hash:')) origins.push(text);
      else problems.push({ name, message: 'use absolute URLs with https, such as "https://app.example.com", or http://localhost: browsers have passkeys on no others' });
    }
  };
  const appUrl = (env['APP_URL'] ?? '').trim();
  if (appUrl === '' && !isOpen) problems.push({ name: 'APP_URL', message: 'is not set: passkeys are for one site. Use its address, such as "https://app.example.com"' });
  read('APP_URL', appUrl === '' ? DEVELOPMENT_ORIGINS : [appUrl]);
  read('PASSKEY_ORIGINS', listOf('PASSKEY_ORIGINS'));
  const rpId = (env['PASSKEY_RP_ID'] ?? '').trim() || hosts[0] || '';
  if (problems.length === 0 && hosts.some((host) => host !== rpId && !host.endsWith(`.${rpId}`))) {
    problems.push({ name: 'PASSKEY_RP_ID', message: 'use the domain that all hosts of APP_URL and PASSKEY_ORIGINS are, or are below, such as "example.com"' });
  }
  return { rpId, origins, problems };
}

function tryParse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
