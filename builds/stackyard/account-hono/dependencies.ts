// What the routes work with, and the defaults of what the host need not give.

import type { AccountLog } from './account-log.js';
import type { AccountEventListener } from './events.js';
import type { Passwords } from './passwords.js';
import type { SessionStore } from './sessions.js';
import { noThrottle, type Throttle } from './throttle.js';
import type { Tokens } from './tokens.js';
import type { UserStore } from './users.js';

export interface AccountRouterOptions {
  readonly users: UserStore;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  /** Where sessions are listed. Without it the routes `/sessions` do not exist. */
  readonly sessions?: SessionStore | undefined;
  /** Default: none. */
  readonly throttle?: Throttle;
  /** Takes events for an audit log or for metrics. */
  readonly onEvent?: AccountEventListener;
  /** `console`, or a pino logger. Default: `console`. */
  readonly log?: AccountLog;
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** `realm` of the challenges. Default: `account`. */
  readonly realm?: string;
  /** Longest body, in bytes. Default: 16384. */
  readonly maxBodyBytes?: number;
  /** Highest age of a token that may delete an account, in seconds. Default: 900. */
  readonly recentLoginSeconds?: number;
  /** A further rule for new passwords, such as a list of common ones. */
  readonly refusePassword?: PasswordRule;
}

export interface AccountDependencies {
  readonly users: UserStore;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  readonly sessions: SessionStore | undefined;
  readonly throttle: Throttle;
  readonly onEvent: AccountEventListener;
  readonly log: AccountLog;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
  readonly realm: string;
  readonly maxBodyBytes: number;
  readonly recentLoginSeconds: number;
  readonly refusePassword: PasswordRule;
}

/** A further rule for new passwords: returns a message for people where the password breaks it, else `undefined`. */
export type PasswordRule = (
  password: string,
  email: string,
) => string | undefined | Promise<string | undefined>;

export const DEFAULT_REALM = 'account';
const DEFAULT_MAX_BODY_BYTES = 16_384;
const DEFAULT_RECENT_LOGIN_SECONDS = 900;

/** The options of the host with the defaults filled in. */
export function createDependencies(options: AccountRouterOptions): AccountDependencies {
  return {
    users: options.users,
    tokens: options.tokens,
    passwords: options.passwords,
    sessions: options.sessions,
    throttle: options.throttle ?? noThrottle,
    onEvent: options.onEvent ?? (() => {}),
    log: options.log ?? console,
    now: options.now ?? Date.now,
    realm: options.realm ?? DEFAULT_REALM,
    maxBodyBytes: options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
    recentLoginSeconds: options.recentLoginSeconds ?? DEFAULT_RECENT_LOGIN_SECONDS,
    refusePassword: options.refusePassword ?? (() => undefined),
  };
}
