/** Carries out a plan. At any moment, every document at the target refers to objects that exist. */
import { InternalError } from '../../format/errors.ts';
import { REGISTRY_PATH } from '../../format/index/layout.ts';
import { GeneratorError } from '../errors.ts';
import { atOnce } from './at-once.ts';
import { isStored } from './difference.ts';
import { readLocalFile } from './local-files.ts';
import { objectHeaders } from './object-headers.ts';
import { immutableDiffers } from './plan.ts';
import type { DeployPlan, Upload } from './plan.ts';
import { REQUESTS_AT_ONCE } from './s3-store.ts';
import type { Condition, Store } from './store.ts';

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
  if (result.kind === 'unsupported') throw new InternalError('The store was not probed');
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
