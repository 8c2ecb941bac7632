/** Resolves against a registry and a project: fetches the heads that the resolver asks for. */
import type { HeadVersion } from '../format/head.ts';
import type { Lock } from '../format/lock.ts';
import { ClientError } from './errors.ts';
import type { Conflict, KnownHead } from './explain.ts';
import type { Warning } from './plan.ts';
import type { Registry } from './registry.ts';
import type { BuildRequest } from './request.ts';
import { KnownHeads } from './known-heads.ts';
import { readStack } from './stack.ts';
import type { AgeRule } from './version-age.ts';

export interface Solution {
  /** The builds to install, by id; installed ones are not among them. */
  readonly versions: ReadonlyMap<string, HeadVersion>;
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
  /** Which versions are too new to be chosen. */
  readonly age?: AgeRule | undefined;
}

/**
 * Chooses the versions to install for `requests`.
 * @throws {ClientError} those of the resolver and of the registry
 */
export async function solve(input: SolveInput): Promise<Solution> {
  const { project, isNew, registry, requests, lock } = input;
  const stack = await readStack(project, process.versions.node, isNew);
  const locked = new Map(Object.entries(lock?.builds ?? {}));
  const known = new KnownHeads(registry, input.age, locked);
  const resolution = await known.resolve({ requests, locked, stack });
  if (resolution.kind === 'conflict') throw conflictError(resolution);
  const { versions } = resolution;
  return { versions, warnings: [...versions].flatMap(([id, v]) => warningsOf(id, v, known.heads)) };
}

/** A conflict of the resolver as what ends a command. */
export function conflictError({ code, message, hint }: Conflict): ClientError {
  return new ClientError(code, message, { hint });
}

function warningsOf(
  id: string,
  { version, yanked, risk }: HeadVersion,
  heads: ReadonlyMap<string, KnownHead>,
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
