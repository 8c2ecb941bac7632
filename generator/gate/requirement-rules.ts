/**
 * What a build may require: a build of the registry, or of the same pull request, in a version that is in the
 * range and is not yanked.
 */
import type { Reason } from '../../format/registry/gate-verdict.ts';
import { OwnerFile } from '../../format/registry/owner-file.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';
import { ownerFilePath } from '../../format/registry/repository-layout.ts';
import { yanksOf } from '../../format/registry/withdrawals.ts';
import { satisfies } from '../../format/version/semver-range.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import type { Repository } from '../git/repository.ts';
import { entryAt } from './entry-at.ts';
import { PublishedHistory } from './published-history.ts';
import type { Proposal } from './proposed-versions.ts';
import { readDocument } from './read-document.ts';
import { reason } from './reason.ts';
import type { RegistryNames } from './registry-names.ts';

interface RegistryPart {
  readonly repository: Repository;
  readonly reader: ObjectReader;
  readonly config: RegistryConfig;
  readonly names: () => Promise<RegistryNames>;
  readonly proposal: Proposal;
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
  if (Object.keys(required).length === 0) return reasons;
  const proposed = await registry.proposal.versions();
  for (const [id, range] of Object.entries(required)) {
    // Another account could register a free name, and the users of this build would then trust it.
    if (!proposed.has(id) && !(await registry.names()).ids.has(id)) {
      reasons.push(reason('gate-requirement', file, { id }));
      continue;
    }
    const history = await PublishedHistory.read(registry.repository, registry.reader, id);
    const own = proposed.get(id);
    const hasVersion = async (isWanted: (version: string) => boolean): Promise<boolean> =>
      (own !== undefined && isWanted(own)) || (await history.highest(isWanted)) !== undefined;
    if (!(await hasVersion((version) => satisfies(version, range)))) {
      reasons.push(reason('gate-requirement-range', file, { id, range }));
      continue;
    }
    const yanked = await yankedOf(registry, id);
    if (!(await hasVersion((one) => satisfies(one, range) && !Object.hasOwn(yanked, one)))) {
      reasons.push(reason('gate-requirement-yanked', file, { id, range }));
    }
  }
  return reasons;
}

async function yankedOf(
  { repository, reader, config, proposal }: RegistryPart,
  id: string,
): Promise<Readonly<Record<string, string>>> {
  const [owner = '', name = ''] = id.split('/');
  const path = ownerFilePath(owner, config.layout);
  const entry = await entryAt(repository.folder, proposal.tree, path);
  if (entry === undefined) return {};
  // The file belongs to another owner: its faults are no reason against this build.
  const file = await readDocument(reader, OwnerFile, entry.oid);
  return file instanceof Error ? {} : yanksOf(file, name);
}
