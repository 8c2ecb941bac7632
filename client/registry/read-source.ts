/** Reads the build that a place outside of a registry holds; a folder is packed as the registry would pack it. */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { MAX_TARBALL_BYTES, MANIFEST_FILE } from '../../format/build/build-files.ts';
import { examineFolder } from '../check/examine-folder.ts';
import { examineBuild, type ExaminedBuild } from '../../scan/examine-build.ts';
import { FormatError } from '../../format/errors.ts';
import { findingMessage } from '../../format/finding/finding.ts';
import { integrityOf } from '../../format/archive/integrity.ts';
import { readTarball } from '../../format/archive/tarball.ts';
import { UNPLACED_OWNER } from '../check/read-folder.ts';
import { ClientError } from '../errors.ts';
import { fetchFile } from './network/fetch-file.ts';
import { RegistryHeaders, HEADERS_VARIABLE } from './network/registry-headers.ts';
import { isSourceAddress } from './source-text.ts';

/** A place, and who reads it. */
export interface SourcePlace {
  /** As in a lock. */
  readonly source: string;
  /** The folder of relative paths. */
  readonly project: string;
  readonly signal: AbortSignal;
}

/** A build that the checks of the registry let through. */
interface SourceBuild {
  readonly owner: string;
  readonly name: string;
  readonly valid: NonNullable<ExaminedBuild['valid']>;
}

/**
 * The build in a folder, validated and checked as by the registry.
 * @param owner replaces the one of a folder `builds/<owner>/<name>`; without any it is `local`
 * @throws {ClientError} `ERR_ARCHIVE` for a build that could not be published, and those of reading
 */
export async function readFolderBuild(
  { source, project }: SourcePlace,
  owner?: string,
): Promise<SourceBuild> {
  const examined = await examineFolder(resolve(project, source), owner);
  return sound({ ...examined, owner: owner ?? examined.owner }, source);
}

/** The build in a tarball, validated and checked as by the registry. @throws as `readFolderBuild` */
export function readTarballBuild(bytes: Uint8Array, source: string, owner?: string): SourceBuild {
  const entries = readEntries(bytes, source);
  const files = entries.map(({ path, bytes: content, executable }) => {
    const type = executable ? ('executable' as const) : ('file' as const);
    const buffer = Buffer.from(content);
    return { path, isUtf8Path: true, type, size: buffer.length, bytes: buffer };
  });
  const name = nameIn(entries.find(({ path }) => path === MANIFEST_FILE)?.bytes);
  const of = { owner: owner ?? UNPLACED_OWNER, name };
  return sound({ ...of, ...examineBuild({ ...of, source: { files, isCut: false } }) }, source);
}

/** The bytes of a tarball at an address or in a file. @throws {ClientError} `ERR_USAGE`, `ERR_ARCHIVE`, those of the network */
export async function readBytes({ source, project, signal }: SourcePlace): Promise<Uint8Array> {
  if (isSourceAddress(source)) {
    const headers = new RegistryHeaders(process.env[HEADERS_VARIABLE] ?? '');
    return fetchFile(source, MAX_TARBALL_BYTES, headers, signal);
  }
  const path = resolve(project, source);
  const status = statSync(path, { throwIfNoEntry: false });
  if (status?.isFile() !== true) {
    throw new ClientError('ERR_USAGE', `There is neither a folder nor a file "${source}"`, {
      hint: 'give the folder of a build, or a tarball that "stackyard pack --out" wrote',
    });
  }
  if (status.size > MAX_TARBALL_BYTES) {
    throw new ClientError(
      'ERR_ARCHIVE',
      `Cannot use "${source}": it has ${status.size} bytes, at most ${MAX_TARBALL_BYTES} are read`,
    );
  }
  return readFileSync(path);
}

/** Whether the place is a folder of this machine. */
export function isFolder({ source, project }: SourcePlace): boolean {
  if (isSourceAddress(source)) return false;
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

function nameIn(manifest: Uint8Array | undefined): string {
  try {
    const value: unknown = JSON.parse(Buffer.from(manifest ?? []).toString());
    const name = typeof value === 'object' && value !== null && 'name' in value ? value.name : '';
    return typeof name === 'string' ? name : '';
  } catch {
    return '';
  }
}

function sound(
  examined: ExaminedBuild & { readonly owner: string; readonly name: string },
  source: string,
): SourceBuild {
  const { owner, name, valid, findings, isPublishable } = examined;
  if (valid !== undefined && isPublishable) return { owner, name, valid };
  const errors = findings.filter(({ level }) => level === 'error');
  const [first] = errors;
  const where = first === undefined || first.file === '' ? '' : `${first.file}: `;
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : '';
  const what = first === undefined ? 'it is not a build' : `${where}${findingMessage(first)}`;
  throw new ClientError('ERR_ARCHIVE', `Cannot use "${source}": ${what}${more}`, {
    hint: 'the registry would refuse it too: "stackyard check <folder>" lists everything',
  });
}
