/** Moves of builds to another id: both owners must agree, no way may lead back, and an admin looks at each. */
import type { Reason } from '../../format/registry/gate-verdict.ts';
import { moveOf, moveProblem } from '../../format/registry/moves.ts';
import type { OwnerFiles } from '../../format/registry/moves.ts';
import { OwnerFile } from '../../format/registry/owner-file.ts';
import { ownerFilePath } from '../../format/registry/repository-layout.ts';
import { entryAt } from './entry-at.ts';
import type { Registry } from './judge-build.ts';
import { PublishedHistory } from './published-history.ts';
import { readDocument } from './read-document.ts';
import { reason } from './reason.ts';

const PROBLEMS = {
  cycle: 'gate-move-cycle',
  unaccepted: 'gate-move-unaccepted',
  unpublished: 'gate-move-unpublished',
} as const;

/**
 * @param tree what merging the pull request gives
 * @param isPublishedHere whether the pull request publishes a version of a build
 */
export async function checkMoves(
  registry: Registry,
  owner: string,
  {
    before,
    after,
    tree,
  }: {
    readonly before: OwnerFile | undefined;
    readonly after: OwnerFile;
    readonly tree: string;
  },
  isPublishedHere: (id: string) => boolean,
): Promise<Reason[]> {
  const path = ownerFilePath(owner, registry.config.layout);
  const [old, wanted] = [before?.moved ?? {}, after.moved ?? {}];
  const reasons: Reason[] = [];
  for (const name of Object.keys(old)) {
    if (!Object.hasOwn(wanted, name)) {
      reasons.push(reason('gate-move-back', path, { id: `${owner}/${name}` }));
    }
  }
  reasons.push(...(await checkDropped(registry, owner, before, after)));
  const changed = Object.entries(wanted).filter(([name, { to }]) => {
    return !Object.hasOwn(old, name) || old[name]?.to !== to;
  });
  if (changed.length === 0) return reasons;
  for (const [name, { to }] of changed) {
    const id = `${owner}/${name}`;
    const files = await filesAlong(registry, tree, id, isPublishedHere);
    const problem = files.hasBuild(id) ? moveProblem(id, files) : 'unpublished';
    const code = problem === undefined ? 'gate-move' : PROBLEMS[problem];
    reasons.push(reason(code, path, { id, to }));
  }
  return reasons;
}

/** A build that moved here would lead nowhere. */
async function checkDropped(
  { repository, reader, config: { layout } }: Registry,
  owner: string,
  before: OwnerFile | undefined,
  after: OwnerFile,
): Promise<Reason[]> {
  const reasons: Reason[] = [];
  for (const [name, from] of Object.entries(before?.accepts ?? {})) {
    if (after.accepts?.[name] === from) continue;
    const [other = '', old = ''] = from.split('/');
    const path = ownerFilePath(other, layout);
    const entry = await entryAt(repository.folder, repository.head, path);
    const file = entry === undefined ? {} : await readDocument(reader, OwnerFile, entry.oid);
    const to = `${owner}/${name}`;
    if (file instanceof Error || file.moved?.[old]?.to !== to) continue;
    reasons.push(reason('gate-move-accepted', ownerFilePath(owner, layout), { id: from, to }));
  }
  return reasons;
}

/** The owner files on the way of `id`, as the pull request leaves them. */
async function filesAlong(
  registry: Registry,
  tree: string,
  id: string,
  isPublishedHere: (id: string) => boolean,
): Promise<OwnerFiles> {
  const { repository, reader, config } = registry;
  const read = new Map<string, OwnerFile>();
  const published = new Set<string>();
  const files: OwnerFiles = {
    ownerFile: (owner) => read.get(owner) ?? {},
    hasBuild: (one) => published.has(one),
  };
  for (let at: string | undefined = id; at !== undefined; at = moveOf(at, files)?.to) {
    if (published.has(at)) break;
    const [owner = ''] = at.split('/');
    const entry = await entryAt(repository.folder, tree, ownerFilePath(owner, config.layout));
    const file = entry === undefined ? {} : await readDocument(reader, OwnerFile, entry.oid);
    read.set(owner, file instanceof Error ? {} : file);
    const history = await PublishedHistory.read(repository, reader, at);
    const isThere = isPublishedHere(at) || (await history.highest(() => true)) !== undefined;
    if (!isThere) break;
    published.add(at);
  }
  return files;
}
