/**
 * What the source page reads of a build: head, document of a version, and the files of a tarball. Nothing of a tarball is shown before its SHA-256
 * is the one in the head. All of it comes from the network: hosts and publishers wrote it.
 */
import {
  TARBALL_LIMITS,
  maxTarBytes,
  readTar,
  refused,
  type TarballEntry,
} from '../../../../../format/archive/tar.ts';
import { MANIFEST_FILE } from '../../../../../format/build/build-files.ts';
import {
  collisionKey,
  isFilePath,
  pathProblem,
  printable,
} from '../../../../../format/build/file-path.ts';
import { FormatError } from '../../../../../format/errors.ts';
import type { CapabilityLists } from '../../../../../format/index/capabilities.ts';
import { type HeadRows, type SharedState, versionsOf } from '../../../../../format/index/head.ts';
import {
  documentPath,
  headPath,
  tarballPath,
  versionPath,
} from '../../../../../format/index/layout.ts';
import {
  isGone,
  reasonOf,
  type Status,
  statusText,
} from '../../../../../format/registry/status.ts';
import { isVersion } from '../../../../../format/version/version.ts';
import { siteAddress } from '../element.ts';

/** Why nothing can be shown, and what the visitor can do. */
export class SourceProblem extends Error {
  readonly title: string;
  readonly hint: string;
  /** Whether the same address may work later. */
  readonly canRetry: boolean;

  constructor(title: string, text: string, hint: string, canRetry = false) {
    super(text);
    this.title = title;
    this.hint = hint;
    this.canRetry = canRetry;
  }
}

export interface HeadVersion {
  readonly version: string;
  readonly integrity: string;
  readonly risk: string;
  readonly status: Status;
  readonly advisories: readonly string[];
}

interface BuildHead {
  readonly id: string;
  readonly latest: string;
  /** Highest first. */
  readonly versions: readonly HeadVersion[];
}

/** The files of a version and where installing puts them. */
export interface VersionSource {
  readonly files: readonly TarballEntry[];
  /** The folder of the project that files are installed into; `""` is the project itself. */
  readonly base: string;
  /** Paths of the files that installing places. */
  readonly installed: ReadonlySet<string>;
}

const LIMIT_DOCUMENT = 20_000_000;
const LATER = 'Try again in a minute. If it stays so, tell the admins of this registry.';

/** @throws {SourceProblem} */
export async function loadHead(id: string): Promise<BuildHead> {
  const value = await loadJson(headPath(id), () => {
    return new SourceProblem(
      'There is no such build',
      `This registry has no build "${id}".`,
      'Check the spelling, or search for it above.',
    );
  });
  const unread = (): SourceProblem =>
    new SourceProblem('The head cannot be read', `The head of "${id}" has another form.`, LATER);
  const named = isObject(value) ? (texts(value['older']) ?? []) : [];
  const older = await Promise.all(named.map((sha256) => loadJson(documentPath(sha256), unread)));
  const head = readHead(value, older, id);
  if (head !== undefined) return head;
  throw unread();
}

/**
 * The version of a head that an address names.
 * @throws {SourceProblem} for one that is not there, or is gone
 */
export function versionOf({ id, versions }: BuildHead, version: string): HeadVersion {
  const found = versions.find((one) => one.version === version);
  if (found === undefined) {
    throw new SourceProblem(
      'There is no such version',
      `"${id}" has no version "${version}".`,
      'Choose one of its versions below.',
    );
  }
  const { status } = found;
  if (!isGone(status)) return found;
  throw new SourceProblem(
    `Version ${version} was ${statusText(status)}`,
    reasonOf(status) || 'No reason was given.',
    'The tarball is gone. Choose another version below.',
  );
}

