/** What reads a registry, whose answers are all untrusted: an address over HTTP, a folder, a git repository. */
import { ClientError } from '../errors.ts';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isLoopback } from '../../format/registry/registry-headers.ts';

/** Time limits and retries of requests. */
export interface NetworkLimits {
  readonly connectMs: number;
  /** From the request to the first byte of the answer. */
  readonly firstByteMs: number;
  /** Between two parts of an answer. */
  readonly idleMs: number;
  /** Every transfer may take this long, plus the time for its bytes at `minBytesPerSecond`. */
  readonly graceMs: number;
  readonly minBytesPerSecond: number;
  /** Attempts for one document. */
  readonly tries: number;
  /** Before the second attempt; doubled before each further one, with random variation. */
  readonly backoffMs: number;
  /** Longer pauses that a registry demands are not waited for. */
  readonly maxRetryAfterMs: number;
  /** Parallel requests. */
  readonly parallel: number;
}

export const NETWORK_LIMITS: NetworkLimits = {
  connectMs: 10_000,
  firstByteMs: 30_000,
  idleMs: 30_000,
  graceMs: 30_000,
  minBytesPerSecond: 8192,
  tries: 3,
  backoffMs: 250,
  maxRetryAfterMs: 30_000,
  parallel: 8,
};

/** The validators of a document, to ask later whether it is still current. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export interface SourceRequest {
  readonly maxBytes: number;
  /** Whether an encoded answer may be read unchanged: its known digest detects a wrong one. */
  readonly isDigested: boolean;
  /** The validators of the cached bytes. */
  readonly validators?: Validators | undefined;
  /** Called for every part that arrives. */
  readonly onBytes?: ((count: number) => void) | undefined;
}

export type Answer =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly validators: Validators }
  /** The cached bytes are still current. */
  | { readonly kind: 'same' }
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'failed';
      readonly error: ClientError;
      /** A retry would give the same answer. */
      readonly isFinal: boolean;
      readonly retryAfterMs?: number | undefined;
    };

export interface Source {
  /** The address, without `/` at the end. */
  readonly base: string;
  /** Whether its files are on this machine: the cache keeps none of them. */
  readonly isFolder: boolean;
  /** The secret header, by which cached documents are kept apart; empty without one. */
  readonly secret: string;
  /** The full address of a path, for messages. */
  readonly url: (path: string) => string;
  readonly get: (path: string, request: SourceRequest) => Promise<Answer>;
  readonly close: () => Promise<void>;
}
/** The address of a registry: HTTPS, HTTP on this machine, a folder that contains an index, or a git repository. */
interface RegistryAddress {
  /** Without `/` at the end; a folder as a `file:` address. */
  readonly base: string;
  /** The folder; `undefined` for others. */
  readonly folder: string | undefined;
  /** `git+ssh://git@host/path#branch`; `undefined` for others. */
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
  return { base: withoutSlash(url.href), folder: undefined };
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
  return { base: `git+${plain}${hash}`, folder: undefined, git: { url: plain, branch } };
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
