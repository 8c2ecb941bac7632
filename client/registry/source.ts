/**
 * What reads a registry, whose answers are all untrusted: HTTPS, or HTTP on this machine (`http.ts`), a folder that contains an
 * index, a git repository (`git.ts`).
 */
import { statSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { RETIRED_FOLDER } from '../../format/index/layout.ts';
import { isLoopback } from '../../format/registry/registry-headers.ts';
import { ClientError } from '../errors.ts';

/** The validators of a document, to ask later whether it is still current. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export interface Limit {
  readonly maxBytes: number;
  /** Whether an encoded answer may be read unchanged: its known digest detects a wrong one. */
  readonly isDigested: boolean;
  /** The validators of the cached bytes. */
  readonly validators?: Validators | undefined;
  /** Called for every part that arrives. */
  readonly onBytes?: ((count: number) => void) | undefined;
}

/** `same`: the cached bytes are still current; `undefined`: there is no such file. */
type Answer = { readonly bytes: Uint8Array; readonly validators: Validators } | 'same' | undefined;

export interface Source {
  /** The address, without `/` at the end. */
  readonly base: string;
  /** Whether its files are on this machine: the cache keeps none of them. */
  readonly isFolder: boolean;
  /** The secret header, by which cached documents are kept apart; empty without one. */
  readonly secret: string;
  /** The full address of a path, for messages. */
  readonly url: (path: string) => string;
  /** @throws {ClientError} `ERR_NETWORK`, `ERR_REGISTRY_ANSWER`, and of a git repository `ERR_ROLLBACK`, `ERR_GIT` */
  readonly read: (path: string, limit: Limit) => Promise<Answer>;
  /** Closes immediately and aborts pending requests. */
  readonly close: () => Promise<void>;
}

/** The error for an unusable answer of an address. */
export function badAnswer(
  url: string,
  problem: string,
  hint = 'the registry is at fault; try again later',
): ClientError {
  return new ClientError('ERR_REGISTRY_ANSWER', `Cannot read ${url}: ${problem}`, { hint });
}

/** A registry in a folder: an index as the generator writes it, for use without network and for tests. */
export function folderSource(base: string, folder: string): Source {
  const url = (path: string): string => join(folder, path);
  const read: Source['read'] = async (path, limit) =>
    // The index may be that of a newer checkpoint meanwhile.
    (await readFile(url(path), limit)) ?? readFile(url(join(RETIRED_FOLDER, path)), limit);
  return { base, isFolder: true, secret: '', url, read, close: async () => {} };
}

async function readFile(file: string, { maxBytes, onBytes }: Limit): Promise<Answer> {
  try {
    // Checked first, because opening a pipe would block.
    const status = await stat(file);
    if (!status.isFile()) throw new Error('it is not a file');
    const { size } = status;
    if (size > maxBytes) throw new Error(`it has over ${maxBytes} bytes`);
    const handle = await open(file);
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(size), 0, size, 0);
      onBytes?.(bytesRead);
      return { bytes: buffer.subarray(0, bytesRead), validators: {} };
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw badAnswer(file, problem, 'check the folder that --registry names');
  }
}

interface RegistryAddress {
  /** Without `/` at the end; a folder as a `file:` address. */
  readonly base: string;
  readonly folder?: string;
  /** `git+ssh://git@host/path#branch` */
  readonly git?: GitAddress;
}

export interface GitAddress {
  /** As git takes it. */
  readonly url: string;
  /** `undefined`: the one that the repository names. */
  readonly branch: string | undefined;
}

/** A scheme has at least two letters: `C:\index` is a folder. */
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;

/** @throws {ClientError} `ERR_USAGE`, `ERR_INSECURE_URL` */
export function parseRegistryAddress(text: string): RegistryAddress {
  if (!SCHEME.test(text)) return folderAddress(text, resolve(text));
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol.startsWith('git+') === true) return gitAddress(text, url);
  if (url === undefined || url.search !== '' || url.hash !== '') throw noAddress(text);
  if (url.username !== '' || url.password !== '') {
    throw new ClientError('ERR_USAGE', 'The registry address contains a user name or password', {
      hint: 'give the address without them, and the header to send in STACKYARD_HEADERS',
    });
  }
  if (url.protocol === 'file:') {
    if (url.hostname !== '') throw noAddress(text);
    return folderAddress(text, fileURLToPath(url));
  }
  if (!['http:', 'https:'].includes(url.protocol)) throw noAddress(text);
  if (url.protocol === 'http:' && !isLoopback(url)) throw insecure(text);
  return { base: withoutSlash(url.href) };
}

/** What git would read as an option, or a part of a path, is in no address. */
const GIT_PART = /^[\w@~+.][\w@~+.,-]*$/;

function gitAddress(text: string, url: URL): RegistryAddress {
  const { protocol, username, password, host, pathname, search, hash } = url;
  const kind = /^git\+(ssh|https|http|file):$/.exec(protocol)?.[1];
  const branch = hash === '' ? undefined : decodeURIComponent(hash.slice(1));
  const parts = [
    ...(kind === 'file' ? [] : [host.replace(/:\d+$/, '')]),
    ...(username === '' ? [] : [username]),
    ...pathname.split('/').slice(1),
    ...(branch?.split('/') ?? []),
  ];
  const isPlain = parts.every((part) => GIT_PART.test(part) && !/^\.$|\.\./.test(part));
  if (kind === undefined || !isPlain || password !== '' || search !== '') throw noAddress(text);
  if (username !== '' && kind !== 'ssh') throw noAddress(text);
  if (kind === 'http' && !isLoopback(new URL(`http://${host}`))) throw insecure(text);
  const login = username === '' ? '' : `${username}@`;
  const plain = `${kind}://${login}${host}${pathname}`;
  return { base: `git+${plain}${hash}`, git: { url: plain, branch } };
}

function insecure(text: string): ClientError {
  return new ClientError('ERR_INSECURE_URL', `Registry ${text} is not encrypted`, {
    hint: 'use https; http is allowed on this machine only, such as http://127.0.0.1:4173',
  });
}

function folderAddress(text: string, folder: string): RegistryAddress {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw noAddress(text);
  return { base: withoutSlash(pathToFileURL(folder).href), folder };
}

function withoutSlash(href: string): string {
  let end = href.length;
  while (href[end - 1] === '/') end -= 1;
  return href.slice(0, end);
}

function noAddress(text: string): ClientError {
  return new ClientError('ERR_USAGE', `Registry ${JSON.stringify(text)} is not an address`, {
    hint: 'give one such as --registry https://registry.example.org, git+ssh://git@host.example/registry#branch, or a folder that contains an index',
  });
}