/** What a document of a version and its tarball have, which is checked. @throws {SourceProblem} */
export async function loadSource(id: string, head: Promise<BuildHead>, version: string) {
  const loading = loadJson(versionPath(id, version), missing);
  const tarball = load(tarballPath(id, version), TARBALL_LIMITS.packedBytes, missing);
  // What the head has against the version comes before what went wrong with its files.
  for (const one of [loading, tarball]) one.catch(() => undefined);
  const row = versionOf(await head, version);
  const bytes = await tarball;
  const files = await unpackChecked(bytes, row.integrity);
  const document = await loading;
  const installed = new Set(pathsOf(document));
  const source: VersionSource = { files, base: baseOf(files), installed };
  const own = isObject(document) ? document['capabilities'] : undefined;
  return { row, size: bytes.length, source, capabilities: readCapabilities(own) };

  function missing(): SourceProblem {
    return new SourceProblem(
      'The files are missing',
      `The registry has a version ${version} of "${id}", but its host does not serve the files of it.`,
      LATER,
      true,
    );
  }
}

/** The files of a tarball with this digest. @throws {SourceProblem} */
export async function unpackChecked(
  bytes: Uint8Array<ArrayBuffer>,
  integrity: string,
): Promise<TarballEntry[]> {
  const found = `sha256-${btoa(String.fromCharCode(...(await sha256(bytes))))}`;
  if (found !== integrity) {
    throw new SourceProblem(
      'The tarball is not the one that was published',
      `Its digest is ${found}; that of the published one is ${integrity}. Nothing of it is shown.`,
      'Do not install it from here. Tell the admins of this registry; another mirror may have the right one.',
      true,
    );
  }
  try {
    const limits = TARBALL_LIMITS;
    return readTar(await gunzip(bytes, maxTarBytes(limits)), limits, unsafePath);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new SourceProblem(
      'The tarball is refused',
      `${error.message}.`,
      'No client installs it. Tell the admins of this registry.',
    );
  }
}

/**
 * The content of one gzip member.
 * @throws {FormatError} `ERR_TARBALL`, before more than `maxBytes` and one piece are in memory
 */
export async function gunzip(
  bytes: Uint8Array<ArrayBuffer>,
  maxBytes: number,
): Promise<Uint8Array> {
  if (![0x1f, 0x8b, 8, 0].every((byte, at) => bytes[at] === byte)) {
    throw refused('it is not a whole gzip file');
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const content = await readAll(stream, maxBytes).catch((cause: unknown) => {
    throw refused('it is not a whole gzip file', cause);
  });
  if (content === undefined) throw refused(`it unpacks to over ${maxBytes} bytes`);
  return content;
}

/** What is unsafe or ambiguous among the paths of an archive. */
export function unsafePath(paths: readonly string[]): string | undefined {
  const files = new Set<string>();
  for (const path of paths) {
    const problem = pathProblem(path);
    if (problem !== undefined) return `entry "${printable(path)}" has an unsafe path: ${problem}`;
    const key = collisionKey(path);
    if (files.has(key)) return `entry "${path}" is there twice for some file systems`;
    files.add(key);
  }
  for (const path of paths) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (files.has(collisionKey(folder))) return `entry "${folder}" is a file and a folder`;
    }
  }
  return undefined;
}

/** Reads what the page needs of a head. @param older the documents that it names */
export function readHead(
  value: unknown,
  older: readonly unknown[],
  id: string,
): BuildHead | undefined {
  if (!isObject(value) || value['id'] !== id || typeof value['latest'] !== 'string')
    return undefined;
  const rows = [...older, value].map(readRows);
  const states = Array.isArray(value['states']) ? value['states'].map(readState) : [undefined];
  const known = [rows.filter(isDefined), states.filter(isDefined)] as const;
  if (known[0].length < rows.length || known[1].length < states.length) return undefined;
  const versions = versionsOf(...known)
    .map(({ version, integrity, risk, status, advisories = [] }) => {
      return { version, integrity, risk, status, advisories };
    })
    .sort((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }));
  return versions.length > 0 ? { id, latest: value['latest'], versions } : undefined;
}

function readRows(value: unknown): HeadRows | undefined {
  const versions = isObject(value) ? value['versions'] : undefined;
  const areRead =
    Array.isArray(versions) &&
    versions.every((row: unknown) => {
      const [version, integrity, document, published] = Array.isArray(row)
        ? (row as unknown[])
        : [];
      const isText = [integrity, document].every((one) => typeof one === 'string');
      // The page shows no times, which must be some.
      const isTime = typeof published === 'number' && published >= 0 && published < 1e11;
      return typeof version === 'string' && isVersion(version) && isText && isTime;
    });
  return areRead ? { needs: [], versions: versions as HeadRows['versions'] } : undefined;
}

