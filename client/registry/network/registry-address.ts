/** Addresses of registries, and the bodies of their answers. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isLoopback } from '../../../format/registry/registry-headers.ts';
import { ClientError } from '../../errors.ts';

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
