/**
 * Brings a target up to an index, whatever happened to it before:
 *
 *     read -> compare -> claim -> upload -> registry.json -> remove -> manifest
 *
 * The claim (`claim.ts`) lets one deployment work at a time. The manifest (`manifest.ts`) is written after everything
 * that it lists. When it may be wrong, because a deployment did not end, the objects themselves are listed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from '../../format/document/document.ts';
import { CHECKPOINT_PATH, REGISTRY_PATH } from '../../format/index/layout.ts';
import { RegistryInfo } from '../../format/index/registry-info.ts';
import type { NoteSigner } from '../../format/log/note-key.ts';
import { GeneratorError } from '../errors.ts';
import {
  atOnce,
  differenceByListing,
  differenceByManifest,
  differingObjects,
  type Difference,
} from './difference.ts';
import { Claim, type Lease } from './claim.ts';
import {
  isSettled,
  readDeployed,
  requireLongerLog,
  requireOwnTarget,
  requireSigned,
  type ConfiguredKeys,
} from './deployed.ts';
import { keepState, removeKept } from './keep-state.ts';
import { readLocalFiles, sha256Of, type LocalFiles } from './local-files.ts';
import {
  MANIFEST_PATH,
  formatManifest,
  makeShards,
  manifestBits,
  manifestShardPath,
  type FileMarks,
  type ManifestShard,
} from './manifest.ts';
import { makePlan, uploadPlan, type Sent } from './plan.ts';
import { REQUESTS_AT_ONCE } from './s3-store.ts';
import type { Store } from './store.ts';

type DeployPlan = ReturnType<typeof makePlan>;

type Deployed = Parameters<typeof isSettled>[0];

interface DeployOptions {
  /** The folder of the index. */
  readonly index: string;
  readonly store: Store;
  readonly isDryRun: boolean;
  /** How long files stay that are not part of the index any more. */
  readonly graceMs: number;
  readonly lease: Lease;
  /** What `registry.config.json` has of keys, where that is at hand. */
  readonly keys?: ConfiguredKeys | undefined;
  /** Of the log: they make the list of files authentic. */
  readonly signers?: readonly NoteSigner[];
  /** The file with the state of the generator, to keep in the store. */
  readonly state?: string;
}

interface Deployment {
  readonly plan: DeployPlan;
  readonly sent: Sent;
  /** Objects that were missing or altered, where the store had no list. */
  readonly repaired: readonly string[];
  /** Whether nothing had to be written. */
  readonly isCurrent: boolean;
  /** What was done with the state of the generator; `undefined` when it was not looked at. */
  readonly stateNote?: string | undefined;
}

/** The index as it is on this machine. */
interface Local {
  readonly index: string;
  readonly files: LocalFiles;
  readonly marks: FileMarks;
  readonly shards: readonly ManifestShard[];
  readonly bits: number;
  readonly origin: string | undefined;
  readonly log: Parameters<typeof requireSigned>[1];
  /** How many versions were taken down. */
  readonly takenDown: number;
}

/** @throws {GeneratorError} when the target is not this registry's, or cannot be brought up to the index */
export async function deploy(options: DeployOptions): Promise<Deployment> {
  const local = readLocal(options.index);
  const { store } = options;
  const seen = await readDeployed(store);
  await requireOwnTarget(store, local.origin, seen);
  requireSigned(store, local.log, options.keys, seen);
  await requireLongerLog(store, local.log.checkpoint);
  if (options.isDryRun) {
    const { plan, repaired } = await prepare(options, local, seen);
    return { plan, repaired, sent: { files: 0, bytes: 0 }, isCurrent: isEmpty(plan) };
  }
  if (isSettled(seen)) {
    const { plan, repaired } = await prepare(options, local, seen);
    const isCurrent = isEmpty(plan) && isListed(local, seen);
    if (isCurrent) return { plan, repaired, sent: { files: 0, bytes: 0 }, isCurrent };
  }
  return deployClaimed(options, local, seen);
}

async function deployClaimed(
  options: DeployOptions,
  local: Local,
  seen: Deployed,
): Promise<Deployment> {
  const { store } = options;
  const { claim, over } = await Claim.take(store, seen.claim, local.origin, options.lease);
  const guarded = store.guardedBy(() => claim.ensure());
  try {
    // What was read belongs to the claim that was replaced, unless that is a later one.
    const isLater = over?.tag !== seen.claim?.tag;
    const current = isLater ? { ...(await readDeployed(store)), claim: over } : seen;
    if (isLater) {
      requireSigned(store, local.log, options.keys, current);
      await requireLongerLog(store, local.log.checkpoint);
    }
    const { plan, repaired, difference } = await prepare(options, local, current);
    const sent = await uploadPlan(guarded, local.index, plan, current.registry?.tag);
    await atOnce(plan.expired, REQUESTS_AT_ONCE, (path) => guarded.remove(path));
    // A state of before has what it knew.
    if (isPurging(local, current)) await removeKept(guarded);
    const [signer] = options.signers ?? [];
    await writeManifest(guarded, local, plan, current, signer);
    await atOnce(difference.oldShards, REQUESTS_AT_ONCE, (path) => guarded.remove(path));
    await guarded.settle();
    const stateNote = await keepStateOf(options, local, guarded);
    await claim.finish();
    return { plan, repaired, sent, isCurrent: false, stateNote };
  } catch (error) {
    await claim.stop();
    throw error;
  }
}

