/** A build from a folder, a tarball or an address, as the resolver and the plan see it: like one of a registry. */
import type { Head } from '../../format/index/head.ts';
import { integrityOf, parseIntegrity } from '../../format/archive/integrity.ts';
import { FormatError } from '../../format/errors.ts';
import { ClientError } from '../errors.ts';
import type { SourcePlace } from './read-source.ts';
import { isFolder, readBytes, readFolderBuild, readTarballBuild } from './read-source.ts';
import { isSourceAddress } from './source-text.ts';

/** Resolves on yes, and throws otherwise; `flag` is the option that answers. */
type Ask = (question: { readonly text: string; readonly flag: string }) => Promise<void>;

export interface LocalBuild {
  readonly id: string;
  /** As in a lock. */
  readonly source: string;
  readonly integrity: string;
  readonly bytes: Uint8Array;
  readonly head: Head;
}

/** No rule on age hides it. */
const EPOCH = '1970-01-01T00:00:00.000Z';

/**
 * @param wanted the digest that a tarball must have
 * @param ask whether to trust the digest of an address without one
 * @throws {ClientError} `ERR_INTEGRITY`, `ERR_NEEDS_ANSWER`, `ERR_DECLINED`, and those of reading
 */
export async function openLocalBuild(
  place: SourcePlace,
  choice: { readonly owner: string | undefined; readonly wanted: string | undefined },
  ask: Ask,
): Promise<LocalBuild> {
  const { source } = place;
  const { owner: login, wanted } = choice;
  if (wanted !== undefined) checkForm(wanted);
  // Read once: what was asked about is what is installed.
  const given = isFolder(place) ? undefined : await readBytes(place);
  if (given !== undefined && isSourceAddress(source)) await checkDigest(source, given, wanted, ask);
  const { owner, name, valid } =
    given === undefined
      ? await readFolderBuild(place, login)
      : readTarballBuild(given, source, login);
  const { manifest } = valid.build;
  const bytes = given ?? valid.tarball.bytes;
  const integrity = integrityOf(bytes);
  if (wanted !== undefined && integrity !== wanted) throw wrongDigest(source, integrity, wanted);
  const id = `${owner}/${name}`;
  const { version, kind, stack, builds = {} } = manifest;
  const { requires = {}, provides = [] } = stack ?? {};
  const listed: Head['versions'][number] = {
    version,
    published_at: EPOCH,
    integrity,
    size: bytes.length,
    requires,
    provides: [...provides],
    builds,
    risk: valid.risk,
    yanked: false,
  };
  return { id, source, integrity, bytes, head: { id, kind, latest: version, versions: [listed] } };
}

/** The bytes of an installed build, while its place still has them. @throws {ClientError} `ERR_INTEGRITY` */
export async function bytesOfSource(
  place: SourcePlace,
  id: string,
  wanted: string,
): Promise<Uint8Array> {
  const { source } = place;
  const found = await bytesNow(place).catch((cause: unknown) => {
    if (!(cause instanceof ClientError)) throw cause;
    const message = `Cannot restore "${id}" from "${source}", which the lock names: ${cause.message}`;
    throw new ClientError(cause.code, message, { cause, hint: RESTORE_HINT });
  });
  const integrity = integrityOf(found);
  if (integrity === wanted) return found;
  const problem = `"${source}" is ${integrity} now, and the lock has ${wanted}`;
  throw new ClientError('ERR_INTEGRITY', `Cannot restore "${id}": ${problem}`, {
    hint: RESTORE_HINT,
  });
}

const RESTORE_HINT =
  'a local build exists only where it was made: bring its place back, "stackyard add" it again, or publish it and "stackyard update"';

async function bytesNow(place: SourcePlace): Promise<Uint8Array> {
  if (!isFolder(place)) return readBytes(place);
  return (await readFolderBuild(place)).valid.tarball.bytes;
}

async function checkDigest(
  source: string,
  bytes: Uint8Array,
  wanted: string | undefined,
  ask: Ask,
): Promise<void> {
  if (wanted !== undefined) return;
  const found = integrityOf(bytes);
  const flag = `--integrity ${found}`;
  await ask({ text: `${source} is ${found}. Is that the digest that its publisher states?`, flag });
}

function wrongDigest(source: string, found: string, wanted: string): ClientError {
  return new ClientError('ERR_INTEGRITY', `Cannot use "${source}": it is ${found}, not ${wanted}`, {
    hint: 'the file is another one than the one of that digest: ask its publisher; nothing was written',
  });
}

function checkForm(integrity: string): void {
  try {
    parseIntegrity(integrity);
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    throw new ClientError('ERR_USAGE', `Option --integrity is not a digest: ${cause.message}`, {
      cause,
      hint: '"stackyard pack" prints the digest of a build, such as sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    });
  }
}
