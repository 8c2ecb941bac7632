/// <reference types="node" />
// Login by Google, GitHub and OpenID providers for the accounts of stackyard/account-core. Import from this file: the others may be
// arranged differently in a later version. The line above finds the types of Node in projects whose tsconfig.json lists other `types`.

import type { AccountLog, AccountModule } from '../account-core/index.js';
import { createSql, type PgPool, type SqliteDatabase } from '../sql/index.js';
import { fetchPages, nodePages, PREFIX, type SocialDependencies } from './pages.js';
import { createProvider } from './providers.js';
import { describePages, describeSocial, socialRoutes } from './routes.js';
import { type Environment, type Problem, readSettings } from './settings.js';
import { createSocialStore, socialLoginMigrations } from './store.js';

export { socialLoginMigrations } from './store.js';
export type { SocialFault } from './pages.js';

export interface SocialLoginOptions {
  /** `database` of the build that is the database. */
  readonly database: () => SqliteDatabase | PgPool;
  /** `accountModule` of the build that is the accounts. */
  readonly account: AccountModule;
  /** Whether the account has another way in, such as a passkey, so that its last identity may be removed. Default: none has. */
  readonly otherWaysIn?: (userId: number) => Promise<boolean>;
  /** The page of the login, for people who come back from a provider without an attempt. Default: `/login`. */
  readonly loginPath?: string;
  /** How long each answer of a provider may take. Default: 10. */
  readonly timeoutSeconds?: number;
}

/** A `Module` of src/module.ts in a foundation. */
export interface SocialLoginModule {
  readonly name: 'social-login';
  readonly migrations: readonly unknown[];
  checkSettings(env: Environment): readonly Problem[];
  /** Asks no provider: one that is down keeps nothing from starting. Throws `RangeError` where a variable cannot be used. */
  start(host: { readonly env: Environment; readonly log: Pick<AccountLog, 'warn'> }): Promise<void>;
  stop(): void;
  readonly routes: readonly [{
    readonly prefix: string;
    readonly node: ReturnType<typeof nodePages>;
    readonly fetch: ReturnType<typeof fetchPages>;
    readonly openapi: ReturnType<typeof describePages>;
  }];
}

/** The module of social login, to stand in the list of modules behind the database and the accounts. */
export function createSocialLoginModule({ database, account, ...options }: SocialLoginOptions): SocialLoginModule {
  const { otherWaysIn = async () => false, loginPath = '/login', timeoutSeconds = 10 } = options;
  const store = createSocialStore(createSql(database));
  let social: SocialDependencies | undefined;
  let forget = (): void => {};
  const open = () => social;
  return {
    name: 'social-login',
    migrations: socialLoginMigrations,
    checkSettings: (env) => readSettings(env).problems,
    async start({ env, log }) {
      const { providers, appUrl, problems } = readSettings(env);
      if (problems.length > 0) throw new RangeError(problems.map(({ name, message }) => `${name}: ${message}`).join('\n'));
      const accounts = await account.accounts();
      social = {
        accounts, store, appUrl, loginPath, otherWaysIn,
        log: { warn: (message) => log.warn(message) },
        providers: new Map(providers.map((settings) => [settings.name, createProvider(settings, timeoutSeconds)])),
      };
      accounts.addRoutes(socialRoutes(social), describeSocial());
      forget = accounts.onUserDeleted(({ id }) => store.removeUser(id));
    },
    stop() {
      forget();
      social = undefined;
    },
    routes: [{ prefix: PREFIX, node: nodePages(open), fetch: fetchPages(open), openapi: describePages() }],
  };
}
