/** Edits that builds make in the project's own files: packages, scripts, variables. Pure. */
import { printable } from '../../format/build/file-path.ts';
import { readRequirements } from '../../format/project/requirement.ts';
import { normalizePipName } from '../../format/version/pep440.ts';
import { editEnvExample } from '../edit/env-example.ts';
import type { NpmAddition } from '../edit/json/npm-dependencies.ts';
import { editPackageJson } from '../edit/json/package-json.ts';
import {
  DEV_REQUIREMENTS,
  ENV_EXAMPLE,
  NEW_PACKAGE_JSON,
  PACKAGE_JSON,
  PYPROJECT,
  REQUIREMENTS,
} from '../edit/edited-files.ts';
import { quote, readText } from '../edit/project-file.ts';
import { editPyproject } from '../edit/python/pyproject.ts';
import { editRequirements } from '../edit/python/requirements.ts';
import { ClientError } from '../errors.ts';
import { devOf, lockedEdits } from './lock.ts';
import { denoSteps, pythonSteps } from './manual-steps.ts';
import type { FetchedBuild, Warning } from './plan.ts';
import type { NpmEntry, PipEntry, ScriptEntry, Table, VariableEntry } from './planned-entries.ts';
import { createdEntriesOf, formatCreatedEntry } from './created-entries.ts';
import {
  type Earlier,
  earlierNpm,
  earlierPip,
  earlierScripts,
  earlierVariables,
  type EditInput,
  type EditState,
  type LockedEdits,
  type PlannedEdits,
} from './previous-edits.ts';
import { projectScripts } from './project-scripts.ts';
import { planUninstallEdits } from './uninstall-edits.ts';

const TABLES = ['dependencies', 'devDependencies'] as const;

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
  const isStrict = /"dotenv-safe"\s*:/.test(readText(project, PACKAGE_JSON) ?? '');
  const entries = builds.flatMap(({ id, manifest }) => {
    const edit = editEnvExample(text, id, manifest.env, earlierVariables(earlier, id), isStrict);
    text = edit.text;
    return edit.env.map(({ name, required, description, action, text: added, unchanged }) => {
      return { build: id, name, required, description, action, text: added, unchanged };
    });
  });
  if (text !== undefined && text !== before) files.set(ENV_EXAMPLE, text);
  if (text !== undefined && before === undefined) created.push(ENV_EXAMPLE);
  return entries;
}

/** @throws {ClientError} `ERR_DEPENDENCY`, `ERR_PROJECT_FILE` */
function planPackageJson(
  { builds, project, links, keep, byHand, scriptFacts = {} }: EditInput,
  edited: EditState,
): { npm: readonly NpmEntry[]; scripts: readonly ScriptEntry[] } {
  const npm = requiredPackages(builds, 'npm');
  const { scripts, warnings: unused } = projectScripts(builds, scriptFacts);
  edited.warnings.push(...unused);
  if (npm.length === 0 && scripts.length === 0) return { npm: [], scripts: [] };
  const { warnings, created, relocked, earlier } = edited;
  const present = readText(project, PACKAGE_JSON);
  if (links.has(PACKAGE_JSON)) {
    throw new ClientError('ERR_PATH_POLICY', `Cannot write "${PACKAGE_JSON}": it is a symlink`, {
      hint: 'the client writes regular files in real folders of the project only',
    });
  }
  if (present === undefined && (npm.length === 0 || byHand.npm !== undefined)) {
    edited.byHand.push(...denoSteps(npm));
    if (scripts.length > 0) warnings.push(leftOut(scripts));
    return { npm: [], scripts: [] };
  }
  const text = present ?? NEW_PACKAGE_JSON;
  const before = {
    npm: earlierNpm(earlier),
    scripts: earlierScripts(earlier),
    created: createdEntriesOf(earlier.created, PACKAGE_JSON),
  };
  const edit = editPackageJson(text, { npm, scripts }, before, keep);
  record(PACKAGE_JSON, present, edit, edited);
  created.push(...edit.created.map((mark) => formatCreatedEntry(PACKAGE_JSON, mark)));
  shareNpm(edit.replaced, earlier.others, relocked);
  return edit;
}

/** Adds what the edit of one file changes, warns about and decides. */
function record(
  path: string,
  before: string | undefined,
  edit: Pick<ReturnType<typeof editRequirements>, 'text' | 'warnings' | 'decided'>,
  { files, warnings, created, decided }: EditState,
): void {
  if (edit.text !== undefined && edit.text !== before) files.set(path, edit.text);
  if (edit.text !== undefined && before === undefined) created.push(path);
  warnings.push(...edit.warnings.map((warning) => ({ ...warning, path })));
  for (const name of edit.decided) decided.add(name);
}

/** Scripts alone are no reason to make a package.json. */
function leftOut(scripts: readonly { readonly name: string; readonly build: string }[]): Warning {
  const listed = scripts.map(({ name, build }) => `${quote(name)} of ${quote(build)}`).join(', ');
  const message = `The project has no ${PACKAGE_JSON}: left out ${listed}`;
  return { code: 'scripts-left-out', message, path: '' };
}

