// GET /sessions and DELETE /sessions/:id: where an account is logged in, and the end of one of these sessions.

import { AccountError } from './account-error.js';
import { type AccountAnswer, emptyAnswer, jsonAnswer } from './answer.js';
import { authenticate } from './authenticate.js';
import type { AccountDependencies } from './dependencies.js';
import { logout } from './logout.js';
import { reportEvent } from './report-event.js';
import type { AccountRequest } from './request.js';
import { deviceName, type SessionStore, type StoredSession } from './sessions.js';

const MAX_LISTED = 100;

/**
 * 200 with `{ sessions: [{ id, device, created_at, expires_at, current }] }`, newest first. The session of the request is
 * always among them, the others if they began with this version. Refuses with 401.
 */
export async function listSessions(
  deps: AccountDependencies,
  sessions: SessionStore,
  request: AccountRequest,
): Promise<AccountAnswer> {
  const { user, claims } = await authenticate(request, deps.users, deps.tokens);
  const listed = await sessions.list(user.id, user.tokenVersion, nowSeconds(deps), MAX_LISTED);
  const current: StoredSession = {
    id: claims.tokenId,
    userId: user.id,
    tokenVersion: user.tokenVersion,
    device: deviceName(request.userAgent),
    createdAt: claims.issuedAt,
    expiresAt: claims.expiresAt,
  };
  const all = listed.some(({ id }) => id === current.id) ? listed : [current, ...listed];
  return jsonAnswer(200, { sessions: all.map((session) => format(session, claims.tokenId)) });
}

/** Revokes the token of a session of this account: 204. The one of the request ends as by logout. Refuses with 401 or 404. */
export async function endSession(
  deps: AccountDependencies,
  sessions: SessionStore,
  request: AccountRequest,
): Promise<AccountAnswer> {
  const { user, claims } = await authenticate(request, deps.users, deps.tokens);
  if (request.pathId === claims.tokenId) return logout(deps, request);
  const now = nowSeconds(deps);
  const session = await sessions.find(user.id, user.tokenVersion, now, request.pathId);
  if (!session) throw new AccountError('session_not_found');
  await deps.users.revokeToken(session.id, session.expiresAt, now);
  reportEvent(deps, request, 'session_ended', { userId: user.id });
  return emptyAnswer();
}

function format({ id, device, createdAt, expiresAt }: StoredSession, currentId: string): object {
  return {
    id,
    device: device ?? null,
    created_at: toIso(createdAt),
    expires_at: toIso(expiresAt),
    current: id === currentId,
  };
}

function toIso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

function nowSeconds({ now }: AccountDependencies): number {
  return Math.floor(now() / 1000);
}
