// Puts the parts together: the accounts of an application for every host, and the module that a foundation reads.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkAccountSettings, AccountConfigError, type AccountConfig, type ConfigProblem, type Environment, readAccountConfig } from './config.js';
import type { Sender } from './cookie.js';
import {
  type AccountDependencies, type AccountRoute, type AccountsOptions, type AuthUser, createChallenges, createDependencies, DEFAULT_REALM,
  identify, type IdentifyOptions, type RouteOptions, RouteTable, type UserDeletedListener,
} from './core.js';
import { type AccountLog, jsonAnswer } from './errors.js';
import { type ContextHandler, createContextHandler, createFetchHandler, type FetchHandler, type HostContext, protectContext } from './fetch-adapter.js';
import { createNodeHandler, type HostRequest, type NextHandler, type NodeHandler, protectNode } from './node-adapter.js';
import { describeLogin, describeRoutes, type OpenApiPart } from './openapi.js';
import { createPasswords, type Passwords } from './passwords.js';
import { accountRoutes } from './routes.js';
import { createSignIn, type SignIn } from './sign-in.js';
import type { AccountStore } from './store.js';
import { createMemoryThrottle, noThrottle } from './throttle.js';
import { createTokens, type TokenOptions } from './tokens.js';

/** Protects a route, as middleware of Express and connect and as middleware of Hono: its arguments tell which. */
export interface RequireAuth {
  (c: HostContext, next: () => Promise<void>): Promise<Response | void>;
  (req: IncomingMessage, res: ServerResponse, next: NextHandler): void;
}

export interface Accounts extends SignIn {
  /** What the routes work with. */
  readonly dependencies: AccountDependencies;
  /** For Express, connect and node:http, below the prefix: `app.use('/auth', accounts.node)`. */
  readonly node: NodeHandler;
  /** For hosts of the web standard. */
  readonly fetch: FetchHandler;
  /** For Hono: `app.use('/auth/*', accounts.context('/auth'))`. */
  context(prefix: string): ContextHandler;
  readonly requireAuth: RequireAuth;
  readonly openapi: OpenApiPart;
  /** Calls `listener` after an account was deleted. Returns what ends that. */
  onUserDeleted(listener: UserDeletedListener): () => void;
  /** Adds routes beside those of accounts, such as those of stackyard/account-recovery. */
  addRoutes(routes: readonly AccountRoute[], openapi?: OpenApiPart): void;
}

/** Accounts in a store. */
export function createAccounts(options: AccountsOptions): Accounts {
  const dependencies = createDependencies(options);
  const table = new RouteTable();
  const openapi = describeRoutes(dependencies.sessions !== undefined);
  // For front ends: where OpenAPI is off, as in production, they see here what is installed.
  const features = { GET: async () => jsonAnswer(200, { paths: Object.keys(openapi.paths) }) };
  table.add([...accountRoutes(dependencies), { path: '/features', handlers: features }]);
  return {
    dependencies,
    node: createNodeHandler(dependencies, table),
    fetch: createFetchHandler(dependencies, table),
    context: (prefix) => createContextHandler(dependencies, table, prefix),
    requireAuth: createRequireAuth(dependencies),
    openapi,
    ...createSignIn(dependencies),
    addSecondFactor(factor) {
      dependencies.secondFactors.add(factor);
      openapi.paths['/login'] = describeLogin(true);
    },
    onUserDeleted(listener) {
      dependencies.deletedListeners.add(listener);
      return () => void dependencies.deletedListeners.delete(listener);
    },
    addRoutes(routes, { paths, schemas } = { paths: {}, schemas: {} }) {
      table.add(routes);
      Object.assign(openapi.paths, paths);
      Object.assign(openapi.schemas, schemas);
    },
  };
}

export interface RequireAuthOptions extends IdentifyOptions {
  /** `realm` of the challenges. Default: `account`. */
  readonly realm?: string;
}

/** Lets requests with a valid token through, answers others with 401, passes other errors on to the host. */
export function createRequireAuth(options: RequireAuthOptions): RequireAuth {
  return createProtection((request) => identify(request, options), options.realm);
}

/** Lets requests through that `find` finds the user of, and answers the `AccountError`s that it throws. */
export function createProtection(find: (request: Sender) => Promise<AuthUser>, realm = DEFAULT_REALM): RequireAuth {
  const onNode = protectNode(find, realm);
  const onContext = protectContext(find, realm);
  const protect = (...args: readonly [HostContext, () => Promise<void>] | readonly [IncomingMessage, ServerResponse, NextHandler]) =>
    args.length === 3 ? onNode(...args) : onContext(...args);
  return protect as RequireAuth;
}

/** The user of a request or context behind `requireAuth`. Throws `TypeError` on a route that it does not protect. */
export function currentUser(host: object): AuthUser {
  const { get, user } = host as Partial<Pick<HostContext, 'get'> & Pick<HostRequest, 'user'>>;
  // A request of Express has a method `get` as well, for headers.
  const found = user ?? ('req' in host && get ? get.call(host, 'user') : undefined);
  if (found) return found as AuthUser;
  throw new TypeError('Cannot read the current user: add "requireAuth" to the route, before this handler');
}

/** What an application may choose. */
export interface ModuleOptions extends RouteOptions, Pick<TokenOptions, 'previousSecrets' | 'issuer' | 'audience'> {
  /** Default: `createPasswords()`. */
  readonly passwords?: Passwords;
  /** Whether sessions are listed. Default: true. */
  readonly sessions?: boolean;
}

