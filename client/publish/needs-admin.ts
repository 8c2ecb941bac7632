/** What the gate lets nobody but an admin of the registry do, told before the pull request is opened. */
import { ownerPath } from './owner-edit.ts';
import type { Warning } from '../plan/plan.ts';

/** Anybody could take the name of an organisation otherwise: only its own login may begin. */
export function foreignOwner(owner: string): Warning {
  const what = `"${owner}" is not your login and has no owner file yet`;
  return needsAdmin(owner, what, 'has merged one that lists you under "maintainers"');
}

/** Builds that came in before owner files: nobody can tell whose account it is. */
export function unclaimedOwner(owner: string): Warning {
  const what = `The registry does not know which account "${owner}" is`;
  return needsAdmin(owner, what, 'has written "account_id" into the owner file');
}

function needsAdmin(owner: string, what: string, deed: string): Warning {
  const message = `${what}: the gate refuses this until an admin of the registry ${deed}`;
  return { code: 'needs-admin', message, path: ownerPath(owner) };
}
