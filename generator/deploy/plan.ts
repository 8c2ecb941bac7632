/** What a deployment does, in its order. */
import { REGISTRY_PATH, writingOrder } from '../../format/index/layout.ts';
import { GeneratorError } from '../errors.ts';
import { atOnce, isStored, type Difference } from './difference.ts';
import { readLocalFile, type LocalFiles } from './local-files.ts';
import { digestOfMark, type FileMark } from './manifest.ts';
import { isImmutable, objectHeaders } from './object-headers.ts';
import { REQUESTS_AT_ONCE } from './s3-store.ts';
import type { Condition, Store } from './store.ts';

/** A file to upload. */
interface Upload {
  readonly path: string;
  /** Of its bytes, in hexadecimal. */
  readonly sha256: string;
  /** Only where no object is: its bytes never change. */
  readonly isNew: boolean;
}

interface DeployPlan {
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
    if (upload.path !== REGISTRY_PATH) (stages[writingOrder(upload.path)] ??= []).push(upload);
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
function immutableDiffers(path: string): GeneratorError {
  return new GeneratorError(
    'ERR_DEPLOY_IMMUTABLE',
    `File "${path}" has other bytes than the deployed one, which never change`,
    {
      hint: 'restore the history and the generator that it was published with; to repair an object that was altered at the target, remove it and .deploy/ there, and deploy again',
    },
  );
}

/** What was sent. */
export interface Sent {
  files: number;
  bytes: number;
}

/**
 * Uploads the stages one after the other, then `registry.json`.
 * @param tag of the deployed `registry.json`; `undefined` where there is none
 * @throws {GeneratorError} `ERR_DEPLOY_LOST` when another deployment replaced `registry.json`
 */
export async function uploadPlan(
  store: Store,
  index: string,
  { stages, registry }: DeployPlan,
  tag: string | undefined,
): Promise<Sent> {
  const sent: Sent = { files: 0, bytes: 0 };
  for (const stage of stages) {
    await atOnce(stage, REQUESTS_AT_ONCE, (upload) => uploadFile(store, index, upload, sent));
    await store.settle();
  }
  if (registry !== undefined) await uploadRegistry(store, index, registry, tag, sent);
  return sent;
}

async function uploadFile(
  store: Store,
  index: string,
  { path, sha256, isNew }: Upload,
  sent: Sent,
): Promise<void> {
  const bytes = readLocalFile(index, path, sha256);
  const condition = isNew ? 'absent' : undefined;
  const result = await store.write(path, bytes, objectHeaders(path), condition);
  if (result.kind === 'written') count(sent, bytes);
  // There already, such as from a deployment that was interrupted.
  else if (!(await isStored(store, path, sha256))) throw immutableDiffers(path);
}

async function uploadRegistry(
  store: Store,
  index: string,
  { path, sha256 }: Upload,
  tag: string | undefined,
  sent: Sent,
): Promise<void> {
  const bytes = readLocalFile(index, path, sha256);
  const condition: Condition = tag === undefined ? 'absent' : { tag };
  const result = await store.write(path, bytes, objectHeaders(path), condition);
  if (result.kind === 'written') count(sent, bytes);
  // The response to a write that succeeded may be lost: then the repeated one is refused.
  else if (!(await isStored(store, path, sha256))) {
    throw new GeneratorError(
      'ERR_DEPLOY_LOST',
      `Another deployment replaced "${REGISTRY_PATH}" at ${store.place}`,
      { hint: 'run again when it has ended' },
    );
  }
}

function count(sent: Sent, bytes: Uint8Array): void {
  sent.files += 1;
  sent.bytes += bytes.length;
}
