/** Who requires a version: every version that was ever published and that is not withdrawn itself. */
import { MANIFEST_FILE } from '../../format/build/build-files.ts';
import { MAX_MANIFEST_BYTES } from '../../format/build/manifest-json.ts';
import { parseManifest } from '../../format/build/manifest.ts';
import { OwnerFile } from '../../format/registry/owner-file.ts';
import {
  BUILDS_FOLDER,
  buildFolder,
  ownerFilePath,
  placeAt,
} from '../../format/registry/repository-layout.ts';
import { withdrawnOf } from '../../format/registry/withdrawals.ts';
import { satisfies } from '../../format/version/semver-range.ts';
import { readLaidOut } from '../git/laid-out-history.ts';
import { entryAt } from './entry-at.ts';
import type { Registry } from './judge-build.ts';
import { readDocument } from './read-document.ts';

/** A version whose requirement admits the one in question. */
interface Requirer {
  readonly by: string;
  readonly range: string;
}

/** The first requirer of each build. Reads the manifests of the whole history: few pull requests ask. */
export async function requirersOf(
  registry: Registry,
  id: string,
  version: string,
  tree: string,
): Promise<Requirer[]> {
  const found = new Map<string, Requirer>();
  for await (const folder of foldersOf(registry, tree)) {
    if (folder.id === id || found.has(folder.id)) continue;
    const bytes = await registry.reader.read(`${folder.oid}:${MANIFEST_FILE}`, {
      left: MAX_MANIFEST_BYTES,
    });
    const parsed = parseManifest(bytes?.bytes ?? new Uint8Array());
    if (!parsed.ok) continue;
    const { builds = {}, version: own } = parsed.manifest;
    const range = Object.hasOwn(builds, id) ? builds[id] : undefined;
    if (range === undefined || !satisfies(version, range)) continue;
    if (await isWithdrawn(registry, tree, folder.id, own)) continue;
    found.set(folder.id, { by: `${folder.id}@${own}`, range });
  }
  return [...found.values()];
}

interface Folder {
  readonly id: string;
  readonly oid: string;
}

/** The build folders of every commit of the main line, and those that the pull request changes. */
async function* foldersOf(
  { repository, reader, config, proposal }: Registry,
  tree: string,
): AsyncGenerator<Folder> {
  for await (const { layout, changes } of readLaidOut(repository, reader, [BUILDS_FOLDER])) {
    for (const { mode, oid, path } of changes) {
      const place = placeAt(path.toString('utf8'), layout);
      if (mode !== '040000' || place.kind !== 'build' || place.file !== '') continue;
      yield { id: `${place.owner}/${place.name}`, oid };
    }
  }
  for (const id of (await proposal.versions()).keys()) {
    const entry = await entryAt(repository.folder, tree, buildFolder(id, config.layout));
    if (entry?.mode === '040000') yield { id, oid: entry.oid };
  }
}

async function isWithdrawn(
  { repository, reader, config }: Registry,
  tree: string,
  id: string,
  version: string,
): Promise<boolean> {
  const [owner = '', name = ''] = id.split('/');
  const entry = await entryAt(repository.folder, tree, ownerFilePath(owner, config.layout));
  const file = entry === undefined ? {} : await readDocument(reader, OwnerFile, entry.oid);
  return !(file instanceof Error) && Object.hasOwn(withdrawnOf(file, name), version);
}
