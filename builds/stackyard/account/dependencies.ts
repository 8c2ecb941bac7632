// What the routes work with, once the defaults are filled in.

import type { AccountLog } from './account-log.js';
import type { AccountEventListener } from './events.js';
import type { Passwords } from './passwords.js';
import type { Throttle } from './throttle.js';
import type { Tokens } from './tokens.js';
import type { UserStore } from './users.js';

export interface AccountDependencies {
  readonly users: UserStore;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
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

/** A further rule for new passwords: a message for people when it is broken, else `undefined`. */
export type PasswordRule = (
  password: string,
  email: string,
) => string | undefined | Promise<string | undefined>;