/** The packages of one manager that `builds` require, with the text of their ranges. */
function requiredPackages(builds: readonly FetchedBuild[], manager: 'npm' | 'pip') {
  return builds.flatMap(({ id: build, manifest }) =>
    TABLES.flatMap((table) =>
      Object.entries(manifest[table]?.[manager] ?? {}).map(([name, range]) => {
        return { name, range, table, build };
      }),
    ),
  );
}

/** The fields of an entry that becomes one of a build that shared it. */
function ownedBy({ table: before, dev }: Pick<PipEntry, 'table' | 'dev'>, table: Table) {
  const isDev = dev === true || before === 'devDependencies';
  return { table, action: 'added' as const, ...devOf(table, isDev) };
}

/** A package that changes for one build changes for all builds that share it; all of them then own it. */
function shareNpm(
  replaced: readonly NpmAddition[],
  others: ReadonlyMap<string, LockedEdits>,
  relocked: Map<string, LockedEdits>,
): void {
  for (const { name, range, table } of replaced) {
    for (const [id, build] of others) {
      const { npm } = relocked.get(id) ?? build;
      if (!Object.hasOwn(npm, name)) continue;
      const { wanted = npm[name]!.range, ...old } = npm[name]!;
      const entry = { range, ...ownedBy(old, table), ...(wanted === range ? {} : { wanted }) };
      relocked.set(id, { ...(relocked.get(id) ?? build), npm: { ...npm, [name]: entry } });
    }
  }
}

/** @throws {ClientError} `ERR_DEPENDENCY`, `ERR_PROJECT_FILE` */
function planPython(
  { builds, project, keep, byHand }: EditInput,
  edited: EditState,
): readonly PipEntry[] {
  const { created, earlier } = edited;
  const requirements = requiredPackages(builds, 'pip').map(({ range: specifier, ...one }) => {
    return { ...one, specifier };
  });
  if (requirements.length === 0) return [];
  const kept = new Set([...keep].map(normalizePipName));
  const pyproject = readText(project, PYPROJECT);
  const before = earlierPip(earlier, PYPROJECT);
  const marks = createdEntriesOf(earlier.created, PYPROJECT);
  const edit =
    pyproject === undefined
      ? undefined
      : editPyproject(pyproject, requirements, before, marks, kept);
  if (edit !== undefined) {
    record(PYPROJECT, pyproject, edit, edited);
    created.push(...edit.created.map((mark) => formatCreatedEntry(PYPROJECT, mark)));
    const entries = edit.pip.map((entry) => ({ ...entry, file: PYPROJECT }));
    return share(entries, edited);
  }
  if (byHand.pip !== undefined) {
    edited.byHand.push(...pythonSteps(byHand.pip, requirements));
    return [];
  }
  const earlierRuntime = earlierPip(earlier, REQUIREMENTS);
  const present = readRequirements(readText(project, REQUIREMENTS) ?? '');
  const runtimeNames = new Set([
    ...requirements
      .filter((requirement) => requirement.table === 'dependencies')
      .map(({ name }) => normalizePipName(name)),
    ...[...present.keys()].filter((key) => !earlierRuntime.own.has(key)),
  ]);
  const entries = TABLES.flatMap((table) => {
    // A distribution that is needed at run time is not added again for development.
    const wanted = requirements.filter(({ name }) => {
      return runtimeNames.has(normalizePipName(name)) === (table === 'dependencies');
    });
    if (wanted.length === 0) return [];
    const file = table === 'dependencies' ? REQUIREMENTS : DEV_REQUIREMENTS;
    const old = readText(project, file);
    const after = editRequirements(old, wanted, file, earlierPip(earlier, file), kept);
    record(file, old, after, edited);
    return after.pip.map((p) => ({ ...p, table, file }));
  });
  return share(entries, edited);
}

/** A line that changes for one build changes for all builds that share it; all of them then own it. */
function share(
  entries: readonly PipEntry[],
  { earlier, relocked }: EditState,
): readonly PipEntry[] {
  for (const { name, specifier, table, file, action } of entries) {
    const key = normalizePipName(name);
    if (action === 'kept' || !earlierPip(earlier, file).own.has(key)) continue;
    for (const [id, build] of earlier.others) {
      const { pip } = relocked.get(id) ?? build;
      const theirs = Object.keys(pip).find((other) => normalizePipName(other) === key);
      if (theirs === undefined || pip[theirs]?.file !== file) continue;
      const { wanted = pip[theirs].specifier, ...old } = pip[theirs];
      const other = wanted === specifier ? {} : { wanted };
      const entry = { file, specifier, ...ownedBy(old, table), ...other };
      relocked.set(id, { ...(relocked.get(id) ?? build), pip: { ...pip, [theirs]: entry } });
    }
  }
  return entries;
}