/** Accounts with the defaults of `config`: HS256, scrypt, and in production a throttle. Logs what is wrong with it. */
export function createConfiguredAccounts(store: AccountStore, config: AccountConfig, options: ModuleOptions = {}): Accounts {
  const { passwords = createPasswords(), log = console, now = Date.now } = options;
  const { secret, ttlSeconds, production, notices } = config;
  for (const { level, message } of notices) log[level](message);
  const reason = notices.find(({ level }) => level === 'error')?.message;
  const tokens = createTokens({ ...options, secret, ttlSeconds, reason });
  const challenges = createChallenges({ secret, previousSecrets: options.previousSecrets ?? [], now });
  const { cookie } = options;
  const mode = cookie === false ? cookie : { always: cookie === true, secure: production, ...(cookie !== true && cookie) };
  const throttle = options.throttle ?? (production ? createMemoryThrottle({ now }) : noThrottle);
  return createAccounts({ ...options, store, tokens, challenges, passwords, throttle, cookie: mode });
}

export interface AccountModuleOptions {
  /** One element for each list of migrations, for the module that is the database. */
  readonly migrations?: readonly unknown[];
  /** Called once, at the start or at the first request. */
  readonly openStore: () => AccountStore | Promise<AccountStore>;
}

/** The part of `ModuleHost` of a foundation that is used here. */
export interface AccountHost {
  readonly env: Environment;
  readonly log: { warn(message: string): void; error(message: string): void; error(fields: object, message: string): void };
}

/** A `Module` of src/module.ts in a foundation. In other projects `node` and `context` are mounted. */
export interface AccountModule {
  readonly name: 'account';
  readonly migrations: readonly unknown[];
  checkSettings(env: Environment): readonly ConfigProblem[];
  start(host: AccountHost): Promise<void>;
  /** Forgets the accounts: the module of the database closes what they are stored in. */
  stop(): void;
  readonly routes: readonly [{ readonly prefix: string; readonly node: NodeHandler; readonly fetch: FetchHandler; readonly openapi: OpenApiPart }];
  /** Sets options, before the start: `modules` of an application calls it. Returns the module. */
  configure(options: ModuleOptions): AccountModule;
  /** The accounts, opened with `process.env` where nothing has started them. Rejects where a variable or the store is wrong. */
  accounts(): Promise<Accounts>;
  /** Calls `use` with the accounts once they are open. For builds that add routes. */
  onOpen(use: (accounts: Accounts) => void): void;
  /** For projects without a foundation, where routes are mounted. Throws `AccountConfigError` where a variable is wrong or missing. */
  assertSettings(env: Environment): void;
  readonly node: NodeHandler;
  readonly context: ContextHandler;
  readonly requireAuth: RequireAuth;
  onUserDeleted(listener: UserDeletedListener): () => void;
}

const PREFIX = '/auth';

/** The module of accounts in a store, below `/auth`. Nothing is read or opened before the start, or the first request. */
export function createAccountModule({ migrations = [], openStore }: AccountModuleOptions): AccountModule {
  let options: ModuleOptions = {};
  let opening: Promise<Accounts> | undefined;
  let opened: Accounts | undefined;
  const users: ((accounts: Accounts) => void)[] = [];
  const listeners = new Set<UserDeletedListener>();

  async function open(env: Environment, log?: AccountLog): Promise<Accounts> {
    const accounts = createConfiguredAccounts(await openStore(), readAccountConfig(env), { ...(log && { log }), ...options });
    accounts.onUserDeleted(async (user) => {
      for (const listener of listeners) await listener(user);
    });
    for (const use of users) use(accounts);
    opened = accounts;
    return accounts;
  }

  function accounts(env: Environment = process.env, log?: AccountLog): Promise<Accounts> {
    opening ??= open(env, log).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  const node: NodeHandler = (req, res, next) => {
    if (opened) opened.node(req, res, next);
    else accounts().then((ready) => ready.node(req, res, next), next);
  };
  const fetch: FetchHandler = async (request, info) => (opened ?? (await accounts())).fetch(request, info);
  const find = async (request: Sender) => identify(request, (opened ?? (await accounts())).dependencies);
  const module: AccountModule = {
    name: 'account',
    migrations,
    checkSettings: checkAccountSettings,
    async start({ env, log }) {
      const error = (message: string, about?: unknown) => (about === undefined ? log.error(message) : log.error({ err: about }, message));
      await accounts(env, { warn: (message) => log.warn(message), error });
    },
    stop() {
      opening = opened = undefined;
    },
    routes: [
      {
        prefix: PREFIX,
        node,
        fetch,
        get openapi() {
          return opened?.openapi ?? describeRoutes(options.sessions !== false);
        },
      },
    ],
    configure(given) {
      options = { ...options, ...given };
      return module;
    },
    accounts: () => accounts(),
    onOpen(use) {
      users.push(use);
      if (opened) use(opened);
    },
    assertSettings(env) {
      const problems = checkAccountSettings(env);
      if (problems.length > 0) throw new AccountConfigError(problems);
    },
    node,
    context: async (c, next) => (opened ?? (await accounts())).context(PREFIX)(c, next),
    requireAuth: createProtection(find),
    onUserDeleted(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return module;
}
