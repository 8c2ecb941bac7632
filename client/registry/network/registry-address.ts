/** The address of a registry: HTTPS, HTTP on this machine, or a folder that contains an index. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ClientError } from '../../errors.ts';

export interface RegistryAddress {
  /** Without `/` at the end; a folder as a `file:` address. */
  readonly base: string;
  /** The folder; `undefined` for HTTP. */
  readonly folder: string | undefined;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A scheme has at least two letters: `C:\index` is a folder. */
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;

/** @throws {ClientError} `ERR_USAGE`, `ERR_INSECURE_URL` */
export function parseRegistryAddress(text: string): RegistryAddress {
  if (!SCHEME.test(text)) return folderAddress(text, resolve(text));
  const url = URL.canParse(text) ? new URL(text) : undefined;
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
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new ClientError('ERR_INSECURE_URL', `Registry ${text} is not encrypted`, {
      hint: 'use https; http is allowed on this machine only, such as http://127.0.0.1:4173',
    });
  }
  return { base: withoutSlash(url.href), folder: undefined };
}

/** Whether `url` is on this machine. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.has(url.hostname);
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
    hint: 'give one such as --registry https://registry.example.org, or a folder that contains an index',
  });
}
