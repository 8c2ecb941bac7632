/** Builds that moved to another id, by the owner files of both sides. Pure. */
import type { OwnerFile } from './owner-file.ts';

/** A longer way is refused, as a cycle is. */
export const MAX_MOVES = 10;

/** What is wrong with a move. */
type MoveProblem = 'cycle' | 'unaccepted' | 'unpublished';

export interface OwnerFiles {
  readonly ownerFile: (owner: string) => OwnerFile;
  readonly hasBuild: (id: string) => boolean;
}

/** Where the owner file states that `id` moved to; `undefined` for a build that did not. */
export function moveOf(
  id: string,
  files: Pick<OwnerFiles, 'ownerFile'>,
): NonNullable<OwnerFile['moved']>[string] | undefined {
  const [owner = '', name = ''] = id.split('/');
  return own(files.ownerFile(owner).moved, name);
}

/** Why the move of `id` does not count; `undefined` when it does, or when there is none. */
export function moveProblem(id: string, files: OwnerFiles): MoveProblem | undefined {
  let at = id;
  for (let step = 0; step <= MAX_MOVES; step += 1) {
    const move = moveOf(at, files);
    if (move === undefined) return undefined;
    if (step === 0 && acceptedBy(move.to, files) !== id) return 'unaccepted';
    if (step === 0 && !files.hasBuild(move.to)) return 'unpublished';
    at = move.to;
    if (at === id) return 'cycle';
  }
  return 'cycle';
}

/** The build that the owner of `id` accepts to be continued under this id. */
function acceptedBy(id: string, files: Pick<OwnerFiles, 'ownerFile'>): string | undefined {
  const [owner = '', name = ''] = id.split('/');
  return own(files.ownerFile(owner).accepts, name);
}

/** The builds whose way leads to `id`, if they moved at all: nearest first. */
export function predecessors(id: string, files: Pick<OwnerFiles, 'ownerFile'>): string[] {
  const found: string[] = [];
  let at = acceptedBy(id, files);
  while (at !== undefined && at !== id && !found.includes(at) && found.length <= MAX_MOVES) {
    found.push(at);
    at = acceptedBy(at, files);
  }
  return found;
}

/** Names of builds may be names of inherited properties, such as `constructor`. */
export function own<Value>(
  map: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;
}
