// Password reset and e-mail verification: a token is sent to the address of an account, and whoever reads the mail chooses
// another password, or shows that the address is theirs. A token has 256 random bits; the storage has only its SHA-256. It is
// for one purpose, one account and one address, expires, and works once.

import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  type AccountAnswer, type AccountDependencies, AccountError, type AccountHandler, type AccountRequest, type Accounts, admit,
  authenticate, type AuthUser, BODY_FAULT, bodyReader, createMemoryThrottle, createProtection, emptyAnswer, invalidRequest,
  jsonAnswer, logError, newEmail, newPassword, noThrottle, object, operation, type RecoveryPurpose, type RecoveryStore,
  reportEvent, type RequireAuth, type StoredUser, type Throttle, throttled, toUser,
} from '../account-core/index.js';
import { linkBelow, type RecoveryLink, type RecoveryMail, writeMail } from './mail.js';

/** Sends a mail, and rejects when it could not be sent. `signal` is aborted after `mailTimeoutMs`. */
export type SendMail = (mail: RecoveryMail, signal: AbortSignal) => unknown;

export interface RecoveryOptions {
  readonly sendMail: SendMail;
  /**
   * Makes the link of a mail; or the URL of the application, whose pages `reset-password` and `verify-email` get the token
   * as the query `?token=...`. It must not come from a request: a stranger would choose where the token goes.
   */
  readonly link: string | RecoveryLink;
  /** How long a password reset can be used, in seconds. Default: 1800. */
  readonly resetTtlSeconds?: number;
  /** How long the verification of an address can be used, in seconds. Default: 86400. */
  readonly verificationTtlSeconds?: number;
  /** How long `sendMail` may take before it counts as failed, in milliseconds. Default: 30000. */
  readonly mailTimeoutMs?: number;
  /**
   * Limits the mails by address of the client and by account; it must not be the throttle of the logins. Default: none
   * where the logins have none; else in memory, 20 a minute and client, and for each account 3, then with waits of 1, 2,
   * 4 ... 900 seconds, then after 10 a day one in 15 minutes.
   */
  readonly mailThrottle?: Throttle;
  /** Whether an account that registers gets the mail that verifies its address. Default: false, clients ask for it. */
  readonly verifyOnRegistration?: boolean;
}

export interface Recovery {
  /** Protects a route as `requireAuth` does, and answers 403 where the address of the account is not verified. */
  readonly requireVerified: RequireAuth;
  /** The user of a request. Throws as `authenticate` does, or with code `email_not_verified`. */
  identifyVerified(request: Pick<AccountRequest, 'authorization'>): Promise<AuthUser>;
  /** Resolves when all mails that were requested so far are sent or have failed. For the shutdown, and for tests. */
  settled(): Promise<void>;
}

export interface RecoveryDependencies extends AccountDependencies {
  readonly recoveries: RecoveryStore;
  readonly sendMail: SendMail;
  readonly makeLink: RecoveryLink;
  readonly ttlSeconds: Readonly<Record<RecoveryPurpose, number>>;
  readonly mailTimeoutMs: number;
  readonly mailThrottle: Throttle;
  /** The mails that were requested and are not finished. */
  readonly pending: Set<Promise<void>>;
}

/**
 * Adds the routes `/password-reset` and `/verification` to those of the accounts. Throws `RangeError` for an option that cannot
 * be used, `TypeError` where the store has no recovery tokens.
 */
export function createRecovery(accounts: Accounts, options: RecoveryOptions): Recovery {
  const deps = createRecoveryDependencies(accounts.dependencies, options);
  const handle =
    (answer: (deps: RecoveryDependencies, request: AccountRequest) => Promise<AccountAnswer>): AccountHandler =>
    (request) => answer(deps, request);
  accounts.addRoutes(
    [
      { path: '/password-reset', handlers: { POST: handle(requestReset) } },
      { path: '/password-reset/confirm', handlers: { POST: handle(confirmReset) } },
      { path: '/verification', handlers: { GET: handle(showVerification), POST: handle(requestVerification) } },
      { path: '/verification/confirm', handlers: { POST: handle(confirmVerification) } },
    ],
    recoveryOpenApi(),
  );
  if (options.verifyOnRegistration === true) verifyRegistered(accounts.dependencies, deps);
  const verified = (request: Pick<AccountRequest, 'authorization'>) => identifyVerified(deps, request);
  return {
    requireVerified: createProtection(verified, deps.realm),
    identifyVerified: verified,
    async settled() {
      await Promise.all(deps.pending);
    },
  };
}

