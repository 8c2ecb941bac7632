/** The store of a target, with the limits of a deployment by a program. */
import { fileURLToPath } from 'node:url';
import { resolve, dirname, join } from 'node:path';
import { createHash, randomUUID } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Lease } from './claim.ts';
import { patience, openS3Store } from './s3-store.ts';
import type { Store, Condition, ListedObject, WriteResult } from './store.ts';
import { GeneratorError } from '../errors.ts';
import { DEPLOY_FOLDER } from './manifest.ts';

/** A store may be busy for minutes. */
const RETRY_MS = 150_000;
/** After a crash, the next deployment from another machine waits so long. */
const LEASE_MS = 60_000;

interface StoreOptions {
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
}

/** @throws {GeneratorError} `ERR_USAGE` */
export function openStore(place: string, { endpoint, region }: StoreOptions = {}): Store {
  const target = parseTarget(place);
  if (target.kind === 'folder') return openFolderStore(target);
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const address = endpoint ?? AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL;
  return openS3Store(target, {
    endpoint: address === undefined ? undefined : parseEndpoint(address),
    region: region ?? AWS_REGION ?? AWS_DEFAULT_REGION ?? 'us-east-1',
    retryMs: RETRY_MS,
  });
}

/** By the clock of this machine. */
export function programLease(): Lease {
  return { leaseMs: LEASE_MS, ...patience(RETRY_MS) };
}

/** Where an index is deployed to: `s3://bucket/prefix` or `file:/folder`. */
type Target =
  | {
      readonly kind: 's3';
      readonly bucket: string;
      readonly prefix: string;
      readonly place: string;
    }
  | { readonly kind: 'folder'; readonly folder: string; readonly place: string };

