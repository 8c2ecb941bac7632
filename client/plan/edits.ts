/** Edits that builds make in the project's own files: packages, scripts, variables. Pure. */
import { ClientError } from '../errors.ts';
import { printable } from '../../format/build/file-path.ts';
import { normalizePipName } from '../../format/version/pep440.ts';
import { editEnvExample } from '../edit/env-example.ts';
import { readText } from '../edit/project-file.ts';
import { ENV_EXAMPLE } from '../edit/edited-files.ts';
import type { Earlier, LockedEdits } from './previous-edits.ts';
import { earlierVariables } from './previous-edits.ts';
import { lockedEdits } from './lock.ts';
import { planPackageJson } from './package-json.ts';
import { planPython } from './python.ts';
import { planUninstallEdits } from './uninstall-edits.ts';
import type { VariableEntry } from './planned-entries.ts';
import type { EditInput, EditState, PlannedEdits } from './planned-edits.ts';

/**
 * Plans the edits of all new builds together. Entries that the previous versions added are replaced, or
 * removed when no build needs them.
 * @throws {ClientError} see `makePlan`
 */
export function planEdits(input: EditInput): PlannedEdits {
  const installed = Object.entries(input.lock?.builds ?? {});
  const isGoing = (id: string): boolean =>
    input.leaving.has(id) || input.builds.some((build) => build.id === id);
  const previous = new Map(installed.filter(([id]) => isGoing(id)));
  const others = new Map(installed.filter(([id]) => !isGoing(id)));
  const relocked = new Map<string, LockedEdits>();
  const earlier = { previous, others, created: new Set(input.lock?.made) };
  const decided = new Set<string>();
  const made = { files: new Map(), warnings: [], created: [], relocked, decided, byHand: [] };
  const edited: EditState = { ...made, earlier };
  const { npm, scripts } = planPackageJson(input, edited);
  const pip = planPython(input, edited);
  checkDecisions(input.keep, decided);
  const env = planEnv(input, edited);
  const { files, warnings, created } = edited;
  const entries = { npm, pip, scripts, env, byHand: edited.byHand };
  const staying = { deletes: [], stale: [], relocked };
  if (previous.size === 0) return { files, ...entries, warnings, created, ...staying };
  return uninstallRest(input, earlier, { files, ...entries, warnings, created, ...staying });
}

/** Removes what only the previous versions and the leaving builds need. */
function uninstallRest(
  input: EditInput,
  { previous, others }: Earlier,
  edits: PlannedEdits,
): PlannedEdits {
  const staying = new Map<string, LockedEdits>([...others, ...edits.relocked]);
  for (const { id } of input.builds) staying.set(id, lockedEdits(id, edits));
  const taken = planUninstallEdits({
    leaving: previous,
    staying,
    created: new Set([...(input.lock?.made ?? []), ...edits.created]),
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
    created: edits.created.filter((mark) => !taken.stale.includes(mark)),
    stale: taken.stale,
    relocked: new Map([...edits.relocked, ...taken.relocked]),
  };
}

/** Refuses a decision about nothing: it is a slip, or it was made for another project. */
function checkDecisions(keep: ReadonlySet<string>, decided: ReadonlySet<string>): void {
  const unused = [...keep].filter(
    (name) => !decided.has(name) && !decided.has(normalizePipName(name)),
  );
  if (unused.length === 0) return;
  const names = unused.map((name) => `"${printable(name)}"`).join(', ');
  throw new ClientError('ERR_USAGE', `Option --keep names ${names}, which is no conflict here`, {
    hint: 'leave it out: a range of the project that meets those of the builds is always kept',
  });
}

function planEnv(
  { builds, project }: EditInput,
  { files, created, earlier }: EditState,
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
  if (text !== undefined && before === undefined) created.push(ENV_EXAMPLE);
  return entries;
}