const MAX_SECONDS = 31_536_000;

/** The options of the host with the defaults filled in. Throws as `createRecovery` does. */
export function createRecoveryDependencies(account: AccountDependencies, options: RecoveryOptions): RecoveryDependencies {
  const { link, resetTtlSeconds = 1800, verificationTtlSeconds = 86_400, mailTimeoutMs = 30_000 } = options;
  const { recoveries } = account.store;
  if (!recoveries) throw new TypeError('Cannot add recovery: the store of the accounts has no "recoveries"');
  checkWhole('resetTtlSeconds', resetTtlSeconds, MAX_SECONDS);
  checkWhole('verificationTtlSeconds', verificationTtlSeconds, MAX_SECONDS);
  checkWhole('mailTimeoutMs', mailTimeoutMs, 0x7fffffff);
  return {
    ...account,
    recoveries,
    sendMail: options.sendMail,
    makeLink: typeof link === 'string' ? linkBelow(link) : link,
    ttlSeconds: { password_reset: resetTtlSeconds, email_verification: verificationTtlSeconds },
    mailTimeoutMs,
    mailThrottle: options.mailThrottle ?? defaultThrottle(account),
    pending: new Set(),
  };
}

function defaultThrottle({ throttle, now }: AccountDependencies): Throttle {
  if (throttle === noThrottle) return noThrottle;
  return createMemoryThrottle({ attemptsPerMinute: 20, freeFailures: 3, accountFailures: 10, now });
}

function checkWhole(name: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  throw new RangeError(`Option "${name}" is "${value}": use a whole number from 1 to ${max}`);
}

const tokenText = z.string({ message: 'Token must be a string' });
const parseResetRequest = bodyReader<{ readonly email: string }>(z.object({ email: newEmail }, BODY_FAULT));
const parseReset = bodyReader<{ readonly token: string; readonly new_password: string }>(
  z.object({ token: tokenText, new_password: newPassword }, BODY_FAULT),
);
const parseVerification = bodyReader<{ readonly token: string }>(z.object({ token: tokenText }, BODY_FAULT));

/** 202, whether there is such an account or not. Refuses with 400, 413 or 429. */
async function requestReset(deps: RecoveryDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { email } = parseResetRequest(await request.readJson(deps.maxBodyBytes));
  await admit(deps, deps.mailThrottle, request, email);
  reportEvent(deps, request, 'password_reset_requested', { email });
  return acceptedAnswer(prepareRecovery(deps, 'password_reset', () => deps.users.findByEmail(email)));
}

/**
 * Replaces the password, ends all sessions of the account and verifies its address: 204. Refuses with 400 (bad body, bad
 * or used token), 413, 429 or 503.
 */
async function confirmReset(deps: RecoveryDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { token, new_password: password } = parseReset(await request.readJson(deps.maxBodyBytes));
  const user = await throttled(deps, request, undefined, () => reset(deps, request, token, password));
  // The failed logins of before were those of somebody who did not know the password, maybe of the owner.
  const attempt = { address: request.address, email: user.email };
  await deps.throttle.succeed(attempt);
  await deps.mailThrottle.succeed(attempt);
  reportEvent(deps, request, 'password_reset', { userId: user.id, email: user.email });
  return emptyAnswer();
}

