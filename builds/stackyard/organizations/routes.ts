// The routes below `/organizations`.

import {
  type Auth, type Call, invalid, json, readJson, readPage, readRequestKey, RequestError, type RouteTable, type User,
  type UserHandler, withUser,
} from '../module-routes/index.js';
import { isRole, type Role } from './access.js';
import type { Invitation, InvitationStore, OpenedInvitation } from './invitations.js';
import type { Member, Organization, OrganizationStore } from './organizations.js';

export interface InvitationMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** What the routes work with. */
export interface Parts {
  readonly organizations: OrganizationStore;
  readonly invitations: InvitationStore;
  readonly auth: Auth;
  /** Without it the link is in the answer to whoever invites. */
  readonly sendMail?: ((mail: InvitationMail) => unknown) | undefined;
  makeLink(token: string): string;
  writeMail(opened: OpenedInvitation, link: string, by: User): InvitationMail;
  /** After an organisation was deleted. */
  announce(organizationId: string): Promise<void>;
}

/** The routes, with the parts that `open` gives for each request. */
export function organizationRoutes(open: () => Parts): RouteTable {
  const own = (handle: UserHandler<Parts>) => withUser(open, handle);

  return {
    '/': {
      GET: own(async ({ organizations }, user, { query }) => {
        const { rows, next } = await organizations.list(user.id, readPage(query));
        return json(200, { organizations: rows.map(showOrganization), next });
      }),
      POST: own(async ({ organizations }, user, { request }) => {
        const name = readName((await readJson(request))['name']);
        const { organization, isNew } = await organizations.create(user, name, readRequestKey(request));
        return json(isNew ? 201 : 200, { organization: showOrganization({ ...organization, role: 'owner' }) });
      }),
    },
    '/invitations/accept': {
      POST: own(async ({ invitations }, user, { request }) => {
        const { token } = await readJson(request);
        if (typeof token !== 'string') throw invalid('token', 'Expected a text');
        return json(200, { organization: showOrganization(await invitations.accept(user, token)) });
      }),
    },
    '/:id': {
      GET: own(async ({ organizations }, user, call) => json(200, { organization: showOrganization(await organizations.find(user.id, idOf(call))) })),
      PATCH: own(async ({ organizations }, user, call) => {
        const name = readName((await readJson(call.request))['name']);
        return json(200, { organization: showOrganization(await organizations.rename(user.id, idOf(call), name)) });
      }),
      DELETE: own(async ({ organizations, announce }, user, call) => {
        await organizations.remove(user.id, idOf(call));
        await announce(idOf(call));
        return done();
      }),
    },
    '/:id/members': {
      GET: own(async ({ organizations }, user, call) => {
        const { id } = await organizations.find(user.id, idOf(call));
        const { rows, next } = await organizations.members(id, readPage(call.query));
        return json(200, { members: rows.map(showMember), next });
      }),
    },
    '/:id/members/:user': {
      PATCH: own(async ({ organizations }, user, call) => {
        const role = readRole((await readJson(call.request))['role']);
        return json(200, { member: showMember(await organizations.changeRole(user.id, idOf(call), targetOf(call), role)) });
      }),
      DELETE: own(async ({ organizations }, user, call) => {
        await organizations.removeMember(user.id, idOf(call), targetOf(call));
        return done();
      }),
    },
    '/:id/transfer': {
      POST: own(async ({ organizations }, user, call) => {
        const { user_id: target } = await readJson(call.request);
        if (typeof target !== 'number' || !Number.isSafeInteger(target)) throw invalid('user_id', 'Expected the id of a member');
        return json(200, { member: showMember(await organizations.transfer(user.id, idOf(call), target)) });
      }),
    },
    '/:id/invitations': {
      GET: own(async ({ organizations, invitations }, user, call) => {
        const { id } = await organizations.find(user.id, idOf(call), 'invitations.manage');
        const { rows, next } = await invitations.list(id, readPage(call.query));
        return json(200, { invitations: rows.map(showInvitation), next });
      }),
      POST: own(async (parts, user, call) => {
        const { email, role = 'member' } = await readJson(call.request);
        return send(parts, user, await parts.invitations.invite(user.id, idOf(call), readEmail(email), readRole(role)), 201);
      }),
    },
    '/:id/invitations/:invitation': {
      DELETE: own(async ({ invitations }, user, call) => {
        await invitations.revoke(user.id, idOf(call), call.params['invitation'] ?? '');
        return done();
      }),
    },
    '/:id/invitations/:invitation/send': {
      POST: own(async (parts, user, call) =>
        send(parts, user, await parts.invitations.renew(user.id, idOf(call), call.params['invitation'] ?? ''), 200),
      ),
    },
  };
}

async function send({ invitations, sendMail, makeLink, writeMail }: Parts, user: User, opened: OpenedInvitation, status: number): Promise<Response> {
  const { invitation, token } = opened;
  const link = makeLink(token);
  if (!sendMail) return json(status, { invitation: showInvitation(invitation), link });
  try {
    await sendMail(writeMail(opened, link, user));
  } catch (cause) {
    // So that the same request can be sent again.
    if (status === 201) await invitations.undo(invitation.id);
    throw new RequestError(503, 'mail_unavailable', 'The invitation could not be sent. Try again later', { cause, headers: { 'Retry-After': '60' } });
  }
  return json(status, { invitation: showInvitation(invitation) });
}

const done = (): Response => new Response(null, { status: 204 });
const iso = (time: number): string => new Date(time).toISOString();

function showOrganization({ id, name, createdAt, role }: Organization & { readonly role: Role }) {
  return { id, name, role, created_at: iso(createdAt) };
}

function showMember({ userId, email, role, joinedAt }: Member) {
  return { user_id: userId, email, role, joined_at: iso(joinedAt) };
}

function showInvitation({ id, email, role, createdAt, expiresAt }: Invitation) {
  return { id, email, role, created_at: iso(createdAt), expires_at: iso(expiresAt) };
}

// Anything may stand in the path: what is not there is not found.
function idOf({ params }: Call): string {
  return /^[0-9a-f-]{36}$/.test(params['id'] ?? '') ? (params['id'] ?? '') : '';
}

function targetOf({ params }: Call): number {
  const text = params['user'] ?? '';
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new RequestError(404, 'member_not_found', 'There is no such member');
}

const MAX_NAME = 80;

// It stands in mails to strangers: one line, and nothing that programs make a link of.
function readName(value: unknown): string {
  if (typeof value !== 'string') throw invalid('name', 'Expected a text');
  const name = value.normalize('NFC').trim();
  if (name === '' || name.length > MAX_NAME) throw invalid('name', `Expected 1 to ${MAX_NAME} characters`);
  if (/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/u.test(name))
    throw invalid('name', 'Expected one line of text, without control characters');
  if (/:\/\/|www\./i.test(name)) throw invalid('name', 'Expected a name, not an address');
  return name;
}

function readRole(value: unknown): Role {
  if (isRole(value)) return value;
  throw invalid('role', 'Expected owner, admin or member');
}

function readEmail(value: unknown): string {
  const email = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (email.length <= 254 && /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}]+\.[^\s@<>()[\]\\,;:"\p{Cc}.]+$/u.test(email)) return email;
  throw invalid('email', 'Expected an e-mail address');
}
