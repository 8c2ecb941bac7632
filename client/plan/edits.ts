/** What builds change in the files of the project itself: packages, scripts, variables. Pure. */
import { ClientError } from '../errors.ts';
import { editEnvExample } from '../edit/env-example.ts';
import { readText } from '../edit/project-file.ts';
import { ENV_EXAMPLE } from '../edit/edited-files.ts';
import type { Earlier, LockedEdits } from './previous-edits.ts';
import { earlierVariables } from './previous-edits.ts';
import { lockedEdits } from './lock.ts';
import { planPackageJson } from './package-json.ts';
import { planPython } from './python.ts';
import { planTakeBack } from './uninstall-edits.ts';
import type { PlanInput, Warning } from './make-plan.ts';

export type Table = 'dependencies' | 'devDependencies';
/** An `added` entry that an earlier version added as well, and that stays as it is, is `unchanged`. */
type Action = 'added' | 'kept';

export interface NpmEntry {
  readonly build: string;
  readonly name: string;
  readonly range: string;
  readonly table: Table;
  readonly action: Action;
  readonly unchanged?: true | undefined;
  /** What the build asks for. */
  readonly wanted: string;
}

export interface PipEntry {
  readonly build: string;
  readonly name: string;
  readonly specifier: string;
  readonly table: Table;
  readonly file: string;
  readonly action: Action;
  readonly unchanged?: true | undefined;
  /** What the build asks for. */
  readonly wanted: string;
}

export interface ScriptEntry {
  readonly build: string;
  readonly name: string;
  readonly value: string;
  readonly action: Action;
  readonly unchanged?: true | undefined;
}

export interface VariableEntry {
  readonly build: string;
  readonly name: string;
  readonly required: boolean;
  readonly description?: string | undefined;
  readonly action: Action;
  readonly unchanged?: true | undefined;
  /** The lines that were added for it. */
  readonly text?: string | undefined;
}

export interface PlannedEdits {
  /** New text of every file that changes, by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly npm: readonly NpmEntry[];
  readonly pip: readonly PipEntry[];
  readonly scripts: readonly ScriptEntry[];
  readonly env: readonly VariableEntry[];
  readonly warnings: readonly Warning[];
  /** Files that go, because nothing is left in them: when builds are updated or leave. */
  readonly deletes: readonly string[];
  /** Marks of what was made, as the lock has them, and of what is no longer there. */
  readonly made: readonly string[];
  readonly unmade: readonly string[];
  /** Other installed builds that share what changed. */
  readonly relocked: ReadonlyMap<string, LockedEdits>;
}

/** Scripts that package managers run without being asked. */
const LIFECYCLE =
  /^(?:(?:pre|post)?(?:install|publish|pack|version)|(?:pre|post)?prepare|prepublishOnly|prepublish|dependencies|(?:pre|post)?uninstall)$/;

/** What the plans for single files put together. */
export interface Edited {
  readonly files: Map<string, string>;
  readonly warnings: Warning[];
  readonly made: string[];
  readonly relocked: Map<string, LockedEdits>;
  readonly earlier: Earlier;
}

/**
 * Plans the edits of all new builds together. What updated and leaving builds added before is replaced,
 * or taken back where no build has it any more.
 * @throws {ClientError} see `makePlan`
 */
export function planEdits(input: PlanInput): PlannedEdits {
  checkLifecycle(input);
  const installed = Object.entries(input.lock?.builds ?? {});
  const isGoing = (id: string): boolean =>
    input.leaving.has(id) || input.builds.some((build) => build.id === id);
  const previous = new Map(installed.filter(([id]) => isGoing(id)));
  const others = new Map(installed.filter(([id]) => !isGoing(id)));
  const relocked = new Map<string, LockedEdits>();
  const earlier = { previous, others, made: new Set(input.lock?.made) };
  const edited: Edited = { files: new Map(), warnings: [], made: [], relocked, earlier };
  const { npm, scripts } = planPackageJson(input, edited);
  const pip = planPython(input, edited);
  const env = planEnv(input, edited);
  const { files, warnings, made } = edited;
  const entries = { npm, pip, scripts, env };
  const staying = { deletes: [], unmade: [], relocked };
  if (previous.size === 0) return { files, ...entries, warnings, made, ...staying };
  return takeBackRest(input, earlier, { files, ...entries, warnings, made, ...staying });
}

/** Takes back what only the old versions and the leaving builds have. */
function takeBackRest(
  input: PlanInput,
  { previous, others }: Earlier,
  edits: PlannedEdits,
): PlannedEdits {
  const staying = new Map<string, LockedEdits>([...others, ...edits.relocked]);
  for (const { id } of input.builds) staying.set(id, lockedEdits(id, edits));
  const taken = planTakeBack({
    leaving: previous,
    staying,
    made: new Set([...(input.lock?.made ?? []), ...edits.made]),
    project: new Map([
      ...input.project,
      ...[...edits.files].map(([path, text]) => [path, Buffer.from(text)] as const),
    ]),
  });
  const files = new Map(edits.files);
  const deletes: string[] = [];
  for (const [path, text] of taken.files) {
    if (text === undefined) deletes.push(path);
    if (text === undefined) files.delete(path);
    else files.set(path, text);
  }
  return {
    ...edits,
    files,
    deletes,
    warnings: [...edits.warnings, ...taken.kept],
    made: edits.made.filter((mark) => !taken.unmade.includes(mark)),
    unmade: taken.unmade,
    relocked: new Map([...edits.relocked, ...taken.relocked]),
  };
}

function checkLifecycle({ builds, allow }: PlanInput): void {
  if (allow.has('lifecycle')) return;
  const found = builds.flatMap(({ id, manifest }) =>
    Object.keys(manifest.scripts ?? {})
      .filter((name) => LIFECYCLE.test(name))
      .map((name) => `"${name}" (${id})`),
  );
  if (found.length === 0) return;
  throw new ClientError(
    'ERR_CONSENT',
    `Cannot install without your consent to scripts that package managers run unasked: ${found.join(', ')}`,
    { hint: 'read them first, then add --allow lifecycle' },
  );
}

function planEnv(
  { builds, project }: PlanInput,
  { files, made, earlier }: Edited,
): VariableEntry[] {
  const before = readText(project, ENV_EXAMPLE);
  let text = before;
  const entries = builds.flatMap(({ id, manifest }) => {
    const edit = editEnvExample(text, id, manifest.env, earlierVariables(earlier, id));
    text = edit.text;
    return edit.env.map(({ name, required, description, action, text: added, unchanged }) => {
      return { build: id, name, required, description, action, text: added, unchanged };
    });
  });
  if (text !== undefined && text !== before) files.set(ENV_EXAMPLE, text);
  if (text !== undefined && before === undefined) made.push(ENV_EXAMPLE);
  return entries;
}
