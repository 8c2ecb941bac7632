/** What an OSV dump has about the packages that builds bring. */
import { packageKey } from '../../format/advisory/package-advisories.ts';
import type { Manifest } from '../../format/build/manifest.ts';
import type { State } from '../state/state.ts';
import { packagesOf, type BuildFacts } from './record.ts';

/** What the state remembers the dump by. */
const OSV_DIGEST = 'osv';

/**
 * Reads the dump where it is another one than in the last run, and marks all builds.
 * @param folder without one, nothing is known about packages
 * @returns how many files of it are not OSV entries
 * @throws {GeneratorError} `ERR_OSV`
 */
export async function takeDump(
  state: State,
  folder: string | undefined,
  builds: Set<string>,
): Promise<number> {
  if (folder === undefined && (state.meta(OSV_DIGEST) ?? '') === '') return 0;
  // Most registries have none: the modules that read it are loaded where there is one.
  const { dumpDigest, dumpFiles } = await import('../osv.ts');
  const digest = folder === undefined ? '' : await dumpDigest(folder);
  if ((state.meta(OSV_DIGEST) ?? '') === digest) return 0;
  const { packageFacts } = await import('../osv.ts');
  state.setMeta(OSV_DIGEST, digest);
  state.osv.clear();
  let unusable = 0;
  for await (const file of folder === undefined ? [] : dumpFiles(folder)) {
    const facts = packageFacts(file);
    if (facts === undefined) unusable += 1;
    for (const fact of facts ?? []) state.osv.add(fact);
  }
  for (const id of state.osv.builds()) builds.add(id);
  return unusable;
}

/** What is known about the packages that any of these versions brings. */
export function knownPackages(
  state: State,
  manifests: readonly Manifest[],
): BuildFacts['packages'] {
  if (state.osv.isEmpty()) return [];
  const names = new Map<string, Pick<BuildFacts['packages'][number], 'ecosystem' | 'name'>>();
  for (const manifest of manifests) {
    for (const { ecosystem, name } of packagesOf(manifest)) {
      const key = packageKey(ecosystem, name);
      names.set(`${ecosystem} ${key}`, { ecosystem, name: key });
    }
  }
  return [...names.values()]
    .map(({ ecosystem, name }) => ({ ecosystem, name, entries: state.osv.of(ecosystem, name) }))
    .filter(({ entries }) => entries.length > 0);
}
