// The routes of the second factor, below the prefix of the accounts.

import { renderSVG } from 'uqr';
import { z } from 'zod';
import {
  type AccountAnswer, type AccountDependencies, AccountError, type AccountHandler, type AccountRequest, type AccountRoute, type Accounts,
  admit, authenticate, BODY_FAULT, bodyReader, emptyAnswer, invalidRequest, jsonAnswer, object, type OpenApiPart, operation, ref,
  reportEvent, type StoredUser, throttled,
} from '../account-core/index.js';
import { type Factor, MAX_FAILURES, type TotpStore } from './store.js';
import { createRecoveryCode, createSecret, findStep, formatBase32, hashRecoveryCode, otpauthUri, type SecretBox } from './totp.js';

export interface TotpDependencies {
  readonly accounts: Accounts;
  readonly store: TotpStore;
  readonly box: SecretBox;
  /** What apps show beside the address. */
  readonly issuer: string;
}

const REFUSALS = {
  invalid_code: [403, 'The code is wrong or was used before: wait for the next one'],
  code_locked: [403, 'Too many wrong codes: use a recovery code'],
  totp_enabled: [409, 'The second factor is enabled already'],
  totp_not_enabled: [409, 'The second factor is not enabled'],
} as const;

class Refusal extends Error {
  readonly code: keyof typeof REFUSALS;

  constructor(code: keyof typeof REFUSALS) {
    super(REFUSALS[code][1]);
    this.code = code;
  }
}

const RECOVERY_CODES = 10;

const text = (name: string) => z.string({ message: `${name} must be a string` });
const parseCode = bodyReader<{ readonly code: string }>(z.object({ code: text('Code') }, BODY_FAULT));
const parseLogin = bodyReader<{ readonly challenge: string; readonly code: string }>(
  z.object({ challenge: text('Challenge'), code: text('Code') }, BODY_FAULT),
);
const parseDisable = bodyReader<{ readonly code?: string; readonly password?: string }>(
  z.object({ code: text('Code').optional(), password: text('Password').optional() }, BODY_FAULT),
);

/** `/totp` and what is below it. */
export function totpRoutes(totp: TotpDependencies): readonly AccountRoute[] {
  const { dependencies: deps } = totp.accounts;
  const route = (path: string, handlers: Record<string, (totp: TotpDependencies, request: AccountRequest) => Promise<AccountAnswer>>) => ({
    path,
    handlers: Object.fromEntries(Object.entries(handlers).map(([method, handle]) => [method, answered(deps, (request) => handle(totp, request))])),
  });
  return [
    route('/totp', { GET: show, POST: begin }),
    route('/totp/confirm', { POST: confirm }),
    route('/totp/login', { POST: login }),
    route('/totp/recovery-codes', { POST: replaceCodes }),
    route('/totp/disable', { POST: disable }),
  ];
}

// Counts the request by the address of its client, and answers refusals, in the form of the accounts.
function answered(deps: AccountDependencies, handle: (request: AccountRequest) => Promise<AccountAnswer>): AccountHandler {
  return async (request) => {
    try {
      if (request.method === 'POST') await admit(deps, deps.throttle, request, undefined);
      return await handle(request);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message } = error;
      const { requestId } = request;
      const status = REFUSALS[code][0];
      return jsonAnswer(status, { error: { status, code, message, ...(requestId !== undefined && { requestId }) } });
    }
  };
}

/** 200 with `{ enabled, recovery_codes_left }`. Refuses with 401. */
async function show({ accounts, store }: TotpDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { user } = await authenticate(request, accounts.dependencies);
  const enabled = isEnabled(await store.find(user.id));
  return jsonAnswer(200, { enabled, recovery_codes_left: enabled ? await store.countCodes(user.id) : 0 });
}

/** A secret to be confirmed: 200 with `{ secret, uri, qr_svg }`. Refuses with 401, 403 (login too long ago) or 409. */
async function begin({ accounts, store, box, issuer }: TotpDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const deps = accounts.dependencies;
  const { user, claims } = await authenticate(request, deps);
  // Whoever has stolen a session could lock the owner out with a second factor of their own.
  if (deps.now() / 1000 - claims.issuedAt > deps.recentLoginSeconds) throw new AccountError('recent_login_required');
  const secret = createSecret();
  if (!(await store.begin(user.id, box.seal(secret, user.id), deps.now()))) throw new Refusal('totp_enabled');
  const uri = otpauthUri(secret, issuer, user.email);
  return jsonAnswer(200, { secret: formatBase32(secret), uri, qr_svg: renderSVG(uri, { border: 4 }) });
}

/** The first code makes the second factor count: 200 with `{ recovery_codes }`, shown this once. Refuses with 401, 403, 409 or 429. */
async function confirm(totp: TotpDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { accounts, store } = totp;
  const deps = accounts.dependencies;
  const { user } = await authenticate(request, deps);
  const { code } = parseCode(await request.readJson(deps.maxBodyBytes));
  if (isEnabled(await store.find(user.id))) throw new Refusal('totp_enabled');
  const { secret } = await checkCode(totp, user.id, code);
  const { codes, hashes } = createCodes();
  if (!(await store.confirm(user.id, secret, hashes, deps.now()))) throw new Refusal('totp_enabled');
  return jsonAnswer(200, { recovery_codes: codes });
}

