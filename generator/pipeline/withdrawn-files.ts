/** The files of a version that end with its withdrawal. Its record, its provenance and what its code can do stay, as does its head entry. */
import { tarballPath } from '../../format/index/layout.ts';
import { shadcnVersionPath } from '../../format/index/shadcn-path.ts';
import type { State } from '../state/state.ts';

/** Their paths, beside the pages; forgets the items for shadcn. */
export function withdrawnFiles(
  state: State,
  withdrawn: readonly { readonly id: string; readonly version: string }[],
): string[] {
  return withdrawn.flatMap(({ id, version }) => {
    const hadItem = state.shadcn.has(id, version);
    if (hadItem) state.shadcn.dropVersion(id, version);
    return [tarballPath(id, version), ...(hadItem ? [shadcnVersionPath(id, version)] : [])];
  });
}
