/** What a rule of the gate is, and what it reads. */
import type { Person } from '../../../format/registry/account.ts';
import type { Reason } from '../gate-verdict.ts';
import type { ChangedBuild } from '../builds.ts';
import type { Changes } from '../changes.ts';
import type { ChangedOwner } from '../owners.ts';
import type { Registry } from '../registry.ts';

/** A pull request, and what merging it makes of the registry. */
export interface Change extends Registry, Changes {
  /** Who opened it, from the code host's event. */
  readonly author: Person;
  /** The present, in UTC, as records write times. */
  readonly now: string;
  readonly owners: readonly ChangedOwner[];
  /** Those that the author may change. */
  readonly builds: readonly ChangedBuild[];
}

/** What holds a change up; none, when the rule has nothing against it. */
export type Rule = (change: Change) => readonly Reason[] | Promise<readonly Reason[]>;
