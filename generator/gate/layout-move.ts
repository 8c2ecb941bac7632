/**
 * The move of a registry to another layout: the configuration names it, and every owner's folder is where the layout
 * has it, with the same content. Git names content by its digest, so equal ids are enough to compare.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Person } from '../../format/registry/account.ts';
import { isAccountOf, isBareLoginOf } from '../../format/registry/account.ts';
import type { Reason } from '../../format/registry/gate-verdict.ts';
import { RegistryConfig } from '../../format/registry/registry-config.ts';
import { BUILDS_FOLDER, CONFIG_FILE } from '../../format/registry/repository-layout.ts';
import type { Layout } from '../../format/registry/repository-layout.ts';
import { printable } from '../../format/build/file-path.ts';
import { buildsEntries, movedPath } from '../git/builds-entries.ts';
import type { BuildsEntry } from '../git/builds-entries.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { entryTypeOf, treeEntries } from '../git/tree-entries.ts';
import { readDocument } from './git.ts';
import { bareAdmin } from './owners.ts';
import { reason } from './reasons.ts';

export interface LayoutMove {
  /** Tree ids. */
  readonly baseTree: string;
  readonly tree: string;
  readonly from: Layout;
  readonly to: Layout;
}

/** @throws {GeneratorError} `ERR_GIT` */
export async function judgeMove(
  reader: ObjectReader,
  move: LayoutMove,
  author: Person,
  { admins }: RegistryConfig,
): Promise<Reason[]> {
  const { from, to } = move;
  if (!admins.some((admin) => isAccountOf(admin, author))) {
    const isBare = admins.some((admin) => isBareLoginOf(admin, author));
    return [isBare ? bareAdmin(author) : reason('gate-layout-admin', CONFIG_FILE)];
  }
  const wrong = (await otherChange(reader, move)) ?? (await wrongFolder(reader, move));
  if (wrong !== undefined) return [reason('gate-layout-only', printable(wrong), { from, to })];
  return [reason('gate-layout', CONFIG_FILE, { from, to })];
}

/** A path outside the builds that the move changes: it may change the layout in the configuration, and no more. */
async function otherChange(
  reader: ObjectReader,
  { baseTree, tree }: LayoutMove,
): Promise<string | undefined> {
  const [before, after] = await Promise.all([baseTree, tree].map((one) => rootOf(reader, one)));
  const names = new Set([...before!.keys(), ...after!.keys()]);
  const other = [...names].find(
    (name) =>
      ![BUILDS_FOLDER, CONFIG_FILE].includes(name) && before!.get(name) !== after!.get(name),
  );
  if (other !== undefined) return other;
  const configs = await Promise.all([baseTree, tree].map((one) => readConfig(reader, one)));
  const [was, is] = configs.map((config) => ({ ...config, layout: undefined }));
  return configs.includes(undefined) || !isDeepStrictEqual(was, is) ? CONFIG_FILE : undefined;
}

async function rootOf(reader: ObjectReader, tree: string): Promise<Map<string, string>> {
  const root = await reader.read(tree);
  const entries = treeEntries(root?.bytes ?? Buffer.alloc(0), tree.length / 2);
  return new Map([...entries].map(({ mode, name, oid }) => [String(name), `${mode} ${oid}`]));
}

/** The configuration of a tree; `undefined` where it cannot be used. */
async function readConfig(reader: ObjectReader, tree: string): Promise<RegistryConfig | undefined> {
  const object = await reader.read(`${tree}:${CONFIG_FILE}`);
  if (object === undefined) return RegistryConfig.parse({});
  const config = await readDocument(reader, RegistryConfig, object.oid);
  return config instanceof Error ? undefined : config;
}

/** A path in the folder of builds that is not what the move makes of the base branch. */
async function wrongFolder(
  reader: ObjectReader,
  { baseTree, tree, from, to }: LayoutMove,
): Promise<string | undefined> {
  const before = await buildsEntries(reader, baseTree, from);
  const wanted = new Map(before.map((entry) => [movedPath(entry, to), contentOf(entry)]));
  const folders = before.filter(({ mode }) => entryTypeOf(mode) === 'folder');
  const misplaced = folders.find(({ place }) => place.kind !== 'owner');
  if (misplaced !== undefined) return misplaced.path;
  for (const entry of await buildsEntries(reader, tree, to)) {
    if (wanted.get(entry.path) !== contentOf(entry)) return entry.path;
    wanted.delete(entry.path);
  }
  return wanted.keys().next().value;
}

function contentOf({ mode, oid }: BuildsEntry): string {
  return `${mode} ${oid}`;
}