/** Other recovery codes in place of all that are left: as `confirm`. */
async function replaceCodes(totp: TotpDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const deps = totp.accounts.dependencies;
  const { user } = await authenticate(request, deps);
  const { code } = parseCode(await request.readJson(deps.maxBodyBytes));
  if (!isEnabled(await totp.store.find(user.id))) throw new Refusal('totp_not_enabled');
  await checkFactor(totp, user.id, code);
  const { codes, hashes } = createCodes();
  await totp.store.replaceCodes(user.id, hashes);
  return jsonAnswer(200, { recovery_codes: codes });
}

/** Removes the second factor of the account, for a code or the password: 204. Refuses with 400, 401, 403, 409 or 429. */
async function disable(totp: TotpDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const deps = totp.accounts.dependencies;
  const { user } = await authenticate(request, deps);
  const { code, password } = parseDisable(await request.readJson(deps.maxBodyBytes));
  if (code === undefined && password === undefined) throw invalidRequest([{ path: 'code', message: 'Send a code or the password' }]);
  if (!isEnabled(await totp.store.find(user.id))) throw new Refusal('totp_not_enabled');
  if (code !== undefined) await checkFactor(totp, user.id, code);
  else await checkPassword(deps, request, user, password ?? '');
  await totp.store.remove(user.id);
  return emptyAnswer();
}

/**
 * The second step of a login, with the challenge that `POST /login` has answered: 200 as that does, with the token or the cookie.
 * After a wrong code the challenge can be used again. Refuses with 400, 401 (challenge), 403 or 429.
 */
async function login(totp: TotpDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { accounts } = totp;
  const deps = accounts.dependencies;
  const { challenge, code } = parseLogin(await request.readJson(deps.maxBodyBytes));
  const userId = await accounts.readChallenge(challenge, { keep: true });
  try {
    await checkFactor(totp, userId, code);
  } catch (error) {
    if (error instanceof Refusal) reportEvent(deps, request, 'login_failed', { userId });
    throw error;
  }
  await accounts.readChallenge(challenge);
  return accounts.answerSignIn(userId, request);
}

async function checkPassword(deps: AccountDependencies, request: AccountRequest, user: StoredUser, password: string): Promise<void> {
  await throttled(deps, request, user.email, async () => {
    if (!(await deps.passwords.verify(password, user.passwordHash)).matches) throw new AccountError('wrong_password');
  });
}

/** Checks a code of the app or a recovery code, which is used up. Throws `Refusal`, or `AccountError` with code `rate_limited`. */
async function checkFactor(totp: TotpDependencies, userId: number, code: string): Promise<void> {
  const hash = hashRecoveryCode(code);
  if (hash === undefined) await checkCode(totp, userId, code);
  else if (!(await totp.store.useCode(userId, hash))) throw new Refusal('invalid_code');
}

async function checkCode({ accounts, store, box }: TotpDependencies, userId: number, code: string): Promise<Factor> {
  const now = accounts.dependencies.now();
  const factor = await store.attempt(userId, now);
  if (!factor) throw refusalOf(await store.find(userId), now);
  const step = findStep(box.open(factor.secret, userId), code, now);
  if (step === undefined || !(await store.accept(userId, factor.secret, step))) throw new Refusal('invalid_code');
  return factor;
}

function refusalOf(factor: Factor | undefined, now: number): Error {
  if (!factor) return new Refusal('totp_not_enabled');
  if (factor.failures >= MAX_FAILURES) return new Refusal('code_locked');
  return new AccountError('rate_limited', { headers: { 'Retry-After': String(Math.max(1, Math.ceil((factor.blockedUntil - now) / 1000))) } });
}

function createCodes() {
  const codes = Array.from({ length: RECOVERY_CODES }, createRecoveryCode);
  return { codes, hashes: codes.map((code) => hashRecoveryCode(code) ?? '') };
}

/** Whether the account has a second factor that counts. */
export function isEnabled(factor: Factor | undefined): boolean {
  return factor !== undefined && factor.confirmedAt !== null;
}

/** What `/openapi.json` has of the routes. */
export function describeTotp(): OpenApiPart {
  const string = { type: 'string' };
  const codes = object({ recovery_codes: { type: 'array', items: string } });
  const code = object({ code: { ...string, description: 'Six digits of the app, or a recovery code' } });
  const session = { ...object({ user: ref('AccountUser'), token: string }), required: ['user'] };
  const status = object({ enabled: { type: 'boolean' }, recovery_codes_left: { type: 'integer' } });
  const secret = object({ secret: string, uri: string, qr_svg: string });
  const either = { type: 'object', properties: { code: string, password: string } };
  return {
    paths: {
      '/totp': {
        get: operation('Whether the account has a second factor', [401], { 200: status }),
        post: operation('Begins to set up a second factor', [401, 403, 409, 429], { 200: secret }),
      },
      '/totp/confirm': { post: operation('Enables the second factor by its first code', [400, 401, 403, 409, 413, 429], { 200: codes }, code) },
      '/totp/login': { post: operation('Finishes a login', [400, 401, 403, 413, 429], { 200: session }, object({ challenge: string, code: string }), true) },
      '/totp/recovery-codes': { post: operation('Replaces the recovery codes', [400, 401, 403, 409, 413, 429], { 200: codes }, code) },
      '/totp/disable': { post: operation('Removes the second factor', [400, 401, 403, 409, 413, 429], { 204: undefined }, either) },
    },
    schemas: {},
  };
}
