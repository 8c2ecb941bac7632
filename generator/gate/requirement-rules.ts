/** What a build may require: builds that are there, in a version that fits and that was not taken back. */
import type { Reason } from '../../format/registry/gate-verdict.ts';
import { OwnerFile } from '../../format/registry/owner-file.ts';
import { satisfies } from '../../format/version/semver-range.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import type { Repository } from '../git/repository.ts';
import { entryAt } from './entry-at.ts';
import { PublishedHistory } from './published-history.ts';
import { readDocument } from './read-document.ts';
import { reason } from './reason.ts';
import type { RegistryNames } from './registry-names.ts';

interface RegistryPart {
  readonly repository: Repository;
  readonly reader: ObjectReader;
  readonly names: () => Promise<RegistryNames>;
}

/**
 * @param path the build's folder
 * @param required field `builds` of the manifest: id to range
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function checkRequirements(
  registry: RegistryPart,
  path: string,
  required: Readonly<Record<string, string>>,
): Promise<Reason[]> {
  const file = `${path}/stackyard.json`;
  const reasons: Reason[] = [];
  for (const [id, range] of Object.entries(required)) {
    // A name that is free could be taken by anybody, who would then be trusted by this build's users.
    if (!(await registry.names()).ids.has(id)) {
      reasons.push(reason('gate-requirement', file, { id }));
      continue;
    }
    const history = await PublishedHistory.read(registry.repository, registry.reader, id);
    if ((await history.highest((version) => satisfies(version, range))) === undefined) {
      reasons.push(reason('gate-requirement-range', file, { id, range }));
      continue;
    }
    const yanked = await yankedOf(registry, id);
    const kept = await history.highest(
      (one) => satisfies(one, range) && !Object.hasOwn(yanked, one),
    );
    if (kept === undefined) reasons.push(reason('gate-requirement-yanked', file, { id, range }));
  }
  return reasons;
}

async function yankedOf(
  { repository, reader }: RegistryPart,
  id: string,
): Promise<Readonly<Record<string, string>>> {
  const [owner = '', name = ''] = id.split('/');
  const entry = await entryAt(repository.folder, repository.head, `builds/${owner}/owner.json`);
  if (entry === undefined) return {};
  // The file of somebody else: its faults are no reason against this build.
  const file = await readDocument(reader, OwnerFile, entry.oid);
  return file instanceof Error ? {} : (file.yanked?.[name] ?? {});
}
