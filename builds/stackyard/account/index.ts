/// <reference types="node" />
// The public names of this folder. Import from here: the other files may be arranged differently in a later version.
// The line above finds the types of Node in projects whose tsconfig.json lists other `types`.

export { type Account, type AccountOptions, createAccount } from './account.js';
export { AccountError, type AccountErrorCode, type Issue } from './account-error.js';
export type { AccountLog } from './account-log.js';
export { type AccountRouterOptions, createAccountRouter } from './account-router.js';
export { type AuthUser, currentUser } from './auth-user.js';
export { answerBodyErrors } from './body-errors.js';
export {
  type AccountConfig,
  AccountConfigError,
  type ConfigNotice,
  type ConfigProblem,
  readAccountConfig,
} from './config.js';
export { readAccountConfigOrExit } from './config-or-exit.js';
export type { PasswordRule } from './dependencies.js';
export { normalizeEmail } from './email-address.js';
export type { AccountEvent, AccountEventListener, AccountEventType } from './events.js';
export { createMemoryThrottle, type MemoryThrottleOptions } from './memory-throttle.js';
export { accountMigrations } from './migrations.js';
export { createPasswords, type PasswordCheck, type PasswordOptions, type Passwords } from './passwords.js';
export { createRequireAuth, type RequireAuthOptions } from './require-auth.js';
export { createSqliteUserStore } from './sqlite-users.js';
export { type Attempt, noThrottle, type Throttle } from './throttle.js';
export type { TokenClaims } from './token-claims.js';
export { createTokens, type TokenOptions, type Tokens } from './tokens.js';
export {
  type NewUser,
  type StoredUser,
  type TokenOwner,
  toUser,
  type User,
  type UserStore,
} from './users.js';