function readState(value: unknown): SharedState | undefined {
  if (!isObject(value)) return undefined;
  const { yanked, risk, withdrawn, taken_down } = value;
  const { date, reference } = isObject(taken_down) ? taken_down : {};
  const [versions, advisories] = [texts(value['versions']), texts(value['advisories'] ?? [])];
  if (versions === undefined || advisories === undefined) return undefined;
  return {
    versions,
    advisories,
    ...(risk === 'caution' || risk === 'danger' ? { risk } : {}),
    ...(typeof yanked === 'string' ? { yanked } : {}),
    ...(withdrawn === true ? { withdrawn } : {}),
    ...(typeof date === 'string' && typeof reference === 'string'
      ? { taken_down: { date, reference } }
      : {}),
  };
}

function isDefined<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}

/** Reads the capabilities of a document. */
export function readCapabilities(value: unknown): CapabilityLists | undefined {
  if (!isObject(value)) return undefined;
  const lists = ['hosts', 'environment', 'reads', 'writes', 'processes', 'unread'].map((kind) =>
    texts(value[kind]),
  );
  const [hosts, environment, reads, writes, processes, unread] = lists;
  if (!hosts || !environment || !reads || !writes || !processes || !unread) return undefined;
  const dynamic = value['dynamic_code'] === true;
  return { hosts, environment, reads, writes, processes, unread, dynamic_code: dynamic };
}

/** The `base` of the manifest among the files. */
export function baseOf(files: readonly TarballEntry[]): string {
  const manifest = files.find(({ path }) => path === MANIFEST_FILE);
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(manifest?.bytes));
    const base = isObject(value) ? value['base'] : undefined;
    return typeof base === 'string' && isFilePath(base) ? base : '';
  } catch {
    return '';
  }
}

function pathsOf(record: unknown): string[] {
  const files = isObject(record) ? record['files'] : undefined;
  if (!Array.isArray(files)) return [];
  return files.flatMap((one: unknown) =>
    isObject(one) && typeof one['path'] === 'string' ? [one['path']] : [],
  );
}

async function loadJson(path: string, missing: () => Error): Promise<unknown> {
  const bytes = await load(path, LIMIT_DOCUMENT, missing);
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}

/** @param missing the error of a document that is not there */
async function load(
  path: string,
  maxBytes: number,
  missing: () => Error,
): Promise<Uint8Array<ArrayBuffer>> {
  let body: Uint8Array<ArrayBuffer> | undefined;
  try {
    const response = await fetch(siteAddress(path));
    if (response.status === 404 || response.status === 410) throw missing();
    if (!response.ok || response.body === null) {
      throw new SourceProblem(
        'The registry does not answer',
        `It answers ${response.status} to ${path}.`,
        LATER,
        true,
      );
    }
    body = await readAll(response.body, maxBytes);
  } catch (error) {
    // `fetch` and streams reject with it when the connection fails.
    if (!(error instanceof TypeError)) throw error;
    throw new SourceProblem(
      'The registry cannot be reached',
      navigator.onLine ? 'The connection failed.' : 'This device is offline.',
      'Check the connection, then try again.',
      true,
    );
  }
  if (body !== undefined) return body;
  const limit = `more than ${maxBytes} bytes`;
  throw new SourceProblem('The answer is too large', `${path} has ${limit}.`, LATER);
}

/** `undefined` for a stream of more than `maxBytes`, which is not read further. */
async function readAll(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > maxBytes) {
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    parts.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Pages without TLS, other than those of this machine, have no `crypto.subtle`. */
async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle as SubtleCrypto | undefined;
  if (subtle !== undefined) return new Uint8Array(await subtle.digest('SHA-256', bytes));
  return (await import('@noble/hashes/sha2.js')).sha256(bytes);
}

function texts(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.every((one) => typeof one === 'string') ? value : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
