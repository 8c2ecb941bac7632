// Organisations and their members in the database. What changes who belongs to an organisation locks its row first: of two owners who
// leave at once, the second one sees that the first is gone.

import { randomUUID } from 'node:crypto';
import { cutPage, type Page, RequestError, type User } from '../module-routes/index.js';
import { portableMigrations, type Sql, type Statement, statement } from '../sql/index.js';
import { leastRole, type Membership, outranks, type OwnAction, reaches, type Role } from './access.js';

export interface Organization {
  readonly id: string;
  readonly name: string;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
}

export interface Member {
  readonly userId: number;
  /** As it was when the user joined. */
  readonly email: string;
  readonly role: Role;
  readonly joinedAt: number;
}

export const organizationsMigrations = portableMigrations([
  {
    id: '0001_organizations_create',
    up: `CREATE TABLE organizations (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      created_by BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      request_key TEXT,
      UNIQUE (created_by, request_key)
    );
    CREATE TABLE organization_members (
      organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
      user_id BIGINT NOT NULL,
      email TEXT NOT NULL,
      role TEXT NOT NULL,
      joined_at BIGINT NOT NULL,
      PRIMARY KEY (organization_id, user_id)
    );
    CREATE INDEX organization_members_by_user ON organization_members (user_id, joined_at);
    CREATE TABLE organization_invitations (
      id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
      email TEXT NOT NULL,
      role TEXT NOT NULL,
      token_hash TEXT NOT NULL UNIQUE,
      invited_by BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      sent_at BIGINT NOT NULL,
      sends BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      ended_at BIGINT,
      accepted_by BIGINT
    );
    CREATE UNIQUE INDEX organization_invitations_open ON organization_invitations (organization_id, email) WHERE ended_at IS NULL;
    CREATE INDEX organization_invitations_by_inviter ON organization_invitations (invited_by, created_at)`,
  },
]);

const ORGANIZATION = 'o.id, o.name, o.created_at AS "createdAt"';
const MEMBER = 'user_id AS "userId", email, role, joined_at AS "joinedAt"';

/** Organisations that one user may own. */
const MAX_OWNED = 50;

type Steps<T> = Generator<Statement, T, unknown[]>;

// A stranger gets the same answer for an organisation of others as for one that does not exist.
export const notFound = (): RequestError => new RequestError(404, 'organization_not_found', 'There is no such organization');
export const forbidden = (message: string): RequestError => new RequestError(403, 'forbidden', message);
const memberNotFound = (): RequestError => new RequestError(404, 'member_not_found', 'There is no such member');
const lastOwner = (): RequestError => new RequestError(409, 'last_owner', 'An organization needs an owner: hand it over first, or delete it');

type Entered = Organization & { readonly role: Role };

const ENTERED = `SELECT ${ORGANIZATION}, m.role FROM organizations o JOIN organization_members m ON m.organization_id = o.id WHERE o.id = $1 AND m.user_id = $2`;

function admitted(found: Entered | undefined, action: OwnAction): Entered {
  if (!found) throw notFound();
  if (!reaches(found.role, leastRole(action))) throw forbidden(`This needs the role "${leastRole(action)}"`);
  return found;
}

/** Locks an organisation, and gives it with the role of the user. Throws where that user is no member, or may not do `action`. */
export function* enter(userId: number, id: string, action: OwnAction): Steps<Entered> {
  yield* statement('UPDATE organizations SET name = name WHERE id = $1', [id]);
  const [found] = yield* statement<Entered>(ENTERED, [id, userId]);
  return admitted(found, action);
}

function* memberOf(organizationId: string, userId: number): Steps<Member> {
  const [member] = yield* statement<Member>(`SELECT ${MEMBER} FROM organization_members WHERE organization_id = $1 AND user_id = $2`, [
    organizationId,
    userId,
  ]);
  if (!member) throw memberNotFound();
  return member;
}

function* setRole(organizationId: string, userId: number, role: Role): Steps<void> {
  yield* statement('UPDATE organization_members SET role = $3 WHERE organization_id = $1 AND user_id = $2', [organizationId, userId, role]);
}

