/**
 * A project as texts with its lock, for the tests of edits: builds are added and removed by the plans only.
 */
import { integrityOf } from '../../format/archive/integrity.ts';
import type { Lock } from '../../format/lock/lock.ts';
import { parseManifest } from '../../format/build/manifest.ts';
import { makePlan } from '../../client/plan/make-plan.ts';
import { NO_CHANGES } from '../../client/operation/plan-install.ts';
import type {
  ByHand,
  FetchedBuild,
  MadePlan,
  Plan,
  PlanInput,
  Warning,
} from '../../client/plan/plan.ts';

type Texts = Readonly<Record<string, string>>;

/** A project with its lock, to which builds are added and from which they are removed. */
export interface State {
  readonly files: ReadonlyMap<string, string>;
  readonly lock: Lock | undefined;
  readonly warnings: readonly Warning[];
  /** Commands that the user has to run. */
  readonly byHand: readonly string[];
}

export function fetched(id: string, changes: object): FetchedBuild {
  const [, name] = id.split('/');
  const value = { name, version: '1.0.0', kind: 'module', description: 'd', license: 'MIT' };
  const parsed = parseManifest(Buffer.from(JSON.stringify({ ...value, ...changes })));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  const integrity = integrityOf(Buffer.from(JSON.stringify(changes)));
  return { id, version: '1.0.0', integrity, manifest: parsed.manifest, files: new Map() };
}

export function start(files: Texts): State {
  return { files: new Map(Object.entries(files)), lock: undefined, warnings: [], byHand: [] };
}

/** Installs builds, or updates them where they are installed. */
export function install(
  state: State,
  builds: readonly FetchedBuild[],
  keep: readonly string[] = [],
  byHand: ByHand = {},
): State {
  return planned(state, { builds, command: 'add', keep: new Set(keep), byHand });
}

export function remove(state: State, ids: readonly string[]): State {
  return planned(state, { leaving: new Set(ids), command: 'remove' });
}

/** What an update to these versions of installed builds would do. */
export function planUpdate({ files, lock }: State, builds: readonly FetchedBuild[]): Plan {
  return makeFor({ files, lock }, { builds, command: 'update' }).plan;
}

/** The result of the transaction that the commands plan. */
function planned(state: State, change: Partial<PlanInput>): State {
  const made = makeFor(state, change);
  const after = new Map(state.files);
  for (const { path, bytes } of made.changes) {
    if (bytes === undefined) after.delete(path);
    else after.set(path, Buffer.from(bytes).toString());
  }
  const { bytes } = made.commit;
  const next =
    bytes === undefined ? undefined : (JSON.parse(Buffer.from(bytes).toString()) as Lock);
  const byHand = (made.plan.by_hand ?? []).map(({ command }) => command);
  return { files: after, lock: next, warnings: made.plan.warnings, byHand };
}

function makeFor(
  { files, lock }: Pick<State, 'files' | 'lock'>,
  change: Partial<PlanInput>,
): MadePlan {
  return makePlan({
    ...NO_CHANGES,
    command: 'add',
    registry: 'https://registry.example',
    registries: {
      default: { origin: 'registry.example', address: 'https://registry.example' },
    },
    builds: [],
    requested: new Map(),
    lock,
    project: new Map(Array.from(files, ([path, text]) => [path, Buffer.from(text)])),
    missingFolders: new Set(),
    warnings: [],
    allow: new Set(),
    ...change,
  });
}

/** `undefined` when the builds conflict with the project or with each other. */
export function tryInstall(state: State, builds: readonly FetchedBuild[]): State | undefined {
  try {
    return install(state, builds);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Cannot ')) return undefined;
    throw error;
  }
}
