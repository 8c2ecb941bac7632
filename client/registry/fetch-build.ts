/** Downloads a version and verifies its files. */
import { INTEGRATION_FILE, MANIFEST_FILE } from '../../format/build/build-files.ts';
import { FormatError } from '../../format/errors.ts';
import { selectFiles } from '../../format/build/file-glob.ts';
import { findingMessage } from '../../format/finding/finding.ts';
import type { HeadVersion } from '../../format/index/record.ts';
import { PublishedManifest, parseManifest } from '../../format/build/manifest.ts';
import type { TarballEntry } from '../../format/archive/tar.ts';
import { readTarball } from '../../format/archive/tarball.ts';
import { mayBeWired, mayExpect } from '../../format/wiring/wire-info.ts';
import { ClientError } from '../errors.ts';
import type { Registries } from './registries.ts';
import type { FetchedBuild } from '../plan/plan.ts';

/**
 * Downloads and verifies a version: digest, archive, manifest, and that it is the requested build.
 * @throws {ClientError} `ERR_INTEGRITY`, `ERR_ARCHIVE`, and those of the registry
 */
export async function fetchBuild(
  registry: Registries,
  id: string,
  { version, integrity }: Pick<HeadVersion, 'version' | 'integrity'>,
): Promise<FetchedBuild> {
  const bytes = await registry.tarball(id, version, integrity);
  const entries = readEntries(id, version, bytes);
  const manifestEntry = entries.find((entry) => entry.path === MANIFEST_FILE);
  if (manifestEntry === undefined) throw refused(id, version, `it has no ${MANIFEST_FILE}`);
  const parsed = parseManifest(manifestEntry.bytes, PublishedManifest);
  if (!parsed.ok) {
    const [first] = parsed.findings;
    throw refused(
      id,
      version,
      first === undefined ? 'its manifest is wrong' : findingMessage(first),
    );
  }
  const { manifest } = parsed;
  if (`${id.split('/')[0]}/${manifest.name}` !== id || manifest.version !== version) {
    throw refused(id, version, `it contains "${manifest.name}" ${manifest.version}`);
  }
  const paths = selectFiles(
    entries.map((entry) => entry.path),
    manifest.files,
  );
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  return {
    id,
    version,
    integrity,
    manifest,
    files: new Map(paths.map((p) => [p, byPath.get(p)!])),
    hasIntegration: byPath.has(INTEGRATION_FILE),
    ...guideOf(byPath.get(INTEGRATION_FILE)?.bytes),
    registry: registry.entryOf(id).name,
  };
}

function guideOf(
  bytes: Uint8Array | undefined,
): Pick<FetchedBuild, 'wiredGuide' | 'expectedGuide'> {
  const text = bytes === undefined ? '' : Buffer.from(bytes).toString('utf8');
  return {
    ...(mayBeWired(text) ? { wiredGuide: text } : {}),
    ...(mayExpect(text) ? { expectedGuide: text } : {}),
  };
}

/** The entries of a tarball of the registry. @throws {ClientError} `ERR_ARCHIVE` */
export function readEntries(id: string, version: string, bytes: Uint8Array): TarballEntry[] {
  try {
    return readTarball(bytes);
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    throw refused(id, version, cause.message, cause);
  }
}

function refused(id: string, version: string, problem: string, cause?: unknown): ClientError {
  return new ClientError('ERR_ARCHIVE', `Cannot use "${id}" ${version}: ${problem}`, {
    cause,
    hint: 'the archive is not one that the registry should hold: report it there',
  });
}