const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/;
const SEGMENT = /^(?!\.{1,2}$)[\w.~!*'()@+=-]{1,200}$/;
const MAX_PREFIX_LENGTH = 200;

/** @throws {GeneratorError} `ERR_USAGE` */
export function parseTarget(text: string): Target {
  if (text.startsWith('file:')) return { kind: 'folder', folder: folderOf(text), place: text };
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]*)(?:\/(.*))?$/.exec(text) ?? [];
  const prefix = path.replace(/\/+$/, '');
  const isPrefix =
    prefix.length <= MAX_PREFIX_LENGTH &&
    (prefix === '' || prefix.split('/').every((part) => SEGMENT.test(part)));
  if (!BUCKET.test(bucket) || !isPrefix) throw refused();
  const place = prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${prefix}`;
  return { kind: 's3', bucket, prefix, place };
}

/** The address of a store. @throws {GeneratorError} `ERR_USAGE` */
export function parseEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!isPlain || `${url.username}${url.password}` !== '') {
    // What it holds is not printed: it may be a password.
    throw new GeneratorError('ERR_USAGE', 'The endpoint is no http or https address of a store', {
      hint: 'give scheme, host and port only, such as https://s3.example.org',
    });
  }
  return url.href.replace(/\/+$/, '');
}

/** `file:///a/b`, `file:/a/b` and `file:a/b`. */
function folderOf(text: string): string {
  const rest = text.slice('file:'.length);
  if (rest === '' || /^\/\/[^/]/.test(rest) || /[?#\0]/.test(rest)) throw refused();
  return rest.startsWith('/') ? fileURLToPath(new URL(text)) : resolve(rest);
}

function refused(): GeneratorError {
  return new GeneratorError('ERR_USAGE', 'The target is no place to deploy to', {
    hint: 'give s3://bucket, s3://bucket/prefix or file:/folder',
  });
}

/** Below `.deploy/`, which no web server should serve. */
const STAGE = `${DEPLOY_FOLDER}/stage`;
const LOCK = `${DEPLOY_FOLDER}/lock`;
/** A lock is held for the time of a few calls: an older one is that of a process that was killed. */
const LOCK_MS = 10_000;
const LOCK_PAUSE_MS = 20;

interface Folder {
  readonly folder: string;
  /** For messages. */
  readonly place: string;
}

/** @param check runs before every write and removal */
export function openFolderStore(
  { folder, place }: Folder,
  check: () => Promise<void> = () => Promise.resolve(),
): Store {
  const fileOf = (path: string): string => join(folder, path);

  async function guarded<Result>(
    action: string,
    act: () => Result | Promise<Result>,
  ): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      const isDenied = code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
      throw new GeneratorError(
        isDenied ? 'ERR_STORE_ACCESS' : 'ERR_STORE',
        `Cannot ${action} at ${place}: ${code}`,
        { cause: error, hint: 'make a folder that this account may write to, and run again' },
      );
    }
  }

  function put(path: string, bytes: Uint8Array, condition: Condition | undefined): WriteResult {
    const [target, staged] = [fileOf(path), join(folder, STAGE, randomUUID())];
    for (const file of [target, staged]) mkdirSync(dirname(file), { recursive: true });
    if (typeof condition === 'object' && tagOf(readOrNothing(target)) !== condition.tag) {
      return { kind: 'refused' };
    }
    writeFileSync(staged, bytes);
    if (condition !== 'absent') renameSync(staged, target);
    else if (!linkIfAbsent(staged, target)) return { kind: 'refused' };
    return { kind: 'written', tag: tagOf(bytes) };
  }

  /** A file with a tag is compared and replaced while no other process does the same. */
  async function locked(act: () => WriteResult): Promise<WriteResult> {
    const lock = fileOf(LOCK);
    while (!tryMakeFolder(lock)) {
      const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (Date.now() - made > LOCK_MS) rmSync(lock, { recursive: true, force: true });
      else await wait(LOCK_PAUSE_MS);
    }
    try {
      return act();
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }

  return {
    place,
    now: () => Date.now(),
    clockAheadMs: () => 0,
    read: (path) =>
      guarded(`read "${path}"`, () => {
        const bytes = readOrNothing(fileOf(path));
        return bytes === undefined ? undefined : { bytes, tag: tagOf(bytes) };
      }),
    inspect: (path) =>
      guarded(`inspect "${path}"`, () => {
        const bytes = readOrNothing(fileOf(path));
        if (bytes === undefined) return undefined;
        return { size: bytes.length, tag: tagOf(bytes), sha256: digestOf('sha256', bytes) };
      }),
    write: (path, bytes, _headers, condition) =>
      guarded(`write "${path}"`, async () => {
        await check();
        const write = (): WriteResult => put(path, bytes, condition);
        return typeof condition === 'object' ? locked(write) : write();
      }),
    remove: (path) =>
      guarded(`remove "${path}"`, async () => {
        await check();
        rmSync(fileOf(path), { force: true });
        for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
          if (!tryRemoveFolder(fileOf(parent))) break;
        }
      }),
    list: () => listFiles(folder, ''),
    guardedBy: (guard) => openFolderStore({ folder, place }, guard),
    settle: () =>
      guarded('write the files', () => {
        rmSync(fileOf(STAGE), { recursive: true, force: true });
        // Without such a command the system writes them soon.
        spawnSync('sync', ['-f', folder], { stdio: 'ignore' });
      }),
  };
}

async function* listFiles(folder: string, parent: string): AsyncIterable<ListedObject> {
  for (const entry of entriesOf(join(folder, parent))) {
    const path = parent === '' ? entry.name : `${parent}/${entry.name}`;
    if (path === STAGE || path === LOCK) continue;
    if (entry.isDirectory()) yield* listFiles(folder, path);
    else {
      const bytes = readOrNothing(join(folder, path));
      if (bytes !== undefined) yield { path, size: bytes.length, md5: digestOf('md5', bytes) };
    }
  }
}

function entriesOf(folder: string): { name: string; isDirectory(): boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function readOrNothing(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined;
    throw error;
  }
}

/** False where a file has the name. */
function linkIfAbsent(staged: string, target: string): boolean {
  try {
    linkSync(staged, target);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(staged);
  }
}

function tryMakeFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** False for a folder with files. */
function tryRemoveFolder(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function tagOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : digestOf('sha256', bytes);
}

function digestOf(algorithm: 'md5' | 'sha256', bytes: Uint8Array): string {
  return createHash(algorithm).update(bytes).digest('hex');
}
