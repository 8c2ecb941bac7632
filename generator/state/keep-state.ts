/** Keeps the state of the generator in the store of its index, for runs on machines that have none. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { HOUR_MS } from '../../format/duration.ts';
import type { NoteSigner } from '../../format/log/note-key.ts';
import { marksOfState } from './run-marks.ts';
import type { Inventory } from '../deploy/inventory.ts';
import { STATE_FOLDER, type Store } from '../deploy/store.ts';

type KeptState = Inventory['facts']['state'];

/** A younger state stays: it is large, and runs go on from an older one as well. */
const KEPT_MS = 24 * HOUR_MS;

/**
 * @param file the state file, where it is to be kept
 * @param signers of the log: without one, nothing is kept
 * @param registry digest of the deployed `registry.json`
 * @param before what the target has
 * @returns what the inventory has to name from now on, and what was done or why nothing was
 */
export async function keepState(
  store: Store,
  file: string | undefined,
  signers: readonly NoteSigner[],
  registry: string | undefined,
  before: KeptState,
): Promise<readonly [KeptState, note?: string]> {
  if (file === undefined) return [before];
  if (signers.length === 0) return [before, 'The state was not kept: STACKYARD_LOG_KEY is not set'];
  const marks = marksOfState(file);
  const isOther = marks === undefined || marks.registry !== registry;
  if (isOther) return [before, 'The state was not kept: it is of another index'];
  const kept_at = store.now();
  // Also one of the future, by a clock that was wrong, is replaced.
  const isNew = before !== undefined && Math.abs(kept_at - before.kept_at) < KEPT_MS;
  if (isNew) return [before, 'The kept state is new enough'];
  const bytes = gzipSync(readFileSync(file), { level: 1 });
  const state = { head: marks.head, registry, kept_at, sha256: hash('sha256', bytes) };
  await store.write(STATE_FOLDER + state.sha256, bytes);
  return [state, `The state was kept: ${(bytes.length / 1e6).toFixed(1)} MB sent`];
}
