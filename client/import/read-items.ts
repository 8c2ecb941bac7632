/**
 * Reads the items of a registry for shadcn with their files, from a folder of this machine or an address: untrusted
 * input. What is wrong with one item is a result, not an error.
 */
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { isFilePath, printable } from '../../format/build/file-path.ts';
import { StackyardError } from '../../format/errors.ts';
import { MAX_DOCUMENT_BYTES, parseDocument } from '../../format/document/document.ts';
import { ShadcnItem, ShadcnRegistry } from '../../format/shadcn-item.ts';
import { ClientError } from '../errors.ts';
import { fetchFile } from '../registry/network/http-source.ts';
import { Credentials } from '../registry/network/credentials.ts';
import {
  itemReferences,
  type BrokenItem,
  type SourceFile,
  type SourceItem,
} from './item-reference.ts';

interface ItemPlace {
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
  const credentials = new Credentials(process.env, signal);
  const read = async (path: string): Promise<Uint8Array> => {
    const url = new URL(path.split('/').map(encodeURIComponent).join('/'), base).href;
    if (!url.startsWith(base)) throw outside(path);
    return fetchFile(url, MAX_DOCUMENT_BYTES, credentials, signal);
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

interface ReadItems {
  readonly homepage: string | undefined;
  readonly items: readonly SourceItem[];
  readonly broken: readonly BrokenItem[];
}

interface Listed {
  readonly item: ShadcnItem;
  readonly folder: string;
}

const MAX_INCLUDES = 100;
const MAX_TOTAL_CHARACTERS = 200_000_000;
const AT_ONCE = 8;

/**
 * @param wanted names of items, without their requirements; all without it
 * @throws {StackyardError} where the list of items cannot be read
 */
export async function readItems(
  place: ItemPlace,
  wanted: readonly string[] | undefined,
  onProgress: (done: number, total: number) => void,
): Promise<ReadItems> {
  const { listed, homepage } = await listItems(place);
  const byName = new Map(listed.map((one) => [one.item.name, one]));
  const names = new Set(wanted === undefined ? byName.keys() : checkedNames(wanted, byName));
  const items: SourceItem[] = [];
  const broken: BrokenItem[] = [];
  let characters = 0;
  const waiting = [...names];
  while (waiting.length > 0) {
    onProgress(names.size - waiting.length, names.size);
    const batch = waiting.splice(0, AT_ONCE).flatMap((name) => byName.get(name) ?? []);
    for (const result of await Promise.all(batch.map((one) => readItem(place, one)))) {
      if ('problem' in result) {
        broken.push(result);
        continue;
      }
      items.push(result);
      characters += sizeOf(result);
      // Where some were chosen, what they require is read as well.
      for (const name of required(result, byName, place.address)) {
        if (!names.has(name)) waiting.push(name);
        names.add(name);
      }
    }
    if (characters > MAX_TOTAL_CHARACTERS) {
      throw new ClientError(
        'ERR_ARCHIVE',
        `Cannot import ${names.size} items: they have more than ${MAX_TOTAL_CHARACTERS} characters`,
        { hint: 'import some of them at a time with --items' },
      );
    }
  }
  return { items, broken, homepage };
}

function required(
  { item }: SourceItem,
  byName: ReadonlyMap<string, Listed>,
  address: string | undefined,
): readonly string[] {
  return itemReferences(item.registryDependencies ?? [], byName, address).own;
}

async function listItems(
  place: ItemPlace,
): Promise<{ listed: Listed[]; homepage: string | undefined }> {
  const waiting = [place.start];
  const seen = new Set(waiting);
  const all = new Map<string, Listed>();
  let homepage: string | undefined;
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const bytes = await place.read(path);
    if (bytes === undefined) throw missing(path);
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const { include = [], items, homepage: stated } = readList(bytes, path);
    homepage ??= stated;
    for (const item of items) if (!all.has(item.name)) all.set(item.name, { item, folder });
    for (const one of include) {
      const next = folder + one.replace(/^\.\//, '');
      if (!seen.has(next)) waiting.push(next);
      seen.add(next);
    }
    if (seen.size > MAX_INCLUDES) {
      throw new ClientError(
        'ERR_ARCHIVE',
        `Cannot read the registry: it includes more than ${MAX_INCLUDES} others`,
      );
    }
  }
  return { listed: [...all.values()], homepage };
}

/** A registry, or one item. @throws {FormatError} `ERR_DOCUMENT` */
function readList(
  bytes: Uint8Array,
  path: string,
): Pick<ShadcnRegistry, 'include' | 'homepage'> & { readonly items: readonly ShadcnItem[] } {
  const registry = parseDocument(ShadcnRegistry, bytes, `"${path}"`);
  if (registry.items !== undefined || registry.include !== undefined) {
    return { ...registry, items: registry.items ?? [] };
  }
  return { items: [parseDocument(ShadcnItem, bytes, `"${path}"`)] };
}

/** @throws {ClientError} `ERR_USAGE` for a name that the registry does not have */
function checkedNames(
  wanted: readonly string[],
  byName: ReadonlyMap<string, Listed>,
): readonly string[] {
  const unknown = wanted.filter((name) => !byName.has(name));
  if (unknown.length === 0) return wanted;
  throw new ClientError('ERR_USAGE', `The registry has no item ${unknown.join(', ')}`, {
    hint: `it has ${[...byName.keys()].slice(0, 10).join(', ')}${byName.size > 10 ? ', …' : ''}`,
  });
}

async function readItem(place: ItemPlace, listed: Listed): Promise<SourceItem | BrokenItem> {
  const { name } = listed.item;
  try {
    const item = await wholeItem(place, listed);
    const files: SourceFile[] = [];
    for (const { path, type, target, content } of item.files ?? []) {
      const text = content ?? (await readText(place, listed.folder + path));
      files.push({ path, type, target, content: text });
    }
    return { item, files };
  } catch (error) {
    if (!(error instanceof StackyardError) || error.code === 'ERR_INTERRUPTED') throw error;
    return { name, code: error.code, problem: error.message };
  }
}

/** The item itself when it has all contents, otherwise its own document where there is one. */
async function wholeItem(place: ItemPlace, { item, folder }: Listed): Promise<ShadcnItem> {
  const { name, files = [] } = item;
  if (files.length > 0 && files.every(({ content }) => content !== undefined)) return item;
  const paths =
    place.itemPath === undefined
      ? [...folderPaths(place, folder, name), `${folder}${name}.json`]
      : [place.itemPath(name)];
  for (const path of paths) {
    const found = await tryReadItem(place, path, files.length === 0);
    if (found?.name === name) return found;
  }
  return item;
}

/** @param isOptional whether an item without it is whole: then what cannot be read counts as missing */
async function tryReadItem(
  place: ItemPlace,
  path: string,
  isOptional: boolean,
): Promise<ShadcnItem | undefined> {
  try {
    const bytes = await place.read(path);
    return bytes === undefined ? undefined : parseDocument(ShadcnItem, bytes, `"${path}"`);
  } catch (error) {
    const isAbsent =
      error instanceof StackyardError &&
      ['ERR_REGISTRY_ANSWER', 'ERR_DOCUMENT'].includes(error.code);
    if (isOptional && isAbsent) return undefined;
    throw error;
  }
}

function folderPaths({ folder: root }: ItemPlace, folder: string, name: string): string[] {
  if (root === undefined) return [];
  return [`${folder}r/${name}.json`, `${folder}public/r/${name}.json`];
}

async function readText(place: ItemPlace, path: string): Promise<string> {
  const bytes = await place.read(path);
  if (bytes === undefined) throw missing(path);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new ClientError('ERR_ARCHIVE', `Cannot read "${path}": it is not UTF-8`, { cause });
  }
}

function sizeOf({ files }: SourceItem): number {
  return files.reduce((sum, { content }) => sum + content.length, 0);
}

function missing(path: string): ClientError {
  return new ClientError('ERR_REGISTRY_ANSWER', `There is no file "${path}" in the registry`, {
    hint: `give the address of a registry.json whose items are beside it, of at most ${MAX_DOCUMENT_BYTES} bytes each`,
  });
}
