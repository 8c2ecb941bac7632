// GET /sessions and DELETE /sessions/:id: where an account is logged in, and the end of one of these sessions. A project leaves
// this part out with `sessions: false`.

import { type AccountDependencies, type AccountHandler, type AccountRequest, type AccountRoute, authenticate, reportEvent } from './core.js';
import { AccountError, type AccountAnswer, emptyAnswer, jsonAnswer, logError } from './errors.js';
import type { SessionStore, StoredSession } from './store.js';

const MAX_LISTED = 100;
const MAX_DEVICE_LENGTH = 200;
// Control, format and separator characters, and halves of surrogate pairs.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** The routes of sessions, none where they are not stored. `logout` ends the session of the request. */
export function sessionRoutes(
  deps: AccountDependencies,
  logout: (deps: AccountDependencies, request: AccountRequest) => Promise<AccountAnswer>,
): readonly AccountRoute[] {
  const { sessions } = deps;
  if (!sessions) return [];
  const list: AccountHandler = (request) => listSessions(deps, sessions, request);
  const end: AccountHandler = async (request, id) => {
    const { user, claims } = await authenticate(request, deps);
    if (id === claims.tokenId) return logout(deps, request);
    const session = await sessions.find(user.id, user.tokenVersion, nowSeconds(deps), id);
    if (!session) throw new AccountError('session_not_found');
    await deps.users.revokeToken(session.id, session.expiresAt, nowSeconds(deps));
    reportEvent(deps, request, 'session_ended', { userId: user.id });
    return emptyAnswer();
  };
  return [{ path: '/sessions', handlers: { GET: list } }, { path: '/sessions/:id', handlers: { DELETE: end } }];
}

// The session of the request is always among them, the others if they were stored.
async function listSessions(deps: AccountDependencies, sessions: SessionStore, request: AccountRequest): Promise<AccountAnswer> {
  const { user, claims } = await authenticate(request, deps);
  const listed = await sessions.list(user.id, user.tokenVersion, nowSeconds(deps), MAX_LISTED);
  const { tokenId: id, issuedAt: createdAt, expiresAt } = claims;
  const current = { id, device: deviceName(request.userAgent), createdAt, expiresAt };
  const all = listed.some((session) => session.id === id) ? listed : [current, ...listed];
  const toIso = (seconds: number) => new Date(seconds * 1000).toISOString();
  const format = (session: Omit<StoredSession, 'userId' | 'tokenVersion'>) => ({
    id: session.id,
    device: session.device ?? null,
    created_at: toIso(session.createdAt),
    expires_at: toIso(session.expiresAt),
    current: session.id === id,
  });
  return jsonAnswer(200, { sessions: all.map(format) });
}

/**
 * Adds the session of a token that was just issued to the list of the account. Never fails: a session that could not be stored
 * is logged and not listed, and ends like all others with `POST /logout-all` or another password. Returns when the token
 * expires, in seconds since 1970.
 */
export async function recordSession(
  { sessions, tokens, log, now }: Pick<AccountDependencies, 'sessions' | 'tokens' | 'log' | 'now'>,
  { userAgent }: Pick<AccountRequest, 'userAgent'>,
  token: string,
): Promise<number> {
  let about = '';
  let end = 0;
  try {
    // Also remembers the token as verified, which its first request would do otherwise.
    const { tokenId: id, userId, tokenVersion, issuedAt: createdAt, expiresAt } = tokens.verify(token);
    about = ` of account ${userId}`;
    end = expiresAt;
    await sessions?.add({ id, userId, tokenVersion, device: deviceName(userAgent), createdAt, expiresAt }, nowSeconds({ now }));
  } catch (error) {
    // A token from the future is no error: the account was made by a host whose clock is ahead.
    if (!(error instanceof AccountError)) logError(log, `Cannot store a session${about}`, error);
  }
  return end;
}

/** A `User-Agent` that can be stored and shown: in one line and of at most 200 characters. Still chosen by a stranger. */
export function deviceName(userAgent: string | undefined): string | undefined {
  const text = (userAgent ?? '').slice(0, 4 * MAX_DEVICE_LENGTH).replace(INVISIBLE, ' ').replace(/ {2,}/g, ' ');
  const name = Array.from(text.trim()).slice(0, MAX_DEVICE_LENGTH).join('').trim();
  return name === '' ? undefined : name;
}

function nowSeconds({ now }: Pick<AccountDependencies, 'now'>): number {
  return Math.floor(now() / 1000);
}
