/** A build from a folder or a tarball, as the resolver and the plan see it: like one of a registry. */
import { OPEN } from '../../format/registry/status.ts';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Head } from '../../format/index/record.ts';
import { integrityOf } from '../../format/archive/integrity.ts';
import { FormatError } from '../../format/errors.ts';
import { ClientError } from '../errors.ts';
import { MAX_TARBALL_BYTES, MANIFEST_FILE } from '../../format/build/build-files.ts';
import { declaredName, examineFolder, UNPLACED_OWNER } from './build-folder.ts';
import { examineBuild, type ExaminedBuild } from '../../scan/examine-build.ts';
import { findingMessage } from '../../format/finding/finding.ts';
import { readTarball } from '../../format/archive/tarball.ts';

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

/** @throws {ClientError} `ERR_ARCHIVE` for a build that could not be published, and those of reading */
export async function openLocalBuild(
  place: SourcePlace,
  login: string | undefined,
): Promise<LocalBuild> {
  const { source } = place;
  // Read once: what was checked is what is installed.
  const given = isFolder(place) ? undefined : readBytes(place);
  const { owner, name, valid } = await examine(place, given, login);
  const { manifest } = valid.build;
  const bytes = given ?? valid.tarball.bytes;
  const integrity = integrityOf(bytes);
  const id = `${owner}/${name}`;
  const { version, kind, stack, builds = {} } = manifest;
  const { requires = {}, provides = [] } = stack ?? {};
  const listed: Head['versions'][number] = {
    version,
    published_at: EPOCH,
    integrity,
    requires,
    provides: [...provides],
    builds,
    risk: valid.risk,
    status: OPEN,
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
  return (await examine(place, undefined, undefined)).valid.tarball.bytes;
}

/** A place, as a lock of a project has it. */
interface SourcePlace {
  readonly source: string;
  /** The folder of relative paths. */
  readonly project: string;
}

/** A build that the checks of the registry let through. */
interface SourceBuild {
  readonly owner: string;
  readonly name: string;
  readonly valid: NonNullable<ExaminedBuild['valid']>;
}

/**
 * The build in a folder or a tarball, validated and checked as by the registry.
 * @param given the bytes of the tarball
 * @param login replaces the owner of a folder `builds/<owner>/<name>`; without any it is `local`
 */
async function examine(
  { source, project }: SourcePlace,
  given: Uint8Array | undefined,
  login: string | undefined,
): Promise<SourceBuild> {
  const examined =
    given === undefined
      ? await examineFolder(resolve(project, source), login)
      : examineTarball(given, source, login);
  const { name, valid, findings, isPublishable } = examined;
  if (valid !== undefined && isPublishable) return { owner: login ?? examined.owner, name, valid };
  const errors = findings.filter(({ level }) => level === 'error');
  const [first] = errors;
  const where = first === undefined || first.file === '' ? '' : `${first.file}: `;
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : '';
  const what = first === undefined ? 'it is not a build' : `${where}${findingMessage(first)}`;
  throw new ClientError('ERR_ARCHIVE', `Cannot use "${source}": ${what}${more}`, {
    hint: 'the registry would refuse it too: "stackyard check <folder>" lists everything',
  });
}

function examineTarball(
  bytes: Uint8Array,
  source: string,
  owner: string = UNPLACED_OWNER,
): ExaminedBuild & Record<'owner' | 'name', string> {
  const files = readEntries(bytes, source).map(({ path, bytes: content, executable }) => {
    const type = executable ? ('executable' as const) : ('file' as const);
    const buffer = Buffer.from(content);
    return { path, isUtf8Path: true, type, size: buffer.length, bytes: buffer };
  });
  const name = declaredName(files.find(({ path }) => path === MANIFEST_FILE)?.bytes) ?? '';
  return { owner, name, ...examineBuild({ owner, name, source: { files, isCut: false } }) };
}

/** The bytes of a tarball. @throws {ClientError} `ERR_USAGE`, `ERR_ARCHIVE` */
function readBytes({ source, project }: SourcePlace): Uint8Array {
  const path = resolve(project, source);
  const status = statSync(path, { throwIfNoEntry: false });
  if (status?.isFile() !== true) {
    throw new ClientError('ERR_USAGE', `There is neither a folder nor a file "${source}"`, {
      hint: 'give the folder of a build, or a tarball that "stackyard pack --out" wrote',
    });
  }
  if (status.size > MAX_TARBALL_BYTES) {
    const problem = `it has ${status.size} bytes, at most ${MAX_TARBALL_BYTES} are read`;
    throw new ClientError('ERR_ARCHIVE', `Cannot use "${source}": ${problem}`);
  }
  return readFileSync(path);
}

/** Whether the place is a folder. */
function isFolder({ source, project }: SourcePlace): boolean {
  return statSync(resolve(project, source), { throwIfNoEntry: false })?.isDirectory() === true;
}

function readEntries(bytes: Uint8Array, source: string): ReturnType<typeof readTarball> {
  try {
    return readTarball(bytes);
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    throw new ClientError('ERR_ARCHIVE', `Cannot use "${source}": ${cause.message}`, {
      cause,
      hint: `make the tarball with "stackyard pack --out"; this one is ${integrityOf(bytes)}`,
    });
  }
}
