/// <reference types="node" />
// The public names of this folder. Import from here: the other files may be arranged differently in a later version.
// The line above finds the types of Node in projects whose tsconfig.json lists other `types`.

export { BODY_FAULT, bodyReader, newEmail, newPassword, normalizeEmail } from './bodies.js';
export * from './config.js';
export type { CookieMode, CookieOptions, Sender } from './cookie.js';
export {
  type AccountDependencies, type AccountEvent, type AccountEventListener, type AccountEventType, type AccountHandler,
  type AccountRequest, type AccountRoute, type AccountsOptions, admit, authenticate, type AuthUser, createDependencies,
  identify, type PasswordRule, reportEvent, type RouteOptions, throttled, type UserDeletedListener,
} from './core.js';
export {
  type AccountAnswer, AccountError, type AccountErrorCode, type AccountLog, emptyAnswer, invalidRequest, type Issue, jsonAnswer,
  logError,
} from './errors.js';
export type { ContextHandler, FetchHandler, FetchInfo, HostContext } from './fetch-adapter.js';
export * from './module.js';
export { answerBodyErrors, type NextHandler, type NodeHandler } from './node-adapter.js';
export { object, type OpenApiPart, operation, ref } from './openapi.js';
export { createPasswords, type PasswordCheck, type PasswordOptions, type Passwords } from './passwords.js';
export type { FoundUser, SecondFactor, SignedIn, SignIn, SignInRequest } from './sign-in.js';
export * from './store.js';
export { type Attempt, createMemoryThrottle, type MemoryThrottleOptions, noThrottle, type Throttle } from './throttle.js';
export { createTokens, type TokenClaims, type TokenOptions, type Tokens } from './tokens.js';
