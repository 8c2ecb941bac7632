/** Resolves against a registry and a project: fetches the heads that the resolver asks for. */
import type { HeadVersion } from '../../format/index/head.ts';
import type { Lock } from '../../format/lock/lock.ts';
import type { Movable } from '../resolve/candidates.ts';
import { BUILD_DANGER } from './confirm-danger.ts';
import type { KnownHead } from '../resolve/known-head.ts';
import type { Registries } from '../registry/registries.ts';
import type { BuildRequest } from '../resolve/request.ts';
import { withCheckedHint } from './checked-hint.ts';
import { passedOver } from './passed-over.ts';
import { KnownHeads } from './known-heads.ts';
import { nearHint } from './near-build.ts';
import type { Conflict } from '../resolve/conflict.ts';
import { ResolveError } from './resolve-error.ts';
import { nodeInUse } from '../project/stack/node-in-use.ts';
import { readStack } from '../project/stack/read-stack.ts';
import { advisoriesOf, advisorySentence } from '../resolve/found-advisories.ts';
import type { AgeRule } from '../resolve/version-age.ts';
import type { Warning } from '../plan/plan.ts';

export interface Solution {
  /** The builds to install, by id; installed ones are not among them. */
  readonly versions: ReadonlyMap<string, HeadVersion>;
  /** Installed builds that the registry does not have any more: they stay as they are. */
  readonly gone: ReadonlySet<string>;
  /** What speaks against a chosen version and stops nothing. */
  readonly warnings: readonly Warning[];
}

export interface SolveInput {
  readonly project: string;
  /** Whether the project is only being made, so that any runtime in use will do for it. */
  readonly isNew: boolean;
  readonly registry: Registries;
  readonly requests: readonly BuildRequest[];
  readonly lock: Lock | undefined;
  /** Which versions are too new to be chosen. */
  readonly age?: AgeRule | undefined;
  /** Builds of the lock whose version may change; the others stay as they are. */
  readonly movable?: ReadonlyMap<string, Movable>;
}

/**
 * Chooses the versions to install for `requests`.
 * @throws {ClientError} those of the resolver and of the registry
 */
export async function solve(input: SolveInput): Promise<Solution> {
  const { project, isNew, registry, requests, lock } = input;
  registry.assign(requests);
  const stack = await readStack(project, await nodeInUse(project), isNew);
  const movable = new Map(input.movable);
  const gone = new Set<string>();
  const builds = lock?.builds ?? {};
  const installed = new Map(Object.entries(builds));
  const locked = new Map([...installed].filter(([id]) => !movable.has(id)));
  const known = new KnownHeads(registry, input.age, installed);
  const resolution = await known.resolve({ requests, locked, stack, movable }, (id) => {
    if (!movable.delete(id)) return;
    // An installed build that the registry does not have any more stays as it is.
    locked.set(id, builds[id]!);
    gone.add(id);
  });
  if (resolution.kind === 'conflict') {
    const tried = { known, requests, locked, stack, lock, movable };
    const hinted = isNew ? resolution : await withCheckedHint(resolution, tried);
    throw new ResolveError(await withNearName(hinted, requests, registry));
  }
  const { versions } = resolution;
  await registry.checkRequirements(versions);
  const warnings = [...versions].flatMap(([id, version]) =>
    warningsOf(id, version, known.heads, lock),
  );
  const over = await passedOver(requests, versions, known.heads, (id, requirer) =>
    registry.head(id, () => [requirer]),
  );
  const lost = [...gone].filter((id) => !registry.down.has(registry.entryOf(id).name));
  return { versions, gone, warnings: [...warnings, ...over, ...lost.map(goneWarning)] };
}

/** A misspelt id is more likely than one that the registry lost. */
async function withNearName(
  conflict: Conflict,
  requests: readonly BuildRequest[],
  registry: Registries,
): Promise<Conflict> {
  if (conflict.code !== 'ERR_BUILD_NOT_FOUND') return conflict;
  for (const { id } of requests) {
    if ((await registry.head(id)) !== undefined) continue;
    return { ...conflict, hint: `${await nearHint(registry, id)}${conflict.hint}` };
  }
  return conflict;
}

function goneWarning(id: string): Warning {
  return {
    code: 'build-gone',
    message: `The registry does not have "${id}" any more: it stays as it is`,
    path: '',
  };
}

function warningsOf(
  id: string,
  { version, yanked, risk }: HeadVersion,
  heads: ReadonlyMap<string, KnownHead>,
  lock: Lock | undefined,
): Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: string, problem: string): void => {
    warnings.push({ code, message: `"${id}" ${version} ${problem}`, path: '' });
  };
  if (yanked !== false) warn('build-yanked', `was yanked: ${yanked}`);
  const riskCode = risk === 'danger' ? BUILD_DANGER : 'build-risk';
  if (risk !== 'ok') warn(riskCode, `has risk "${risk}": see its findings with stackyard info`);
  const sentence = advisorySentence(advisoriesOf(heads.get(id), version, lock?.ignored));
  if (sentence !== undefined) warn('build-advisory', `has ${sentence}`);
  const deprecated = heads.get(id)?.deprecated;
  if (deprecated !== undefined) {
    const { reason, replacement } = deprecated;
    const instead = replacement === undefined ? '' : `; use "${replacement}" instead`;
    warn('build-deprecated', `is deprecated: ${reason}${instead}`);
  }
  return warnings;
}
