/** What builds change in the files of the project itself: packages, scripts, variables. Pure. */
import { ClientError } from './errors.ts';
import { editEnvExample } from './edits/env-example.ts';
import { decodeProjectFile } from './edits/project-file.ts';
import { editPackageJson } from './edits/package-json.ts';
import { editPyproject } from './edits/pyproject.ts';
import { editRequirements } from './edits/requirements.ts';
import type { FetchedBuild, PlanInput, Warning } from './plan.ts';

type Table = 'dependencies' | 'devDependencies';
type Action = 'added' | 'kept';

export interface NpmEntry {
  readonly build: string;
  readonly name: string;
  readonly range: string;
  readonly table: Table;
  readonly action: Action;
}

export interface PipEntry {
  readonly build: string;
  readonly name: string;
  readonly specifier: string;
  readonly table: Table;
  readonly file: string;
  readonly action: Action;
}

export interface ScriptEntry {
  readonly build: string;
  readonly name: string;
  readonly value: string;
  readonly action: Action;
}

export interface VariableEntry {
  readonly build: string;
  readonly name: string;
  readonly required: boolean;
  readonly description?: string | undefined;
  readonly action: Action;
}

export interface PlannedEdits {
  /** New text of every file that changes, by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly npm: readonly NpmEntry[];
  readonly pip: readonly PipEntry[];
  readonly scripts: readonly ScriptEntry[];
  readonly env: readonly VariableEntry[];
  readonly warnings: readonly Warning[];
}

export const PACKAGE_JSON = 'package.json';
export const PYPROJECT = 'pyproject.toml';
export const REQUIREMENTS = 'requirements.txt';
export const DEV_REQUIREMENTS = 'requirements-dev.txt';
const ENV_EXAMPLE = '.env.example';

/** The files that `planEdits` may look at or change. */
export const EDITED_FILES: readonly string[] = [
  PACKAGE_JSON,
  PYPROJECT,
  REQUIREMENTS,
  DEV_REQUIREMENTS,
  ENV_EXAMPLE,
];

/** Scripts that package managers run without being asked. */
const LIFECYCLE =
  /^(?:(?:pre|post)?(?:install|publish|pack|version)|(?:pre|post)?prepare|prepublishOnly|prepublish|dependencies|(?:pre|post)?uninstall)$/;

interface Edited {
  readonly files: Map<string, string>;
  readonly warnings: Warning[];
}

/** Plans the edits of all new builds together. @throws {ClientError} see `makePlan` */
export function planEdits(input: PlanInput): PlannedEdits {
  checkLifecycle(input);
  const edited: Edited = { files: new Map(), warnings: [] };
  const { npm, scripts } = planPackageJson(input, edited);
  const pip = planPip(input, edited);
  const env = planEnv(input, edited);
  return { ...edited, npm, pip, scripts, env };
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

function planPackageJson(
  { builds, project }: PlanInput,
  { files, warnings }: Edited,
): { npm: readonly NpmEntry[]; scripts: readonly ScriptEntry[] } {
  const npm = builds.flatMap((build) => npmWishes(build));
  const scripts = builds.flatMap(({ id, manifest }) =>
    Object.entries(manifest.scripts ?? {}).map(([name, value]) => ({ name, value, build: id })),
  );
  if (npm.length === 0 && scripts.length === 0) return { npm: [], scripts: [] };
  const text = readText(project, PACKAGE_JSON);
  if (text === undefined) {
    const wanting = [...new Set([...npm, ...scripts].map((wish) => wish.build))].join(', ');
    throw new ClientError(
      'ERR_DEPENDENCY',
      `Cannot install ${wanting}: it needs npm packages, and the project has no package.json`,
      {
        hint: 'run "npm init -y" first, or give the folder that has the package.json with -C',
      },
    );
  }
  const edit = editPackageJson(text, { npm, scripts });
  if (edit.text !== text) files.set(PACKAGE_JSON, edit.text);
  warnings.push(...edit.warnings.map((w) => ({ ...w, path: PACKAGE_JSON })));
  return edit;
}

function npmWishes({
  id,
  manifest,
}: FetchedBuild): { name: string; range: string; table: Table; build: string }[] {
  return (['dependencies', 'devDependencies'] as const).flatMap((table) =>
    Object.entries(manifest[table]?.npm ?? {}).map(([name, range]) => ({
      name,
      range,
      table,
      build: id,
    })),
  );
}

function planPip({ builds, project }: PlanInput, { files, warnings }: Edited): readonly PipEntry[] {
  const wishes = builds.flatMap(({ id, manifest }) =>
    (['dependencies', 'devDependencies'] as const).flatMap((table) =>
      Object.entries(manifest[table]?.pip ?? {}).map(([name, specifier]) => ({
        name,
        specifier,
        table,
        build: id,
      })),
    ),
  );
  if (wishes.length === 0) return [];
  const pyproject = readText(project, PYPROJECT);
  const edit = pyproject === undefined ? undefined : editPyproject(pyproject, wishes);
  if (edit !== undefined) {
    if (edit.text !== pyproject) files.set(PYPROJECT, edit.text);
    warnings.push(...edit.warnings.map((w) => ({ ...w, path: PYPROJECT })));
    return edit.pip.map((p) => ({ ...p, file: PYPROJECT }));
  }
  if (pyproject === undefined && !project.has(REQUIREMENTS)) {
    const wanting = [...new Set(wishes.map((wish) => wish.build))].join(', ');
    throw new ClientError(
      'ERR_DEPENDENCY',
      `Cannot install ${wanting}: it needs Python packages, and the project has neither pyproject.toml nor requirements.txt`,
      {
        hint: 'make an empty requirements.txt first, or give the folder that has one with -C',
      },
    );
  }
  return (['dependencies', 'devDependencies'] as const).flatMap((table) => {
    const wanted = wishes.filter((w) => w.table === table);
    if (wanted.length === 0) return [];
    const file = table === 'dependencies' ? REQUIREMENTS : DEV_REQUIREMENTS;
    const before = readText(project, file);
    const after = editRequirements(before, wanted, file);
    if (after.text !== undefined && after.text !== before) files.set(file, after.text);
    warnings.push(...after.warnings.map((w) => ({ ...w, path: file })));
    return after.pip.map((p) => ({ ...p, table, file }));
  });
}

function planEnv({ builds, project }: PlanInput, { files }: Edited): VariableEntry[] {
  const before = readText(project, ENV_EXAMPLE);
  let text = before;
  const entries = builds.flatMap(({ id, manifest }) => {
    const edit = editEnvExample(text, id, manifest.env);
    text = edit.text;
    return edit.env.map(({ name, required, description, action }) => {
      return { build: id, name, required, description, action };
    });
  });
  if (text !== undefined && text !== before) files.set(ENV_EXAMPLE, text);
  return entries;
}

function readText(project: PlanInput['project'], path: string): string | undefined {
  const bytes = project.get(path);
  return bytes === undefined ? undefined : decodeProjectFile(bytes, path);
}
