// The routes of passkeys, below the prefix of the accounts: WebAuthn Level 3, sections 7.1 and 7.2, verified by SimpleWebAuthn.

import {
  type AuthenticationResponseJSON, generateAuthenticationOptions, generateRegistrationOptions, type RegistrationResponseJSON,
  verifyAuthenticationResponse, verifyRegistrationResponse, type WebAuthnCredential,
} from '@simplewebauthn/server';
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  type AccountAnswer, AccountError, type AccountHandler, type AccountRequest, type AccountRoute, type Accounts, admit, authenticate,
  BODY_FAULT, bodyReader, emptyAnswer, jsonAnswer, object, type OpenApiPart, operation, ref, reportEvent,
} from '../account-core/index.js';
import type { Passkey, PasskeyStore } from './store.js';

export interface PasskeyDependencies {
  readonly accounts: Accounts;
  readonly store: PasskeyStore;
  /** The domain that passkeys are for, such as `example.com`. */
  readonly rpId: string;
  /** What authenticators show. */
  readonly rpName: string;
  /** The pages that may use them, such as `https://app.example.com`. */
  readonly origins: readonly string[];
}

const CHALLENGE_MS = 300_000;
/** EdDSA, ES256 and RS256: the same on every Node.js, and without its warning about experimental ones. */
const ALGORITHMS = [-8, -7, -257];
const MAX_PASSKEYS = 50;
const MAX_NAME_LENGTH = 100;

const REFUSALS = {
  invalid_passkey: [400, 'The passkey could not be verified: try again'],
  passkey_refused: [401, 'There is no such passkey, or it could not be verified: try again'],
  passkey_not_found: [404, 'There is no such passkey'],
  passkey_taken: [409, 'This passkey is registered already'],
  too_many_passkeys: [409, `An account has at most ${MAX_PASSKEYS} passkeys: delete one first`],
} as const;

type Answered = (passkeys: PasskeyDependencies, request: AccountRequest, id: string) => Promise<AccountAnswer>;

const name = z
  .string({ message: 'Name must be a string' })
  .transform((text) => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').replace(/ {2,}/g, ' ').trim())
  .refine((text) => text.length >= 1 && text.length <= MAX_NAME_LENGTH, { message: `Name must have 1 to ${MAX_NAME_LENGTH} characters` });
const text = z.string({ message: 'Must be a string' }).max(100_000);
const credential = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ id: text, rawId: text, type: text, response: z.object({ clientDataJSON: text, ...shape }, { message: 'Expected an object' }) }, { message: 'Expected what "toJSON()" of the credential gives' });
const transports = z.array(z.string().regex(/^[a-z-]{1,20}$/)).max(10).optional();
const parseRegistration = bodyReader<{ readonly name?: string; readonly response: RegistrationResponseJSON }>(
  z.object({ name: name.optional(), response: credential({ attestationObject: text, transports }) }, BODY_FAULT),
);
const parseLogin = bodyReader<{ readonly response: AuthenticationResponseJSON }>(
  z.object({ response: credential({ authenticatorData: text, signature: text, userHandle: text.nullish() }) }, BODY_FAULT),
);
const parseName = bodyReader<{ readonly name: string }>(z.object({ name }, BODY_FAULT));

/** `/passkeys` and what is below it. */
export function passkeyRoutes(passkeys: PasskeyDependencies): readonly AccountRoute[] {
  const by = (answer: Answered): AccountHandler => (request, id) => answer(passkeys, request, id);
  return [
    { path: '/passkeys', handlers: { GET: by(list), POST: by(register) } },
    { path: '/passkeys/options', handlers: { POST: by(beginRegistration) } },
    { path: '/passkeys/login/options', handlers: { POST: by(beginLogin) } },
    { path: '/passkeys/login', handlers: { POST: by(logIn) } },
    { path: '/passkeys/:id', handlers: { PATCH: by(rename), DELETE: by(remove) } },
  ];
}

function refuse({ requestId }: AccountRequest, code: keyof typeof REFUSALS): AccountAnswer {
  const [status, message] = REFUSALS[code];
  const error = { status, code, message, ...(requestId !== undefined && { requestId }) };
  return jsonAnswer(status, { error }, status === 401 ? { 'WWW-Authenticate': 'Bearer realm="account"' } : {});
}

/** 200 with `{ passkeys }`, the oldest first. Refuses with 401. */
async function list({ accounts, store }: PasskeyDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { user } = await authenticate(request, accounts.dependencies);
  return jsonAnswer(200, { passkeys: (await store.list(user.id)).map(show) });
}

