/** Warnings about proposals that the gate refuses until an admin of the registry acts. */
import { ownerFilePath } from '../../format/registry/repository-layout.ts';
import type { Layout } from '../../format/registry/repository-layout.ts';
import type { Warning } from '../plan/plan.ts';

/** Only the login of an organisation may publish first in its name: otherwise anybody could take the name. */
export function foreignOwner(owner: string, layout: Layout): Warning {
  const what = `"${owner}" is not your login and has no owner file yet`;
  return needsAdmin(
    ownerFilePath(owner, layout),
    what,
    'has merged one that lists you under "maintainers"',
  );
}

/** The builds are older than owner files: the account of their owner is unknown. */
export function unclaimedOwner(owner: string, layout: Layout): Warning {
  const what = `The registry does not know which account "${owner}" is`;
  return needsAdmin(
    ownerFilePath(owner, layout),
    what,
    'has written "account_id" into the owner file',
  );
}

function needsAdmin(path: string, what: string, deed: string): Warning {
  const message = `${what}: the gate refuses this until an admin of the registry ${deed}`;
  return { code: 'needs-admin', message, path };
}
