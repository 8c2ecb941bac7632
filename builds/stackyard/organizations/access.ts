// Who may do what: roles, and the actions that modules declare. Nothing is cached: each question reads the membership as it is.

export type Role = 'owner' | 'admin' | 'member';

const RANK: Readonly<Record<Role, number>> = { member: 1, admin: 2, owner: 3 };

export function isRole(value: unknown): value is Role {
  return typeof value === 'string' && Object.keys(RANK).includes(value);
}

/** Whether a member with `role` may do what `least` may. */
export function reaches(role: Role, least: Role): boolean {
  return RANK[role] >= RANK[least];
}

/** Whether somebody with `role` decides about those with `other`: owners about all, others about those below. */
export function outranks(role: Role, other: Role): boolean {
  return role === 'owner' || RANK[role] > RANK[other];
}

/** A user in an organisation. */
export interface Membership {
  readonly userId: number;
  readonly organizationId: string;
  readonly role: Role;
}

/** The least role, or a function that decides about a member. */
export type Rule = Role | ((membership: Membership) => boolean | Promise<boolean>);

/** What the routes of this build ask for. */
const OWN = {
  'organization.read': 'member',
  'organization.rename': 'admin',
  'organization.delete': 'owner',
  'organization.transfer': 'owner',
  'members.manage': 'admin',
  'invitations.manage': 'admin',
} as const satisfies Record<string, Role>;

export type OwnAction = keyof typeof OWN;

export function leastRole(action: OwnAction): Role {
  return OWN[action];
}

const rules = new Map<string, Rule>(Object.entries(OWN));

/**
 * Declares actions of a module, such as `{ 'notes.write': 'member' }`, where the module is loaded. Throws `Error` where another module
 * has declared one of them.
 */
export function declareActions(actions: Readonly<Record<string, Rule>>): void {
  for (const [action, rule] of Object.entries(actions)) {
    const known = rules.get(action);
    if (known !== undefined && known !== rule)
      throw new Error(`Cannot declare action "${action}": it is declared already. Put the name of the module in front`);
    rules.set(action, rule);
  }
}

/** Whether the membership admits the action. Throws `TypeError` for one that nobody has declared: it would be refused silently for ever. */
export async function admits(membership: Membership | undefined, action: string): Promise<boolean> {
  const rule = rules.get(action);
  if (rule === undefined)
    throw new TypeError(`Nobody has declared action "${action}": call declareActions({ '${action}': 'member' }) in the module that asks`);
  if (!membership) return false;
  return typeof rule === 'string' ? reaches(membership.role, rule) : rule(membership);
}
