// The module: its settings, its start and stop, the mail of an invitation, and what other modules ask.

import { type Auth, createRoutes, RequestError, type User } from '../module-routes/index.js';
import { createSql } from '../sql/index.js';
import { admits } from './access.js';
import { createInvitationStore, type OpenedInvitation } from './invitations.js';
import { openApi } from './openapi.js';
import { createOrganizationStore, notFound, organizationsMigrations, type OrganizationStore } from './organizations.js';
import { type InvitationMail, organizationRoutes } from './routes.js';

export interface OrganizationsOptions {
  /** That of the build with the tag `database`. */
  readonly database: Parameters<typeof createSql>[0];
  /** Those of the build with the tag `auth`. */
  readonly auth: Auth;
  /** `sendMail` of the build with the tag `mail`, or another mailer. Without it the link is in the answer, for the admin to pass on. */
  readonly mail?: ((mail: InvitationMail) => unknown) | undefined;
  /** The page of the application that accepts an invitation. Default: `invitation?token=...` below APP_URL. */
  readonly link?: (token: string) => string;
  /** Default: an English text. */
  readonly writeMail?: (opened: OpenedInvitation, link: string, by: User) => InvitationMail;
  /** How long an invitation can be accepted, in days. Default: 7. */
  readonly invitationDays?: number;
  /** Who may use a token: the account with the invited address, or `anyone` who is logged in and has it. Default: `address`. */
  readonly acceptedBy?: 'address' | 'anyone';
  /** The time in milliseconds, for tests. */
  readonly now?: () => number;
}

type Env = Readonly<Record<string, string | undefined>>;
type DeletedListener = (organizationId: string) => void | Promise<void>;

/** A `Module` of src/module.ts in a foundation. */
export type OrganizationsModule = ReturnType<typeof createOrganizationsModule>;

const DAY_MS = 86_400_000;
const DEVELOPMENT_URL = 'http://localhost:3000';

let current: OrganizationStore | undefined;
const deletedListeners = new Set<DeletedListener>();

function started(): OrganizationStore {
  if (current) return current;
  throw new Error('Cannot use organizations before the start: put "organizationsModule" into "modules" of src/modules.ts');
}

/** Organisations of users, below `/organizations`. */
export function createOrganizationsModule(options: OrganizationsOptions) {
  const { database, auth, now = Date.now, invitationDays = 7, writeMail = writeInvitation } = options;
  if (!(invitationDays > 0 && invitationDays <= 365)) throw new RangeError(`Option "invitationDays" is "${invitationDays}": use a number up to 365`);
  const sql = createSql(database);
  const organizations = createOrganizationStore(sql, now);
  const invitations = createInvitationStore(sql, now, { ttlMs: invitationDays * DAY_MS, acceptsAnyAddress: options.acceptedBy === 'anyone' });
  let appUrl = DEVELOPMENT_URL;
  let end: (() => void) | undefined;
  const makeLink = options.link ?? ((token: string) => `${appUrl.replace(/\/+$/, '')}/invitation?token=${token}`);
  const open = () => ({ organizations: started(), invitations, auth, sendMail: options.mail, makeLink, writeMail, announce });

  return {
    name: 'organizations' as const,
    migrations: [organizationsMigrations],
    checkSettings(env: Env): { name: string; message: string }[] {
      if (options.link) return [];
      const url = env['APP_URL']?.trim() ?? '';
      const isOpen = env['NODE_ENV'] === 'development' || env['NODE_ENV'] === 'test';
      if (url === '' && isOpen) return [];
      // Not over plain HTTP, where others could read the token.
      if (/^https:\/\/[^\s?#]+$/.test(url) || (isOpen && /^http:\/\/[^\s?#]+$/.test(url))) return [];
      return [{ name: 'APP_URL', message: 'Expected the address where people open the application, such as https://app.example.com' }];
    },
    start({ env }: { readonly env: Env }): void {
      appUrl = env['APP_URL']?.trim() || DEVELOPMENT_URL;
      current = organizations;
      end = auth.onUserDeleted(async ({ id }) => {
        for (const organizationId of await organizations.forget(id)) await announce(organizationId);
      });
    },
    checks: { organizations: () => sql.query('SELECT 1 AS found FROM organizations LIMIT 1') },
    routes: [{ prefix: '/organizations', ...createRoutes(organizationRoutes(open)), openapi: openApi }],
    stop(): void {
      end?.();
      current = undefined;
    },
  };
}

async function announce(organizationId: string): Promise<void> {
  for (const listener of deletedListeners) await listener(organizationId);
}

/** Calls the listener after an organisation was deleted, for what a module has of it. Returns what ends that. */
export function onOrganizationDeleted(listener: DeletedListener): () => void {
  deletedListeners.add(listener);
  return () => void deletedListeners.delete(listener);
}

/**
 * Whether a user may do this in an organisation: true for members whom the rule of the action admits. Reads the membership each time.
 * Throws `TypeError` for an action that nobody has declared.
 */
export async function may(user: number | Pick<User, 'id'>, action: string, organizationId: string): Promise<boolean> {
  return admits(await started().membership(typeof user === 'number' ? user : user.id, organizationId), action);
}

/** As `may`, for routes: throws 404 where the user is no member, 403 where the rule refuses; a foundation answers both. */
export async function assertMay(user: number | Pick<User, 'id'>, action: string, organizationId: string): Promise<void> {
  const membership = await started().membership(typeof user === 'number' ? user : user.id, organizationId);
  if (await admits(membership, action)) return;
  if (!membership) throw notFound();
  throw new RequestError(403, 'forbidden', `You may not do this here (${action})`);
}

function writeInvitation({ invitation, organization }: OpenedInvitation, link: string, by: User): InvitationMail {
  const until = new Date(invitation.expiresAt).toISOString().slice(0, 10);
  return {
    to: invitation.email,
    subject: `Invitation to ${organization.name}`,
    text: [
      `${by.email} invites you to join "${organization.name}" as ${invitation.role}.`,
      `To accept, open this address before ${until}, and log in or register with ${invitation.email}:`,
      link,
      'If you do not know the sender, do nothing.',
    ].join('\n\n'),
  };
}
