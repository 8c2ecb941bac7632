// The routes that answer in JSON, among those of the accounts: which providers there are, the end of a login, and the identities
// of an account.

import { z } from 'zod';
import {
  type AccountAnswer, AccountError, type AccountHandler, type AccountRequest, type AccountRoute, admit, authenticate, BODY_FAULT,
  bodyReader, emptyAnswer, jsonAnswer, object, type OpenApiPart, operation, ref,
} from '../account-core/index.js';
import { begin, readCookie, requiredFactors, type SocialDependencies, SocialError } from './pages.js';
import { ProviderError } from './providers.js';
import { ownUrl } from './settings.js';

const REFUSALS = {
  login_unknown: [401, 'There is no login to finish: begin again'],
  unknown_provider: [404, 'There is no such provider'],
  identity_not_found: [404, 'There is no such identity'],
  last_way_in: [409, 'It is the only way to log in: set a password first'],
  provider_unavailable: [503, 'The provider does not answer: try again later'],
} as const;

type Answered = (social: SocialDependencies, request: AccountRequest, id: string) => Promise<AccountAnswer>;

const parseLink = bodyReader<{ readonly provider: string; readonly return_to?: string }>(
  z.object({ provider: z.string({ message: 'Provider must be a string' }), return_to: z.string({ message: 'Must be a string' }).optional() }, BODY_FAULT),
);

/** `/social` and what is below it. */
export function socialRoutes(social: SocialDependencies): readonly AccountRoute[] {
  const by = (answer: Answered): AccountHandler => (request, id) => answer(social, request, id);
  return [
    { path: '/social', handlers: { GET: by(listProviders) } },
    { path: '/social/token', handlers: { POST: by(finishLogin) } },
    { path: '/social/link', handlers: { POST: by(beginLink) } },
    { path: '/social/identities', handlers: { GET: by(listIdentities) } },
    { path: '/social/identities/:id', handlers: { DELETE: by(unlink) } },
  ];
}

function refuse({ requestId }: AccountRequest, code: keyof typeof REFUSALS): AccountAnswer {
  const [status, message] = REFUSALS[code];
  return jsonAnswer(status, { error: { status, code, message, ...(requestId !== undefined && { requestId }) } });
}

/** 200 with `{ providers }`, for buttons. */
async function listProviders({ providers }: SocialDependencies): Promise<AccountAnswer> {
  const list = [...providers.values()].map(({ name, label }) => ({ name, label, start: `/auth/social/start/${name}` }));
  return jsonAnswer(200, { providers: list });
}

/**
 * The end of a login, for the browser that began it: 200 as `POST /login`, with the token or the cookie, or with
 * `{ secondFactor, challenge }`. Refuses with 401 or 429.
 */
async function finishLogin(social: SocialDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { accounts, store } = social;
  const deps = accounts.dependencies;
  await admit(deps, deps.throttle, request, undefined);
  const code = readCookie(social, { header: (name) => request.header?.(name) }, 'social_login');
  const userId = code === undefined ? undefined : await store.takeLogin(code, deps.now());
  if (userId === undefined) return refuse(request, 'login_unknown');
  const secondFactor = await requiredFactors(social, userId);
  const owner = secondFactor.length > 0 ? await deps.users.findByToken(userId, '') : undefined;
  if (owner) return jsonAnswer(200, { secondFactor, challenge: deps.challenges.issue(owner.user) });
  return accounts.answerSignIn(userId, request);
}

