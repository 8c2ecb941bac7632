/** Sorts changed entries by their role in the registry. */
import { ADVISORIES_FOLDER } from '../../format/advisory/advisory.ts';
import { MANIFEST_FILE } from '../../format/build/build-files.ts';
import { placeAt } from '../../format/registry/repository-layout.ts';
import type { Layout } from '../../format/registry/repository-layout.ts';
import type { ChangedEntry } from './changed-entries.ts';
import { isGone } from './changed-entries.ts';

export interface SortedChanges {
  /** `<owner>/<name>` as the folders are named, to the entries below or in place of the folder. */
  readonly builds: ReadonlyMap<string, readonly ChangedEntry[]>;
  /** Owner folder to its changed owner file. */
  readonly owners: ReadonlyMap<string, ChangedEntry>;
  /** Reports and flags. */
  readonly statements: readonly ChangedEntry[];
  readonly moderation: readonly ChangedEntry[];
  readonly advisories: readonly ChangedEntry[];
  /** Below `builds/` and in no build folder. */
  readonly strays: readonly Stray[];
  /** The registry's own files. */
  readonly others: readonly ChangedEntry[];
}

interface Stray extends ChangedEntry {
  readonly owner: string;
  /** In another place than the layout has for the owner. */
  readonly isMisplaced: boolean;
}

export function sortChanges(entries: readonly ChangedEntry[], layout: Layout): SortedChanges {
  const builds = new Map<string, ChangedEntry[]>();
  const owners = new Map<string, ChangedEntry>();
  const [statements, moderation, advisories, others]: ChangedEntry[][] = [[], [], [], []];
  const strays: Stray[] = [];
  for (const entry of entries) {
    const [room = ''] = entry.path.split('/');
    const place = placeAt(entry.path, layout);
    if (room === 'reports' || room === 'flags') statements!.push(entry);
    else if (room === 'moderation') moderation!.push(entry);
    else if (room === ADVISORIES_FOLDER) advisories!.push(entry);
    else if (place.kind === 'outside' || isBesideOwners(entry)) others!.push(entry);
    else if (place.kind === 'owner-file') owners.set(place.owner, entry);
    else if (place.kind === 'build' && (place.file !== '' || isFolderLike(entry, place.name))) {
      const id = `${place.owner}/${place.name}`;
      const known = builds.get(id);
      if (known === undefined) builds.set(id, [entry]);
      else known.push(entry);
    } else {
      const owner = 'owner' in place ? place.owner : '';
      strays.push({ ...entry, owner, isMisplaced: place.kind === 'misplaced' });
    }
  }
  return {
    builds,
    owners,
    statements: statements!,
    moderation: moderation!,
    advisories: advisories!,
    strays,
    others: others!,
  };
}

/** The owner folders below `builds/` in which something changes. */
export function touchedOwners({ builds, owners, strays }: SortedChanges): string[] {
  const ofBuilds = [...builds.keys()].map((id) => id.split('/')[0] ?? '');
  const ofStrays = strays.map(({ owner }) => owner);
  return [...new Set([...ofBuilds, ...owners.keys(), ...ofStrays])].sort();
}

/** A plain file beside the owner folders, such as a README, which belongs to no build. */
function isBesideOwners(entry: ChangedEntry): boolean {
  const isPlain = [entry.oldMode, entry.mode].every((m) => m === '000000' || m.startsWith('100'));
  return isPlain && entry.path.split('/').length === 2;
}

/** A link or submodule where a build folder should be; plain files there belong to no build. */
function isFolderLike(entry: ChangedEntry, name: string): boolean {
  const mode = isGone(entry) ? entry.oldMode : entry.mode;
  return (mode === '120000' || mode === '160000') && name !== MANIFEST_FILE;
}
