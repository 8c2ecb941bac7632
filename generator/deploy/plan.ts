/** What a deployment does, in its order. */
import { REGISTRY_PATH } from '../../format/index/layout.ts';
import { GeneratorError } from '../errors.ts';
import { stageOf } from '../pipeline/emit.ts';
import type { Difference } from './difference.ts';
import type { LocalFiles } from './local-files.ts';
import { digestOfMark } from './manifest.ts';
import type { FileMark } from './manifest.ts';
import { isImmutable } from './object-headers.ts';

/** A file to upload. */
export interface Upload {
  readonly path: string;
  /** Of its bytes, in hexadecimal. */
  readonly sha256: string;
  /** Only where no object is: its bytes never change. */
  readonly isNew: boolean;
}

export interface DeployPlan {
  /** Each stage after the one before; in a stage side by side. Without `registry.json`. */
  readonly stages: readonly (readonly Upload[])[];
  /** `registry.json`, last. */
  readonly registry: Upload | undefined;
  /** To remove now: no part of the index for longer than the grace period. */
  readonly expired: readonly string[];
  /** No part of the index any more: path to the time since which. */
  readonly removed: Readonly<Record<string, number>>;
  readonly unchanged: number;
}

/** How exact the time of a store is: its header has whole seconds. */
const CLOCK_MS = 2_000;

interface PlanInput {
  readonly files: LocalFiles;
  readonly difference: Difference;
  /** Objects that are missing or altered at the target: they are written over. */
  readonly repaired: ReadonlySet<string>;
  /** As the manifest has them. */
  readonly removed: Readonly<Record<string, number>>;
  readonly now: number;
  readonly graceMs: number;
}

/** @throws {GeneratorError} `ERR_DEPLOY_IMMUTABLE` when bytes changed that never change */
export function makePlan({ files, difference, repaired, ...rest }: PlanInput): DeployPlan {
  const uploads = [...new Set([...difference.changed.keys(), ...repaired])].sort().map((path) => {
    const sha256 = files.get(path) ?? '';
    const before = difference.changed.get(path)?.before;
    if (isImmutable(path)) requireSame(path, sha256, before);
    return {
      path,
      sha256,
      isNew: isImmutable(path) && before === undefined && !repaired.has(path),
    };
  });
  const stages: Upload[][] = [];
  for (const upload of uploads) {
    if (upload.path !== REGISTRY_PATH) (stages[stageOf(upload.path)] ??= []).push(upload);
  }
  return {
    stages: [...stages].filter((stage) => stage !== undefined),
    registry: uploads.find(({ path }) => path === REGISTRY_PATH),
    unchanged: files.size - uploads.length,
    ...planRemovals(files, difference.gone, rest),
  };
}

function planRemovals(
  files: LocalFiles,
  gone: readonly string[],
  { removed, now, graceMs }: Pick<PlanInput, 'removed' | 'now' | 'graceMs'>,
): Pick<DeployPlan, 'expired' | 'removed'> {
  const all = { ...Object.fromEntries(gone.map((path) => [path, now])), ...removed };
  const old = Object.entries(all).filter(([path]) => !files.has(path));
  const isExpired = ([, since]: [string, number]): boolean => now - since >= graceMs - CLOCK_MS;
  return {
    expired: old
      .filter(isExpired)
      .map(([path]) => path)
      .sort(),
    removed: Object.fromEntries(old.filter((one) => !isExpired(one))),
  };
}

function requireSame(path: string, sha256: string, before: FileMark | undefined): void {
  if (before === undefined || digestOfMark(before) === sha256) return;
  throw immutableDiffers(path);
}

/** The refusal of other bytes at a path whose bytes never change. */
export function immutableDiffers(path: string): GeneratorError {
  return new GeneratorError(
    'ERR_DEPLOY_IMMUTABLE',
    `File "${path}" has other bytes than the deployed one, which never change`,
    {
      hint: 'restore the history and the generator that it was published with; an object that was altered at the target is repaired with --verify',
    },
  );
}