async function prepare(
  { store, graceMs }: DeployOptions,
  local: Local,
  seen: Deployed,
): Promise<{ plan: DeployPlan; repaired: readonly string[]; difference: Difference }> {
  const difference = await compare(store, local, seen);
  // Objects of which nothing is known were uploaded by other programs: their headers may be others.
  const isAdopted = seen.claim === undefined && seen.registry !== undefined;
  const looked = isAdopted ? unchangedFiles(local, difference) : new Map();
  const repaired = await differingObjects(store, looked, REQUESTS_AT_ONCE);
  const plan = makePlan({
    files: local.files,
    difference,
    repaired: new Set(repaired),
    removed: seen.manifest?.removed ?? {},
    now: store.now(),
    // What was taken down must not wait: which of the old files have something of it, nobody can tell.
    graceMs: isPurging(local, seen) ? 0 : graceMs,
  });
  return { plan, repaired, difference };
}

/** Whether something was taken down since the last deployment that ended. */
function isPurging({ takenDown }: Local, { manifest }: Deployed): boolean {
  return takenDown > (manifest?.taken_down ?? 0);
}

async function compare(store: Store, local: Local, seen: Deployed): Promise<Difference> {
  const { index, files, marks, shards } = local;
  if (isSettled(seen) && seen.manifest !== undefined) {
    const difference = await differenceByManifest(store, marks, shards, seen.manifest);
    if (difference !== undefined) return difference;
  }
  return differenceByListing(store, index, files, shards);
}

function unchangedFiles({ files }: Local, { changed }: Difference): LocalFiles {
  return new Map([...files].filter(([path]) => !changed.has(path)));
}

/** Shards first: the manifest names them. */
async function writeManifest(
  store: Store,
  { files, shards, bits, origin, takenDown }: Local,
  { removed }: DeployPlan,
  seen: Deployed,
  signer: NoteSigner | undefined,
): Promise<void> {
  const known = new Set(isSettled(seen) ? seen.manifest?.shards : []);
  const missing = shards.filter(({ sha256 }) => !known.has(sha256));
  const text = { cacheControl: 'no-store', contentType: 'text/plain; charset=utf-8' };
  await atOnce(missing, REQUESTS_AT_ONCE, async (shard) => {
    await store.write(manifestShardPath(shard.sha256), Buffer.from(shard.text), text);
  });
  await store.settle();
  const manifest = formatManifest(
    {
      format: 1,
      ...(origin === undefined ? {} : { origin }),
      registry: files.get(REGISTRY_PATH) ?? '',
      bits,
      shards: shards.map(({ sha256 }) => sha256),
      removed: { ...removed },
      ...(takenDown === 0 ? {} : { taken_down: takenDown }),
    },
    signer,
  );
  const json = { cacheControl: 'no-store', contentType: 'application/json' };
  await store.write(MANIFEST_PATH, Buffer.from(manifest), json);
}

function keepStateOf(
  { state, signers = [] }: DeployOptions,
  { files, origin }: Local,
  store: Store,
): Promise<string> | undefined {
  const registry = files.get(REGISTRY_PATH) ?? '';
  return state === undefined
    ? undefined
    : keepState(store, { file: state, signers }, { origin, registry });
}

function readLocal(index: string): Local {
  const { files, marks } = readLocalFiles(index);
  const bytes = existsSync(join(index, REGISTRY_PATH)) && readFileSync(join(index, REGISTRY_PATH));
  if (bytes === false || sha256Of(bytes) !== files.get(REGISTRY_PATH)) {
    throw new GeneratorError('ERR_DEPLOY_INDEX', `Folder "${index}" has no index`, {
      hint: 'run "stackyard-registry generate" first, and give its folder with --out',
    });
  }
  const info = parseDocument(RegistryInfo, bytes, `"${REGISTRY_PATH}" of "${index}"`);
  const bits = manifestBits(files.size);
  const file = join(index, CHECKPOINT_PATH);
  const checkpoint = existsSync(file) ? readFileSync(file) : undefined;
  const log = { key: info.log?.key, checkpoint };
  const { origin, taken_down: takenDown = 0 } = info;
  return { index, files, marks, bits, shards: makeShards(marks, bits), origin, log, takenDown };
}

function isEmpty({ stages, registry, expired }: DeployPlan): boolean {
  return stages.length === 0 && registry === undefined && expired.length === 0;
}

/** Whether the manifest has the shards of this index. */
function isListed({ shards }: Local, { manifest }: Deployed): boolean {
  return shards.every(({ sha256 }, at) => manifest?.shards[at] === sha256);
}

/** How long files stay that are not part of the index any more. */
export const GRACE_HOURS = 24;

/** The lines for a terminal: in a dry run every change, then the sums. */
export function formatDeployment(
  place: string,
  { plan, sent, repaired, isCurrent }: Deployment,
  isDryRun: boolean,
  seconds: number,
): string[] {
  const uploads = [...plan.stages.flat(), ...(plan.registry === undefined ? [] : [plan.registry])];
  const later = Object.keys(plan.removed).length;
  const time = `${seconds.toFixed(2)} s`;
  if (isDryRun) {
    const lines = [
      ...uploads.map(({ path }) => `upload  ${path}`),
      ...plan.expired.map((path) => `remove  ${path}`),
    ];
    const sums = `${uploads.length} to upload, ${plan.unchanged} unchanged, ${plan.expired.length} to remove`;
    return [...lines, `${place}: ${sums}; nothing was written`];
  }
  const altered = repaired.map((path) => `repaired  ${path}`);
  if (isCurrent) return [`${place}: nothing to do, ${plan.unchanged} unchanged; ${time}`];
  const size = `${(sent.bytes / 1000).toFixed(1)} KB`;
  const parts = [
    `${sent.files} uploaded (${size})`,
    `${plan.unchanged} unchanged`,
    `${plan.expired.length} removed`,
    ...(later === 0 ? [] : [`${later} to be removed later`]),
    ...(repaired.length === 0 ? [] : [`${repaired.length} repaired`]),
  ];
  return [...altered, `${place}: ${parts.join(', ')}; ${time}`];
}
