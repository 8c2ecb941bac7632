// Invitations: a token that is sent to an address, of which the database has only the SHA-256. It works once, until it expires, and for
// the account with the invited address: so a mail that was passed on lets nobody else in.

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { cutPage, type Page, RequestError, type User } from '../module-routes/index.js';
import { type Sql, statement } from '../sql/index.js';
import { outranks, type Role } from './access.js';
import { enter, forbidden, type Organization } from './organizations.js';

export interface Invitation {
  readonly id: string;
  readonly organizationId: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** An invitation with what its link needs. The token is nowhere else. */
export interface OpenedInvitation {
  readonly invitation: Invitation;
  readonly organization: Organization;
  readonly token: string;
}

export interface InvitationRules {
  /** How long a token works, in milliseconds. */
  readonly ttlMs: number;
  /** Whether another account than that of the address may use the token. */
  readonly acceptsAnyAddress: boolean;
}

const COLUMNS = 'id, organization_id AS "organizationId", email, role, created_at AS "createdAt", expires_at AS "expiresAt"';
const DAY_MS = 86_400_000;
/** Mails that one user may cause in a day, and those of one invitation: nobody shall send mails to strangers by this application. */
const MAX_PER_DAY = 50;
const MAX_SENDS = 5;
const RESEND_MS = 60_000;
const KEEP_MS = 30 * DAY_MS;

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
// No slow hash and no salt: nobody can guess 256 random bits.
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
const newToken = (): string => randomBytes(32).toString('base64url');

export const invitationNotFound = (): RequestError =>
  new RequestError(404, 'invitation_not_found', 'The invitation does not exist, was used, or has expired');
const tooMany = (message: string, seconds: number): RequestError =>
  new RequestError(429, 'rate_limited', message, { headers: { 'Retry-After': String(seconds) } });

export type InvitationStore = ReturnType<typeof createInvitationStore>;

export function createInvitationStore(sql: Sql, now: () => number, { ttlMs, acceptsAnyAddress }: InvitationRules) {
  return {
    /** Throws 409 where the address is invited or a member: so two clicks send one mail. */
    invite: (userId: number, organizationId: string, email: string, role: Role): Promise<OpenedInvitation> =>
      sql.transaction(function* () {
        const organization = yield* enter(userId, organizationId, 'invitations.manage');
        if (!outranks(organization.role, role)) throw forbidden('You can invite to roles below yours');
        const [member] = yield* statement('SELECT 1 AS found FROM organization_members WHERE organization_id = $1 AND email = $2', [
          organizationId,
          email,
        ]);
        if (member) throw new RequestError(409, 'already_member', 'This address belongs to a member');
        const time = now();
        const [sent] = yield* statement<{ count: number }>(
          'SELECT COALESCE(SUM(sends), 0) AS count FROM organization_invitations WHERE invited_by = $1 AND created_at > $2',
          [userId, time - DAY_MS],
        );
        if ((sent?.count ?? 0) >= MAX_PER_DAY) throw tooMany(`At most ${MAX_PER_DAY} invitations can be sent in a day`, 3600);
        yield* statement('DELETE FROM organization_invitations WHERE organization_id = $1 AND ended_at < $2', [organizationId, time - KEEP_MS]);
        yield* statement('UPDATE organization_invitations SET ended_at = $2 WHERE organization_id = $1 AND ended_at IS NULL AND expires_at <= $2', [
          organizationId,
          time,
        ]);
        const token = newToken();
        const invitation: Invitation = { id: randomUUID(), organizationId, email, role, createdAt: time, expiresAt: time + ttlMs };
        const made = yield* statement(
          `INSERT INTO organization_invitations (id, organization_id, email, role, token_hash, invited_by, created_at, sent_at, sends, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $7, 1, $8) ON CONFLICT (organization_id, email) WHERE ended_at IS NULL DO NOTHING RETURNING id`,
          [invitation.id, organizationId, email, role, hashOf(token), userId, time, invitation.expiresAt],
        );
        if (made.length === 0)
          throw new RequestError(409, 'already_invited', 'This address is invited already: send the invitation again, or revoke it');
        return { invitation, organization, token };
      }),

    /** A new token in place of the old one, for another mail. */
    renew: (userId: number, organizationId: string, id: string): Promise<OpenedInvitation> =>
      sql.transaction(function* () {
        const organization = yield* enter(userId, organizationId, 'invitations.manage');
        const [open] = yield* statement<Invitation & { sentAt: number; sends: number }>(
          `SELECT ${COLUMNS}, sent_at AS "sentAt", sends FROM organization_invitations WHERE id = $1 AND organization_id = $2 AND ended_at IS NULL`,
          [id, organizationId],
        );
        if (!open) throw invitationNotFound();
        if (!outranks(organization.role, open.role)) throw forbidden('You can invite to roles below yours');
        const wait = open.sentAt + RESEND_MS - now();
        if (wait > 0) throw tooMany('This invitation was sent just now', Math.ceil(wait / 1000));
        if (open.sends >= MAX_SENDS) throw tooMany(`An invitation can be sent ${MAX_SENDS} times`, DAY_MS / 1000);
        const token = newToken();
        const expiresAt = now() + ttlMs;
        yield* statement('UPDATE organization_invitations SET token_hash = $2, sent_at = $3, sends = sends + 1, expires_at = $4 WHERE id = $1', [
          id,
          hashOf(token),
          now(),
          expiresAt,
        ]);
        const { sentAt: _sentAt, sends: _sends, ...invitation } = open;
        return { invitation: { ...invitation, expiresAt }, organization, token };
      }),

    revoke: (userId: number, organizationId: string, id: string): Promise<void> =>
      sql.transaction(function* () {
        yield* enter(userId, organizationId, 'invitations.manage');
        const ended = yield* statement(
          'UPDATE organization_invitations SET ended_at = $3 WHERE id = $1 AND organization_id = $2 AND ended_at IS NULL RETURNING id',
          [id, organizationId, now()],
        );
        if (ended.length === 0) throw invitationNotFound();
      }),

    /** As if it had never been: its mail could not be sent. */
    async undo(id: string): Promise<void> {
      await sql.query('DELETE FROM organization_invitations WHERE id = $1 AND accepted_by IS NULL', [id]);
    },

    /** Those that are open, the newest first. */
    async list(organizationId: string, { limit, after }: Page) {
      const rows = await sql.query<Invitation>(
        `SELECT ${COLUMNS} FROM organization_invitations WHERE organization_id = $1 AND ended_at IS NULL AND expires_at > $2
         AND (created_at < $3 OR (created_at = $3 AND id < $4)) ORDER BY created_at DESC, id DESC LIMIT $5`,
        [organizationId, now(), after.time, after.id, limit + 1],
      );
      return cutPage(rows, limit, ({ createdAt, id }) => ({ time: createdAt, id }));
    },

    /** Makes the user a member. The same again gives the same answer, while the user is a member. */
    accept: (user: User, token: string): Promise<Organization & { readonly role: Role }> =>
      sql.transaction(function* () {
        const hash = hashOf(TOKEN.test(token) ? token : '');
        const [found] = yield* statement<Invitation>(`SELECT ${COLUMNS} FROM organization_invitations WHERE token_hash = $1`, [hash]);
        if (!found) throw invitationNotFound();
        const { id, organizationId, email, role } = found;
        // First: an organisation that is being deleted takes its invitations with it.
        yield* statement('UPDATE organizations SET name = name WHERE id = $1', [organizationId]);
        const time = now();
        if (!acceptsAnyAddress && email !== user.email.trim().toLowerCase()) {
          throw new RequestError(403, 'other_address', 'The invitation is for another address: log in with the account that has it');
        }
        const used = yield* statement(
          'UPDATE organization_invitations SET ended_at = $2, accepted_by = $3 WHERE id = $1 AND token_hash = $4 AND ended_at IS NULL AND expires_at > $2 RETURNING id',
          [id, time, user.id, hash],
        );
        const [earlier] = yield* statement('SELECT 1 AS found FROM organization_invitations WHERE id = $1 AND accepted_by = $2', [id, user.id]);
        if (!earlier) throw invitationNotFound();
        if (used.length > 0) {
          yield* statement(
            'INSERT INTO organization_members (organization_id, user_id, email, role, joined_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (organization_id, user_id) DO NOTHING',
            [organizationId, user.id, user.email, role, time],
          );
        }
        const [joined] = yield* statement<Organization & { role: Role }>(
          `SELECT o.id, o.name, o.created_at AS "createdAt", m.role FROM organizations o JOIN organization_members m ON m.organization_id = o.id WHERE o.id = $1 AND m.user_id = $2`,
          [organizationId, user.id],
        );
        if (!joined) throw invitationNotFound();
        return joined;
      }),
  };
}
