/** Where a registry for shadcn is read: a folder of this machine, or an address. What is read is untrusted. */
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { isFilePath, printable } from '../../format/build/file-path.ts';
import { MAX_DOCUMENT_BYTES } from '../../format/document/document.ts';
import { ClientError } from '../errors.ts';
import { fetchFile } from '../registry/network/http-source.ts';
import { HEADERS_VARIABLE, RegistryHeaders } from '../registry/network/registry-headers.ts';

export interface ItemPlace {
  /** The document to begin with, a path within the place. */
  readonly start: string;
  /** Addresses of items begin with it; `undefined` for a folder. */
  readonly address: string | undefined;
  readonly folder: string | undefined;
  /** The path of an item that the registry lists, when the place has a rule for it. */
  readonly itemPath: ((name: string) => string) | undefined;
  /**
   * The bytes at `path`; `undefined` where nothing is.
   * @throws {ClientError} for what must not, or cannot, be read
   */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
}

/** Documents that a folder may begin with. */
const STARTS = ['registry.json', 'public/r/registry.json', 'r/registry.json'];

/** The place that `source` names. @throws {ClientError} `ERR_USAGE`, `ERR_NETWORK` */
export function itemPlace(
  source: string,
  cwd: string,
  isOffline: boolean,
  signal: AbortSignal,
): ItemPlace {
  if (!/^https?:\/\//i.test(source)) return folderPlace(source, cwd);
  if (!isOffline) return addressPlace(source, signal);
  throw new ClientError('ERR_NETWORK', `Cannot read ${source} with --offline`, {
    hint: 'run the command without --offline, or give a folder with the registry',
  });
}

function folderPlace(source: string, cwd: string): ItemPlace {
  const path = resolve(cwd, source);
  const stats = statSync(path, { throwIfNoEntry: false });
  const isFile = stats?.isFile() === true;
  const folder = isFile ? dirname(path) : path;
  const start = isFile ? basename(path) : STARTS.find((one) => existsSync(join(folder, one)));
  if (stats === undefined || start === undefined) {
    const problem =
      stats === undefined
        ? 'there is no such folder'
        : 'it has no registry.json, and none in "r" or "public/r"';
    throw new ClientError('ERR_USAGE', `Cannot import "${source}": ${problem}`, {
      hint: 'give the folder or the address of a registry.json for shadcn, or of an item of one',
    });
  }
  const root = realpathSync(folder);
  const read = async (name: string): Promise<Uint8Array | undefined> => {
    if (!isFilePath(name)) throw outside(name);
    const file = join(root, name);
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    if (!realpathSync(file).startsWith(root + sep)) throw outside(name);
    if (!statSync(file).isFile()) return undefined;
    if (found.size > MAX_DOCUMENT_BYTES) {
      const problem = `it has ${found.size} bytes, at most ${MAX_DOCUMENT_BYTES} are read`;
      throw new ClientError('ERR_ARCHIVE', `Cannot read "${printable(name)}": ${problem}`);
    }
    return readFileSync(file);
  };
  return { start, address: undefined, folder: root, itemPath: undefined, read };
}

function addressPlace(source: string, signal: AbortSignal): ItemPlace {
  const isTemplate = source.includes('{name}');
  const first = source.replaceAll('{name}', 'registry');
  if (!URL.canParse(first) || new URL(first).pathname.endsWith('/')) {
    throw new ClientError('ERR_USAGE', `"${source}" is not the address of a registry for shadcn`, {
      hint: 'give one such as https://host.example/r/registry.json or https://host.example/r/{name}.json',
    });
  }
  // With a template, everything before the name is the place.
  const before = isTemplate ? source.slice(0, source.indexOf('{name}')) : first;
  const base = new URL('.', before).href;
  const headers = new RegistryHeaders(process.env[HEADERS_VARIABLE] ?? '');
  const read = async (path: string): Promise<Uint8Array> => {
    const url = new URL(path.split('/').map(encodeURIComponent).join('/'), base).href;
    if (!url.startsWith(base)) throw outside(path);
    return fetchFile(url, MAX_DOCUMENT_BYTES, headers, signal);
  };
  const rest = source.slice(base.length);
  return {
    start: decodeURIComponent(first.slice(base.length)),
    address: base,
    folder: undefined,
    itemPath: isTemplate ? (name) => rest.replaceAll('{name}', name) : undefined,
    read,
  };
}

function outside(path: string): ClientError {
  return new ClientError(
    'ERR_PATH_POLICY',
    `Cannot read "${printable(path)}": it is no path within the registry`,
  );
}
