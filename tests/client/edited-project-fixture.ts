/**
 * A project as texts with its lock, for the tests of edits: builds are added and removed by the plans only.
 */
import { integrityOf } from '../../format/archive/integrity.ts';
import type { Lock } from '../../format/project/lock.ts';
import { parseManifest } from '../../format/build/manifest.ts';
import { NO_CHOICES, completePlan, draftPlan } from '../../client/plan/make-plan.ts';
import type { PlannedWiring } from '../../client/plan/planned-entries.ts';
import type {
  ByHand,
  Change,
  Choices,
  FetchedBuild,
  MadePlan,
  Plan,
  ProjectState,
  Warning,
} from '../../client/plan/plan.ts';

type Texts = Readonly<Record<string, string>>;

/** All that a plan is made from. */
export type PlanParts = Omit<Change, 'choices'> & Choices & ProjectState;

/** The parts of a change without builds of an empty project. */
export const NO_PARTS: PlanParts = {
  ...NO_CHOICES,
  command: 'add',
  registry: 'https://registry.example',
  registries: { default: { origin: 'registry.example', address: 'https://registry.example' } },
  builds: [],
  bases: new Map(),
  leaving: new Set(),
  lock: undefined,
  warnings: [],
  project: new Map(),
  missingFolders: new Set(),
  links: new Set(),
  reformatted: new Set(),
  byHand: {},
};

/** The choices among `parts`. */
export function choicesOf(parts: PlanParts): Choices {
  const { requested, on_exists, on_exists_at, on_conflict, force } = parts;
  const { allow, keep, to, style, wire, unwire } = parts;
  const chosen = { requested, on_exists, on_exists_at, on_conflict, force };
  return { ...chosen, allow, keep, to, style, wire, unwire };
}

/** The plan of a change, without disk. */
export function makePlan(changes: Partial<PlanParts>, wired?: PlannedWiring): MadePlan {
  const parts = { ...NO_PARTS, ...changes };
  return completePlan(draftPlan({ ...parts, choices: choicesOf(parts) }, parts), wired);
}

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
  return planned(state, { builds, command: 'add', keep, byHand });
}

export function remove(state: State, ids: readonly string[]): State {
  return planned(state, { leaving: new Set(ids), command: 'remove' });
}

/** What an update to these versions of installed builds would do. */
export function planUpdate({ files, lock }: State, builds: readonly FetchedBuild[]): Plan {
  return makeFor({ files, lock }, { builds, command: 'update' }).plan;
}

/** The result of the transaction that the commands plan. */
function planned(state: State, change: Partial<PlanParts>): State {
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
  change: Partial<PlanParts>,
): MadePlan {
  const project = new Map(Array.from(files, ([path, text]) => [path, Buffer.from(text)]));
  return makePlan({ lock, project, ...change });
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
