/** The input of the resolver. */
import type { StackFact } from '../../format/project/declared-stack.ts';
import type { LockedBuild } from '../../format/lock/lock.ts';
import type { Movable } from './candidates.ts';
import type { KnownHead } from './known-head.ts';
import type { BuildRequest } from './request.ts';

export interface ResolveInput {
  readonly requests: readonly BuildRequest[];
  /** The heads that are known so far; the caller adds those that the resolver needs. */
  readonly heads: ReadonlyMap<string, KnownHead>;
  /** Ids that the registry does not have; the caller adds to it as well. */
  readonly missing: ReadonlySet<string>;
  /** The installed builds, from the lock. */
  readonly locked: ReadonlyMap<string, Pick<LockedBuild, 'version' | 'provides' | 'builds'>>;
  /** Stack tag to what the project has. */
  readonly stack: ReadonlyMap<string, StackFact>;
  /** Stack tags that count as met in any range, to find out what causes a failure. */
  readonly assumed?: ReadonlySet<string>;
  /** Installed builds whose version may change, unlike those of `locked`. */
  readonly movable?: ReadonlyMap<string, Movable>;
}