/** Throws unless somebody else than this member owns the organisation. */
function* keepOwner(organizationId: string, { userId, role }: Member): Steps<void> {
  if (role !== 'owner') return;
  const [other] = yield* statement(
    `SELECT 1 AS found FROM organization_members WHERE organization_id = $1 AND role = 'owner' AND user_id <> $2 LIMIT 1`,
    [organizationId, userId],
  );
  if (!other) throw lastOwner();
}

export type OrganizationStore = ReturnType<typeof createOrganizationStore>;

export function createOrganizationStore(sql: Sql, now: () => number) {
  return {
    /** Makes the user the owner of a new organisation, once for each request key. */
    create: (user: User, name: string, requestKey: string | null): Promise<{ readonly organization: Organization; readonly isNew: boolean }> =>
      sql.transaction(function* () {
        const id = randomUUID();
        const made = yield* statement(
          'INSERT INTO organizations (id, name, created_by, created_at, request_key) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (created_by, request_key) DO NOTHING RETURNING id',
          [id, name, user.id, now(), requestKey],
        );
        if (made.length === 0) {
          const [organization] = yield* statement<Organization>(
            `SELECT ${ORGANIZATION} FROM organizations o WHERE created_by = $1 AND request_key = $2`,
            [user.id, requestKey],
          );
          if (!organization || organization.name !== name)
            throw new RequestError(409, 'idempotency_key_reused', 'Another request has had this Idempotency-Key: use a new one');
          return { organization, isNew: false };
        }
        const [owned] = yield* statement<{ count: number }>(
          `SELECT COUNT(*) AS count FROM organization_members WHERE user_id = $1 AND role = 'owner'`,
          [user.id],
        );
        if ((owned?.count ?? 0) >= MAX_OWNED)
          throw new RequestError(409, 'too_many_organizations', `At most ${MAX_OWNED} organizations can be yours`);
        yield* statement('INSERT INTO organization_members (organization_id, user_id, email, role, joined_at) VALUES ($1, $2, $3, $4, $5)', [
          id,
          user.id,
          user.email,
          'owner',
          now(),
        ]);
        return { organization: { id, name, createdAt: now() }, isNew: true };
      }),

    /** Those of a user with the role there, the newest membership first. */
    async list(userId: number, { limit, after }: Page) {
      const rows = await sql.query<Organization & { role: Role; joinedAt: number }>(
        `SELECT ${ORGANIZATION}, m.role, m.joined_at AS "joinedAt" FROM organization_members m JOIN organizations o ON o.id = m.organization_id
         WHERE m.user_id = $1 AND (m.joined_at < $2 OR (m.joined_at = $2 AND o.id < $3)) ORDER BY m.joined_at DESC, o.id DESC LIMIT $4`,
        [userId, after.time, after.id, limit + 1],
      );
      return cutPage(rows, limit, ({ joinedAt, id }) => ({ time: joinedAt, id }));
    },

    async membership(userId: number, organizationId: string): Promise<Membership | undefined> {
      const [row] = await sql.query<{ role: Role }>('SELECT role FROM organization_members WHERE organization_id = $1 AND user_id = $2', [
        organizationId,
        userId,
      ]);
      return row && { userId, organizationId, role: row.role };
    },

    /** With the role of the user. Throws where that user is no member, or may not do `action`. */
    async find(userId: number, id: string, action: OwnAction = 'organization.read'): Promise<Entered> {
      const [found] = await sql.query<Entered>(ENTERED, [id, userId]);
      return admitted(found, action);
    },

    rename: (userId: number, id: string, name: string) =>
      sql.transaction(function* () {
        const organization = yield* enter(userId, id, 'organization.rename');
        yield* statement('UPDATE organizations SET name = $2 WHERE id = $1', [id, name]);
        return { ...organization, name };
      }),

    remove: (userId: number, id: string) =>
      sql.transaction(function* () {
        const { id: removed } = yield* enter(userId, id, 'organization.delete');
        yield* statement('DELETE FROM organizations WHERE id = $1', [removed]);
      }),

    /** The members, the newest first. */
    async members(organizationId: string, { limit, after }: Page) {
      const rows = await sql.query<Member>(
        `SELECT ${MEMBER} FROM organization_members WHERE organization_id = $1 AND (joined_at < $2 OR (joined_at = $2 AND user_id < $3))
         ORDER BY joined_at DESC, user_id DESC LIMIT $4`,
        [organizationId, after.time, Number(after.id) || 0, limit + 1],
      );
      return cutPage(rows, limit, ({ joinedAt, userId }) => ({ time: joinedAt, id: String(userId) }));
    },

    changeRole: (userId: number, id: string, targetId: number, role: Role) =>
      sql.transaction(function* () {
        const actor = yield* enter(userId, id, 'members.manage');
        const target = yield* memberOf(id, targetId);
        if (!outranks(actor.role, target.role) || !outranks(actor.role, role))
          throw forbidden('You can change members below your role, to roles below it');
        if (role !== 'owner') yield* keepOwner(id, target);
        yield* setRole(id, targetId, role);
        return { ...target, role };
      }),

    /** Removes a member; everybody may remove themselves. */
    removeMember: (userId: number, id: string, targetId: number) =>
      sql.transaction(function* () {
        const actor = yield* enter(userId, id, userId === targetId ? 'organization.read' : 'members.manage');
        const target = yield* memberOf(id, targetId);
        if (userId !== targetId && !outranks(actor.role, target.role)) throw forbidden('You can remove members below your role');
        yield* keepOwner(id, target);
        yield* statement('DELETE FROM organization_members WHERE organization_id = $1 AND user_id = $2', [id, targetId]);
        // Nobody comes back, or lets others in, by an invitation of before.
        yield* statement(
          'UPDATE organization_invitations SET ended_at = $4 WHERE organization_id = $1 AND ended_at IS NULL AND (invited_by = $2 OR email = $3)',
          [id, targetId, target.email, now()],
        );
      }),

    /** Makes another member an owner, and the owner who does it an admin. */
    transfer: (userId: number, id: string, targetId: number) =>
      sql.transaction(function* () {
        yield* enter(userId, id, 'organization.transfer');
        const target = yield* memberOf(id, targetId);
        if (targetId === userId) return target;
        yield* setRole(id, targetId, 'owner');
        yield* setRole(id, userId, 'admin');
        return { ...target, role: 'owner' as const };
      }),

    /**
     * Takes an account that was deleted out of its organisations. Where it was the last owner, the oldest admin becomes one, else the
     * oldest member; an organisation without members is deleted. Gives the ids of those that were.
     */
    async forget(userId: number): Promise<string[]> {
      const removed: string[] = [];
      for (const { id } of await sql.query<{ id: string }>('SELECT organization_id AS id FROM organization_members WHERE user_id = $1', [userId])) {
        if (await sql.transaction(() => forgetIn(id, userId))) removed.push(id);
      }
      await sql.query(`UPDATE organization_invitations SET ended_at = $2 WHERE invited_by = $1 AND ended_at IS NULL`, [userId, now()]);
      return removed;
    },
  };
}

// Whether the organisation was deleted.
function* forgetIn(id: string, userId: number): Steps<boolean> {
  yield* statement('UPDATE organizations SET name = name WHERE id = $1', [id]);
  yield* statement('DELETE FROM organization_members WHERE organization_id = $1 AND user_id = $2', [id, userId]);
  const [heir] = yield* statement<Member>(
    `SELECT ${MEMBER} FROM organization_members WHERE organization_id = $1
     ORDER BY CASE role WHEN 'owner' THEN 0 WHEN 'admin' THEN 1 ELSE 2 END, joined_at, user_id LIMIT 1`,
    [id],
  );
  if (!heir) yield* statement('DELETE FROM organizations WHERE id = $1', [id]);
  else if (heir.role !== 'owner') yield* setRole(id, heir.userId, 'owner');
  return !heir;
}
