// Who sends a request: for routes of the application and of other modules, on every host.

import type { IncomingHttpHeaders } from 'node:http';
import { fromNodeHeaders } from 'better-auth/node';
import { openAuth } from './instance.js';

/** The user of a request. The session may have more: `auth.api.getSession({ headers })`. */
export type AuthUser = { readonly id: string; readonly email: string };

const READING = ['GET', 'HEAD', 'OPTIONS'];
const users = new WeakMap<object, AuthUser>();

/** A request of the web standard, or of node:http and Fastify. */
type AnyRequest = { readonly method?: string | undefined; readonly headers: Headers | IncomingHttpHeaders };

/** The user of a request, or the answer to one without: 401, or 403 where another site has made a browser send it. */
export async function authenticate(request: AnyRequest): Promise<AuthUser | Response> {
  const { method = 'GET' } = request;
  const headers = request.headers instanceof Headers ? request.headers : fromNodeHeaders(request.headers);
  const { api, $context } = await openAuth();
  if (isForged(method, headers, await $context)) return refuse(403, 'untrusted_origin', 'This origin is not trusted');
  const session = await api.getSession({ headers, query: { disableRefresh: true } });
  if (session === null) return refuse(401, 'session_required', 'Log in first');
  return { id: session.user.id, email: session.user.email };
}

// A cookie is sent by every page that a browser shows; what it may change is for trusted origins only.
function isForged(method: string, headers: Headers, context: { isTrustedOrigin(url: string): boolean }): boolean {
  if (READING.includes(method) || !headers.has('cookie')) return false;
  const origin = headers.get('origin');
  if (origin !== null) return !context.isTrustedOrigin(origin);
  return !['same-origin', 'none', null].includes(headers.get('sec-fetch-site'));
}

/** Keeps the user with the request or context of a host. */
export const rememberUser = (request: object, user: AuthUser): void => void users.set(request, user);

/** The user behind `requireSession`, of the request of Express, Fastify or Nest, or of the context of Hono. */
export function currentUser(request: object): AuthUser {
  const user = users.get(request);
  if (user) return user;
  throw new TypeError('Cannot read the current user: put "requireSession" in front of the handler');
}

/** An answer with the one error body of our builds. */
export function refuse(status: number, code: string, message: string): Response {
  return Response.json({ error: { status, code, message } }, { status, headers: { 'Cache-Control': 'no-store' } });
}