/** Begins to link an identity to the account of the request: 200 with `{ url }`, to which the page goes. Refuses with 400, 401, 403, 404, 429 or 503. */
async function beginLink(social: SocialDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const deps = social.accounts.dependencies;
  await admit(deps, deps.throttle, request, undefined);
  const { user, claims } = await authenticate(request, deps);
  // Whoever has stolen a session would get a way in that stays.
  if (deps.now() / 1000 - claims.issuedAt > deps.recentLoginSeconds) throw new AccountError('recent_login_required');
  const { provider, return_to: returnTo } = parseLink(await request.readJson(deps.maxBodyBytes));
  try {
    const attempt = { returnTo: ownUrl(returnTo, social.appUrl).href, wantsCookie: 0, userId: user.id };
    const { url, cookie } = await begin(social, provider, attempt);
    return jsonAnswer(200, { url: url.href }, { 'Set-Cookie': cookie });
  } catch (error) {
    if (error instanceof SocialError) return refuse(request, 'unknown_provider');
    if (!(error instanceof ProviderError)) throw error;
    social.log.warn(`Linking by "${provider}" failed (${error.code}): ${error.message}`);
    return refuse(request, 'provider_unavailable');
  }
}

/** 200 with `{ identities, has_password }`. Refuses with 401. */
async function listIdentities({ accounts, store }: SocialDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { user } = await authenticate(request, accounts.dependencies);
  const identities = (await store.list(user.id)).map(({ id, provider, email, createdAt }) => ({
    id, provider, email, created_at: new Date(createdAt).toISOString(),
  }));
  return jsonAnswer(200, { identities, has_password: !(await store.isPasswordless(user.id, user.passwordHash)) });
}

/** Removes an identity of the account: 204. Refuses with 401, 404, or 409 where it is the last way in. */
async function unlink(social: SocialDependencies, request: AccountRequest, id: string): Promise<AccountAnswer> {
  const { accounts, store } = social;
  const { user } = await authenticate(request, accounts.dependencies);
  const mayBeLast = !(await store.isPasswordless(user.id, user.passwordHash)) || (await social.otherWaysIn(user.id));
  const result = await store.remove(user.id, id, mayBeLast);
  if (result === 'removed') return emptyAnswer();
  return refuse(request, result === 'last' ? 'last_way_in' : 'identity_not_found');
}

/** What `/openapi.json` has of the routes. */
export function describeSocial(): OpenApiPart {
  const string = { type: 'string' };
  const provider = object({ name: string, label: string, start: string });
  const identity = object({ id: string, provider: string, email: { type: ['string', 'null'] }, created_at: { type: 'string', format: 'date-time' } });
  const challenge = object({ secondFactor: { type: 'array', items: string }, challenge: string });
  const session = { ...object({ user: ref('AccountUser'), token: string }), required: ['user'] };
  const link = { ...object({ provider: string, return_to: string }), required: ['provider'] };
  const id = { name: 'id', in: 'path', required: true, schema: string };
  return {
    paths: {
      '/social': { get: operation('The providers by which people can log in', [], { 200: object({ providers: { type: 'array', items: provider } }) }, undefined, true) },
      '/social/token': { post: operation('Finishes a login', [401, 403, 429], { 200: { oneOf: [session, challenge] } }, undefined, true) },
      '/social/link': { post: operation('Begins to link an identity', [400, 401, 403, 404, 413, 429, 503], { 200: object({ url: string }) }, link) },
      '/social/identities': {
        get: operation('The identities of the account', [401], { 200: object({ identities: { type: 'array', items: identity }, has_password: { type: 'boolean' } }) }),
      },
      '/social/identities/{id}': { parameters: [id], delete: operation('Removes an identity', [401, 403, 404, 409], { 204: undefined }) },
    },
    schemas: {},
  };
}

/** The addresses that a browser visits. */
export function describePages(): OpenApiPart {
  const parameter = (name: string, place: string) => ({ name, in: place, required: place === 'path', schema: { type: 'string' } });
  const redirect = (summary: string, names: readonly string[]) => ({
    parameters: [parameter('provider', 'path')],
    get: {
      summary, tags: ['account'], security: [], parameters: names.map((name) => parameter(name, 'query')),
      responses: { 302: { description: 'Where to go on; `social_error` in its query says what went wrong' } },
    },
  });
  return {
    paths: {
      '/start/{provider}': redirect('Sends the browser to a provider', ['return_to', 'session']),
      '/callback/{provider}': redirect('Where the provider sends the browser back to', ['code', 'state']),
    },
    schemas: {},
  };
}
