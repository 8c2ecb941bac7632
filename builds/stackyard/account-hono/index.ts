/// <reference types="node" />
// The public names of this folder. Import from here: the other files may be arranged differently in a later version.
// The line above finds the types of Node in projects whose tsconfig.json lists other `types`.

export { type Account, createAccount } from './account.js';
export type { AccountOptions } from './account-defaults.js';
export { AccountError, type AccountErrorCode, type Issue } from './account-error.js';
export type { AccountLog } from './account-log.js';
export { createAccountRouter } from './account-router.js';
export { type AuthEnv, currentUser } from './auth-user.js';
export type { AuthUser } from './authenticate.js';
export {
  type AccountConfig,
  AccountConfigError,
  type ConfigNotice,
  type ConfigProblem,
  readAccountConfig,
} from './config.js';
export { readAccountConfigOrExit } from './config-or-exit.js';
export type { AccountDependencies, AccountRouterOptions, PasswordRule } from './dependencies.js';
export { normalizeEmail } from './email-address.js';
export type { AccountEvent, AccountEventListener, AccountEventType } from './events.js';
export { createMemoryThrottle, type MemoryThrottleOptions } from './memory-throttle.js';
export { accountMigrations } from './migrations.js';
export { createPasswords, type PasswordCheck, type PasswordOptions, type Passwords } from './passwords.js';
export type { OpenRecovery, RecoveryPurpose, RecoveryStore } from './recoveries.js';
export { createRecovery, createRecoveryRouter, type Recovery } from './recovery.js';
export type { RecoveryOptions, RecoveryRouterOptions, SendMail } from './recovery-dependencies.js';
export type { RecoveryLink, RecoveryMail } from './recovery-mail.js';
export { createRequireAuth, type RequireAuthOptions } from './require-auth.js';
export type { SessionStore, StoredSession } from './sessions.js';
export { createSqliteRecoveryStore } from './sqlite-recoveries.js';
export { createSqliteSessionStore } from './sqlite-sessions.js';
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
