/** Resolves against a registry and a project: fetches the heads that the resolver asks for. */
import type { Head, HeadVersion } from '../format/head.ts';
import type { Lock } from '../format/lock.ts';
import type { Movable } from './candidates.ts';
import { ClientError } from './errors.ts';
import type { Warning } from './plan.ts';
import type { Registry } from './registry.ts';
import type { BuildRequest } from './request.ts';
import { resolve } from './resolve.ts';
import { readStack } from './stack.ts';

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
  readonly registry: Registry;
  readonly requests: readonly BuildRequest[];
  readonly lock: Lock | undefined;
  /** Builds of the lock whose version may change; the others stay as they are. */
  readonly movable?: ReadonlyMap<string, Movable>;
}

/**
 * Chooses the versions to install for `requests`.
 * @throws {ClientError} those of the resolver and of the registry
 */
export async function solve(input: SolveInput): Promise<Solution> {
  const { project, isNew, registry, requests, lock } = input;
  const stack = await readStack(project, process.versions.node, isNew);
  const movable = new Map(input.movable);
  const gone = new Set<string>();
  const installed = Object.entries(lock?.builds ?? {});
  const locked = new Map(installed.filter(([id]) => !movable.has(id)));
  const heads = new Map<string, Head>();
  const missing = new Set<string>();
  for (;;) {
    const resolution = resolve({ requests, heads, missing, locked, stack, movable });
    if (resolution.kind === 'solved') {
      const { versions } = resolution;
      const warnings = [...versions].flatMap(([id, version]) => warningsOf(id, version, heads));
      return { versions, gone, warnings: [...warnings, ...[...gone].map(goneWarning)] };
    }
    if (resolution.kind === 'conflict') {
      throw new ClientError(resolution.code, resolution.message, { hint: resolution.hint });
    }
    const fetched = await Promise.all(resolution.ids.map((id) => registry.head(id)));
    for (const [at, id] of resolution.ids.entries()) {
      const head = fetched[at];
      const build = lock?.builds[id];
      if (head !== undefined) {
        heads.set(id, head);
      } else if (build !== undefined && movable.delete(id)) {
        locked.set(id, build);
        gone.add(id);
      } else {
        missing.add(id);
      }
    }
  }
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
  heads: ReadonlyMap<string, Head>,
): Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: string, problem: string): void => {
    warnings.push({ code, message: `"${id}" ${version} ${problem}`, path: '' });
  };
  if (yanked !== false) warn('build-yanked', `was yanked: ${yanked}`);
  if (risk !== 'ok') warn('build-risk', `has risk "${risk}": see its findings with stackyard info`);
  const deprecated = heads.get(id)?.deprecated;
  if (deprecated !== undefined) {
    const { reason, replacement } = deprecated;
    const instead = replacement === undefined ? '' : `; use "${replacement}" instead`;
    warn('build-deprecated', `is deprecated: ${reason}${instead}`);
  }
  return warnings;
}