async function reset(deps: RecoveryDependencies, request: AccountRequest, token: string, password: string): Promise<StoredUser> {
  const refused = (): AccountError => {
    reportEvent(deps, request, 'password_reset_failed');
    return new AccountError('invalid_recovery_token');
  };
  const find = (hash: string) => deps.recoveries.find('password_reset', hash, nowSeconds(deps));
  const tokenHash = hashRecoveryToken('password_reset', token);
  const owner = tokenHash === undefined ? undefined : await find(tokenHash);
  if (tokenHash === undefined || !owner) throw refused();
  // Before the token is used, so that another password can be sent with it.
  const fault = await deps.refusePassword(password, owner.email);
  if (fault !== undefined) throw invalidRequest([{ path: 'new_password', message: fault }]);
  // Asks again before the hash, so that fifty requests with one token do not cost fifty hashes.
  const newHash = await deps.passwords.hash(password, async () => {
    if (!(await find(tokenHash))) throw refused();
  });
  const user = await deps.recoveries.resetPassword(tokenHash, newHash, nowSeconds(deps));
  if (!user) throw refused();
  return user;
}

/** 200 with `{ user }`, which has `email_verified_at`, a time or null, beside the usual fields. Refuses with 401. */
async function showVerification(deps: RecoveryDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { user } = await authenticate(request, deps);
  const seconds = await deps.recoveries.findVerifiedAt(user.id);
  const verifiedAt = seconds === undefined ? null : new Date(seconds * 1000).toISOString();
  return jsonAnswer(200, { user: { ...toUser(user), email_verified_at: verifiedAt } });
}

/** Sends a mail to the address of the account, unless it is verified: 202. Refuses with 401 or 429. */
async function requestVerification(deps: RecoveryDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { user } = await authenticate(request, deps);
  await admit(deps, deps.mailThrottle, request, user.email);
  reportEvent(deps, request, 'email_verification_requested', { userId: user.id, email: user.email });
  const find = async () => ((await deps.recoveries.findVerifiedAt(user.id)) === undefined ? user : undefined);
  return acceptedAnswer(prepareRecovery(deps, 'email_verification', find));
}

/** Verifies the address to which the token was sent: 204. Refuses with 400 (bad body, bad or used token), 413 or 429. */
async function confirmVerification(deps: RecoveryDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { token } = parseVerification(await request.readJson(deps.maxBodyBytes));
  const user = await throttled(deps, request, undefined, async () => {
    const tokenHash = hashRecoveryToken('email_verification', token);
    const verified = tokenHash && (await deps.recoveries.verifyEmail(tokenHash, nowSeconds(deps)));
    if (verified) return verified;
    reportEvent(deps, request, 'email_verification_failed');
    throw new AccountError('invalid_recovery_token');
  });
  await deps.mailThrottle.succeed({ address: request.address, email: user.email });
  reportEvent(deps, request, 'email_verified', { userId: user.id, email: user.email });
  return emptyAnswer();
}

/** Sends the mail after each registration: the routes report it as an event. Not part of the answer, as the mails that are asked for. */
function verifyRegistered(account: AccountDependencies, deps: RecoveryDependencies): void {
  const { onEvent } = account;
  const sendTo = (email: string): void => {
    const send = prepareRecovery(deps, 'email_verification', async () => {
      const user = await deps.users.findByEmail(email);
      return user && (await deps.recoveries.findVerifiedAt(user.id)) === undefined ? user : undefined;
    });
    setImmediate(() => void send());
  };
  const listen: AccountDependencies['onEvent'] = (event) => {
    const { type, email } = event;
    try {
      onEvent(event);
    } finally {
      if (type === 'registered' && email !== undefined) sendTo(email);
    }
  };
  Object.assign(account, { onEvent: listen });
}

async function identifyVerified(deps: RecoveryDependencies, request: Pick<AccountRequest, 'authorization'>): Promise<AuthUser> {
  const { user } = await authenticate(request, deps);
  if ((await deps.recoveries.findVerifiedAt(user.id)) === undefined) throw new AccountError('email_not_verified');
  return { id: user.id, email: user.email };
}

// The answer to a request for a mail, which is the same whether one is sent or not; `after` begins once it is sent.
function acceptedAnswer(after: () => Promise<void>): AccountAnswer {
  return { ...jsonAnswer(202, { accepted: true }), after };
}