/** 200 with `{ options }` for `navigator.credentials.create`. Refuses with 401, 403 (login too long ago), 409 or 429. */
async function beginRegistration(passkeys: PasskeyDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { accounts, store, rpId, rpName } = passkeys;
  const deps = accounts.dependencies;
  await admit(deps, deps.throttle, request, undefined);
  const { user, claims } = await authenticate(request, deps);
  // Whoever has stolen a session would get a way in that stays.
  if (deps.now() / 1000 - claims.issuedAt > deps.recentLoginSeconds) throw new AccountError('recent_login_required');
  const own = await store.list(user.id);
  if (own.length >= MAX_PASSKEYS) return refuse(request, 'too_many_passkeys');
  // No address, and nothing else about a person: authenticators show it to whoever has them (section 14.6.1).
  const userHandle = own[0]?.userHandle ?? randomBytes(32).toString('base64url');
  const options = await generateRegistrationOptions({
    rpID: rpId,
    rpName,
    userName: user.email,
    userID: new Uint8Array(Buffer.from(userHandle, 'base64url')),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: own.map((passkey) => ({ id: passkey.id, transports: toTransports(passkey.transports) })),
    // It is found without a name, and the device asks for a finger, a face or a PIN: so it stands for two factors.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await store.addChallenge(options.challenge, { userId: user.id, userHandle }, deps.now(), deps.now() + CHALLENGE_MS);
  return jsonAnswer(200, { options });
}

/** The passkey that the device has made: 201 with `{ passkey }`. Refuses with 400, 401, 403 or 409. */
async function register(passkeys: PasskeyDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { accounts, store } = passkeys;
  const deps = accounts.dependencies;
  const { user } = await authenticate(request, deps);
  const { name: given, response } = parseRegistration(await request.readJson(Math.max(deps.maxBodyBytes, 65_536)));
  const now = deps.now();
  const challenge = await takeChallenge(store, response.response.clientDataJSON, user.id, now);
  if (!challenge) return refuse(request, 'invalid_passkey');
  const info = await verified(passkeys, async () => {
    const options = { response: complete(response), expectedChallenge: challenge.challenge, supportedAlgorithmIDs: ALGORITHMS, ...expected(passkeys) };
    return (await verifyRegistrationResponse(options)).registrationInfo;
  });
  if (!info) return refuse(request, 'invalid_passkey');
  const own = await store.list(user.id);
  const passkey: Passkey = {
    id: info.credential.id,
    userId: user.id,
    userHandle: challenge.userHandle ?? '',
    publicKey: Buffer.from(info.credential.publicKey).toString('base64url'),
    counter: info.credential.counter,
    transports: (response.response.transports ?? []).join(','),
    aaguid: info.aaguid,
    name: given ?? `Passkey ${own.length + 1}`,
    backupEligible: info.credentialDeviceType === 'multiDevice' ? 1 : 0,
    backedUp: info.credentialBackedUp ? 1 : 0,
    createdAt: now,
    lastUsedAt: null,
  };
  return (await store.add(passkey)) ? jsonAnswer(201, { passkey: show(passkey) }) : refuse(request, 'passkey_taken');
}

/** 200 with `{ options }` for `navigator.credentials.get`, for whichever account the person chooses. Refuses with 429. */
async function beginLogin({ accounts, store, rpId }: PasskeyDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const deps = accounts.dependencies;
  await admit(deps, deps.throttle, request, undefined);
  const options = await generateAuthenticationOptions({ rpID: rpId, userVerification: 'required' });
  await store.addChallenge(options.challenge, { userId: null, userHandle: null }, deps.now(), deps.now() + CHALLENGE_MS);
  return jsonAnswer(200, { options });
}

/** 200 as `POST /login`, with the token or the cookie; no second factor is asked for. Refuses with 400, 401 or 429. */
async function logIn(passkeys: PasskeyDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { accounts } = passkeys;
  const deps = accounts.dependencies;
  await admit(deps, deps.throttle, request, undefined);
  const { response } = parseLogin(await request.readJson(Math.max(deps.maxBodyBytes, 65_536)));
  const passkey = await checkLogin(passkeys, response);
  if (passkey) return accounts.answerSignIn(passkey.userId, request);
  reportEvent(deps, request, 'login_failed');
  return refuse(request, 'passkey_refused');
}

async function checkLogin(passkeys: PasskeyDependencies, response: AuthenticationResponseJSON): Promise<Passkey | undefined> {
  const { store, accounts } = passkeys;
  const now = accounts.dependencies.now();
  const challenge = await takeChallenge(store, response.response.clientDataJSON, null, now);
  const passkey = challenge && (await store.find(response.id));
  if (!challenge || !passkey) return undefined;
  const { userHandle } = response.response;
  // Absent where the authenticator knows no account (section 7.2, step 6).
  if (userHandle !== passkey.userHandle) return undefined;
  const { id, counter, transports: texts } = passkey;
  const known = { id, counter, publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')), transports: toTransports(texts) };
  const info = await verified(passkeys, async () => {
    const options = { response: complete(response), expectedChallenge: challenge.challenge, credential: known, ...expected(passkeys) };
    const { verified: isRight, authenticationInfo } = await verifyAuthenticationResponse(options);
    return isRight ? authenticationInfo : undefined;
  });
  if (!info) return undefined;
  // A key that could not be copied before is another one (section 7.2, step 18).
  if ((info.credentialDeviceType === 'multiDevice') !== (passkey.backupEligible === 1)) return undefined;
  return (await store.use(passkey, info.newCounter, info.credentialBackedUp ? 1 : 0, now)) ? passkey : undefined;
}

/** 200 with `{ passkey }`. Refuses with 400, 401 or 404. */
async function rename({ accounts, store }: PasskeyDependencies, request: AccountRequest, id: string): Promise<AccountAnswer> {
  const deps = accounts.dependencies;
  const { user } = await authenticate(request, deps);
  const { name: wanted } = parseName(await request.readJson(deps.maxBodyBytes));
  const passkey = await store.rename(user.id, id, wanted);
  return passkey ? jsonAnswer(200, { passkey: show(passkey) }) : refuse(request, 'passkey_not_found');
}

/** 204. Refuses with 401 or 404. */
async function remove({ accounts, store }: PasskeyDependencies, request: AccountRequest, id: string): Promise<AccountAnswer> {
  const { user } = await authenticate(request, accounts.dependencies);
  return (await store.remove(user.id, id)) ? emptyAnswer() : refuse(request, 'passkey_not_found');
}

/** The challenge that a response was made for, if it is one of ours. Everything in a response is chosen by a stranger. */
async function takeChallenge(store: PasskeyStore, clientData: string, userId: number | null, now: number) {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString()) as { readonly challenge?: unknown };
    if (typeof challenge !== 'string' || challenge.length > 200) return undefined;
    const found = await store.takeChallenge(challenge, userId, now);
    return found && { ...found, challenge };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

const expected = ({ origins, rpId }: PasskeyDependencies) => ({ expectedOrigin: [...origins], expectedRPID: rpId, requireUserVerification: true });

// The library refuses by errors of several classes. What they say is for operators: a counter that went back may be a copied key.
async function verified<T>({ accounts }: PasskeyDependencies, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 300) : 'unknown';
    accounts.dependencies.log.warn(`A passkey was refused: ${message}`);
    return undefined;
  }
}

// Extensions are not read.
function complete<Response extends object>(response: Response) {
  return { ...response, clientExtensionResults: {} };
}

function toTransports(list: string): NonNullable<WebAuthnCredential['transports']> {
  return list.split(',').filter((transport) => transport !== '') as NonNullable<WebAuthnCredential['transports']>;
}

function show({ id, name: shown, createdAt, lastUsedAt, backedUp, backupEligible }: Passkey) {
  const toIso = (time: number) => new Date(time).toISOString();
  return { id, name: shown, created_at: toIso(createdAt), last_used_at: lastUsedAt === null ? null : toIso(lastUsedAt), synced: backupEligible === 1, backed_up: backedUp === 1 };
}

/** What `/openapi.json` has of the routes. */
export function describePasskeys(): OpenApiPart {
  const string = { type: 'string' };
  const flag = { type: 'boolean' };
  const passkey = object({ id: string, name: string, created_at: string, last_used_at: { type: ['string', 'null'] }, synced: flag, backed_up: flag });
  const one = object({ passkey });
  const options = object({ options: { type: 'object', description: 'For parseCreationOptionsFromJSON or parseRequestOptionsFromJSON' } });
  const response = { type: 'object', description: 'What toJSON() of the credential gives' };
  const made = { ...object({ name: string, response }), required: ['response'] };
  const session = { ...object({ user: ref('AccountUser'), token: string }), required: ['user'] };
  const id = { name: 'id', in: 'path', required: true, schema: string };
  return {
    paths: {
      '/passkeys': {
        get: operation('The passkeys of the account', [401], { 200: object({ passkeys: { type: 'array', items: passkey } }) }),
        post: operation('Adds a passkey', [400, 401, 403, 409, 413], { 201: one }, made),
      },
      '/passkeys/options': { post: operation('Begins to add a passkey', [401, 403, 409, 429], { 200: options }) },
      '/passkeys/login/options': { post: operation('Begins a login', [429], { 200: options }, undefined, true) },
      '/passkeys/login': { post: operation('Logs in with a passkey', [400, 401, 403, 413, 429], { 200: session }, object({ response }), true) },
      '/passkeys/{id}': {
        parameters: [id],
        patch: operation('Renames a passkey', [400, 401, 403, 404, 413], { 200: one }, object({ name: string })),
        delete: operation('Deletes a passkey', [401, 403, 404], { 204: undefined }),
      },
    },
    schemas: {},
  };
}
