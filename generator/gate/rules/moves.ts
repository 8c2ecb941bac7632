/** Moves of builds to another id: both owners must agree, no way may lead back, and an admin looks at each. */
import type { Reason } from '../gate-verdict.ts';
import { moveOf, moveProblem, type OwnerFiles } from '../../../format/registry/moves.ts';
import type { OwnerFile } from '../../../format/registry/owner-file.ts';
import { ownerFilePath } from '../../../format/registry/repository-layout.ts';
import type { Change } from './rule.ts';
import { ownerFileAt } from '../registry.ts';
import { reason } from '../reasons.ts';
import { proposing } from './owners.ts';

const PROBLEMS = {
  cycle: 'gate-move-cycle',
  unaccepted: 'gate-move-unaccepted',
  unpublished: 'gate-move-unpublished',
} as const;

export async function checkMoves(change: Change): Promise<Reason[]> {
  const reasons: Reason[] = [];
  for (const { owner, before, after } of proposing(change)) {
    const path = ownerFilePath(owner, change.config);
    const [old, wanted] = [before?.moved ?? {}, after.moved ?? {}];
    for (const name of Object.keys(old)) {
      if (!Object.hasOwn(wanted, name)) {
        reasons.push(reason('gate-move-back', path, { id: `${owner}/${name}` }));
      }
    }
    reasons.push(...(await checkDropped(change, owner, before, after)));
    for (const [name, { to }] of Object.entries(wanted)) {
      if (Object.hasOwn(old, name) && old[name]?.to === to) continue;
      const id = `${owner}/${name}`;
      const files = await filesAlong(change, id);
      const problem = files.hasBuild(id) ? moveProblem(id, files) : 'unpublished';
      const code = problem === undefined ? 'gate-move' : PROBLEMS[problem];
      reasons.push(reason(code, path, { id, to }));
    }
  }
  return reasons;
}

/** A build that moved here would lead nowhere. */
async function checkDropped(
  change: Change,
  owner: string,
  before: OwnerFile | undefined,
  after: OwnerFile,
): Promise<Reason[]> {
  const reasons: Reason[] = [];
  for (const [name, from] of Object.entries(before?.accepts ?? {})) {
    if (after.accepts?.[name] === from) continue;
    const [other = '', old = ''] = from.split('/');
    const file = await ownerFileAt(change, change.tree, other);
    const to = `${owner}/${name}`;
    if (file instanceof Error || file?.moved?.[old]?.to !== to) continue;
    const path = ownerFilePath(owner, change.config);
    reasons.push(reason('gate-move-accepted', path, { id: from, to }));
  }
  return reasons;
}

/** The owner files on the way of `id`, as the pull request leaves them. */
async function filesAlong(change: Change, id: string): Promise<OwnerFiles> {
  const read = new Map<string, OwnerFile>();
  const published = new Set<string>();
  const files: OwnerFiles = {
    ownerFile: (owner) => read.get(owner) ?? {},
    hasBuild: (one) => published.has(one),
  };
  for (let at: string | undefined = id; at !== undefined; at = moveOf(at, files)?.to) {
    if (published.has(at)) break;
    const [owner = ''] = at.split('/');
    const file = await ownerFileAt(change, change.tree, owner);
    read.set(owner, file === undefined || file instanceof Error ? {} : file);
    const isProposed = change.builds.some((one) => one.id === at && one.proposal !== undefined);
    const history = await change.history(at);
    if (!isProposed && (await history.highest(() => true)) === undefined) break;
    published.add(at);
  }
  return files;
}