// 43 characters of base64url are 32 bytes. Other spellings of the same bytes have another hash.
const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits, in base64url. */
export function createRecoveryToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 of the purpose and the token in hexadecimal, or `undefined` for a text that cannot be a token. */
export function hashRecoveryToken(purpose: RecoveryPurpose, token: string): string | undefined {
  // No slow hash and no salt: nobody can guess 256 random bits.
  return TOKEN_FORM.test(token) ? createHash('sha256').update(`${purpose}\n${token}`).digest('hex') : undefined;
}

type FindUser = () => Promise<StoredUser | undefined>;

/** Open tokens of an account and purpose. More than one, so that a stranger's request does not void the owner's at once. */
const MAX_OPEN = 3;

/**
 * Returns the work that sends a token to the account that `find` finds, if any. It begins when it is called, after the answer:
 * neither the answer nor its time depends on whether there is such an account, and on the mailer. Never rejects: what fails is
 * logged.
 */
function prepareRecovery(deps: RecoveryDependencies, purpose: RecoveryPurpose, find: FindUser): () => Promise<void> {
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  // Rejects only when the log of the host throws, which must not end the process.
  const work = begun.then(() => sendRecovery(deps, purpose, find)).catch(() => {});
  deps.pending.add(work);
  return async () => {
    begin();
    await work;
    deps.pending.delete(work);
  };
}

async function sendRecovery(deps: RecoveryDependencies, purpose: RecoveryPurpose, find: FindUser): Promise<void> {
  let about = '';
  try {
    const user = await find();
    if (!user) return;
    about = ` to account ${user.id}`;
    await deliver(deps, await openRecovery(deps, purpose, user));
  } catch (error) {
    logError(deps.log, `Cannot send the mail of purpose "${purpose}"${about}`, error);
  }
}

async function openRecovery(deps: RecoveryDependencies, purpose: RecoveryPurpose, { id, email }: StoredUser): Promise<RecoveryMail> {
  const token = createRecoveryToken();
  const link = deps.makeLink(purpose, token);
  const ttlSeconds = deps.ttlSeconds[purpose];
  const createdAt = nowSeconds(deps);
  const expiresAt = createdAt + ttlSeconds;
  const tokenHash = hashRecoveryToken(purpose, token) ?? '';
  await deps.recoveries.open({ tokenHash, purpose, userId: id, email, createdAt, expiresAt }, MAX_OPEN, createdAt);
  return writeMail({ to: email, purpose, token, link, ttlSeconds, expiresAt: new Date(expiresAt * 1000).toISOString() });
}

async function deliver({ sendMail, mailTimeoutMs }: RecoveryDependencies, mail: RecoveryMail): Promise<void> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(new Error(`"sendMail" has not finished within ${mailTimeoutMs} ms`));
    }, mailTimeoutMs);
  });
  try {
    await Promise.race([sendMail(mail, controller.signal), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function nowSeconds({ now }: RecoveryDependencies): number {
  return Math.floor(now() / 1000);
}

function recoveryOpenApi() {
  const text = { type: 'string' };
  const accepted = { 202: object({ accepted: { type: 'boolean' } }) };
  const reset = object({ token: text, new_password: { type: 'string', format: 'password', minLength: 8, maxLength: 200 } });
  const verified = object({ ...user(), email_verified_at: { type: ['string', 'null'], format: 'date-time' } });
  const paths = {
    '/password-reset': { post: operation('Sends a password reset', [400, 413, 429], accepted, object({ email: text }), true) },
    '/password-reset/confirm': { post: operation('Sets a new password', [400, 413, 429, 503], { 204: undefined }, reset, true) },
    '/verification': {
      get: operation('Whether the address is verified', [401], { 200: object({ user: verified }) }),
      post: operation('Sends a mail that verifies the address', [401, 429], accepted),
    },
    '/verification/confirm': { post: operation('Verifies the address', [400, 413, 429], { 204: undefined }, object({ token: text }), true) },
  };
  return { paths, schemas: {} };
}

function user() {
  return { id: { type: 'integer' }, email: { type: 'string' }, created_at: { type: 'string', format: 'date-time' } };
}
