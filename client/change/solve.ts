/** Resolves against a registry and a project: fetches the heads that the resolver asks for. */
import { statusText } from '../../format/registry/status.ts';
import { advisoriesOf, advisorySentence } from '../../format/project/found-advisories.ts';
import { deprecationText, type HeadVersion } from '../../format/index/record.ts';
import type { Lock } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import type { Warning } from '../plan/plan.ts';
import { nodeInUse } from '../project/stack/node-in-use.ts';
import { readStack } from '../project/stack/read-stack.ts';
import type { Movable } from '../resolve/candidates.ts';
import type { Conflict } from '../resolve/conflict.ts';
import type { BuildRequest } from '../resolve/request.ts';
import { aboveMeasured, belowInUse } from '../resolve/stack-incompatibility.ts';
import type { AgeRule, KnownHead } from '../resolve/version-age.ts';
import { BUILD_DANGER } from '../plan/question.ts';
import { KnownHeads } from './known-heads.ts';
import { passedOver } from './passed-over.ts';
import { nearHint } from '../search/near-builds.ts';
import type { Registries } from '../registry/registries.ts';
import { withStackHint } from '../search/stack-hint.ts';

/**
 * Chooses the versions to install for `requests`.
 * @returns `versions` by id, without installed ones; `gone`: installed builds that the registry does not have any more,
 * which stay as they are; `warnings`: what speaks against a chosen version and stops nothing
 * @throws {ClientError} those of the resolver and of the registry
 */
export async function solve(input: {
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
}) {
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
    const hinted = await withStackHint(resolution, project, registry, isNew);
    throw new ResolveError(await withNearName(hinted, requests, registry));
  }
  const { versions } = resolution;
  await registry.checkRequirements(versions);
  const warnings = [...versions].flatMap(([id, version]) =>
    warningsOf(id, version, known.heads, lock),
  );
  const newer = [...versions].flatMap(([id, version]) =>
    [...aboveMeasured(version, stack), ...belowInUse(version, stack)].map((clause): Warning => {
      const message = `"${id}" ${version.version} ${clause}`;
      return { code: 'stack-unmeasured', message, path: '' };
    }),
  );
  const over = await passedOver({ requests, locked, stack, movable }, versions, known);
  const lost = [...gone].filter((id) => !registry.down.has(registry.entryOf(id).name));
  return { versions, gone, warnings: [...warnings, ...newer, ...over, ...lost.map(goneWarning)] };
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
  const message = `The registry does not have "${id}" any more: it stays as it is`;
  return { code: 'build-gone', message, path: '' };
}

function warningsOf(
  id: string,
  { version, status, risk }: HeadVersion,
  heads: ReadonlyMap<string, KnownHead>,
  lock: Lock | undefined,
): Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: string, problem: string): void => {
    warnings.push({ code, message: `"${id}" ${version} ${problem}`, path: '' });
  };
  if (status.is !== 'open') warn('build-yanked', `was ${statusText(status)}: ${status.reason}`);
  const riskCode = risk === 'danger' ? BUILD_DANGER : 'build-risk';
  if (risk !== 'ok') warn(riskCode, `has risk "${risk}": see its findings with stackyard info`);
  const sentence = advisorySentence(advisoriesOf(heads.get(id), version, lock?.ignored));
  if (sentence !== undefined) warn('build-advisory', `has ${sentence}`);
  const deprecated = heads.get(id)?.deprecated;
  if (deprecated !== undefined) {
    warn('build-deprecated', `is deprecated: ${deprecationText(deprecated)}`);
  }
  return warnings;
}

export class ResolveError extends ClientError {
  constructor({ code, message, hint }: Conflict) {
    super(code, message, { hint });
  }
}
