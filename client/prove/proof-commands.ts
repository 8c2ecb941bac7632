/** What proves a change in a project: its own type check, lint, tests and start, as its scripts and settings have them. */
import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { field } from '../../format/document/canonical-json.ts';
import { pythonSteps } from '../apply/first-steps.ts';
import { venvPython } from '../apply/python-packages.ts';
import { PACKAGE_JSON, PYPROJECT } from '../edit/edited-files.ts';
import { findNodeManager } from '../project/package-managers.ts';
import { readJson, readNames, readText } from '../project/read-file.ts';
import { findWorkspaceRoot } from '../project/workspace.ts';
import { pythonStart } from './python-start.ts';

export type CheckKind = 'types' | 'lint' | 'tests' | 'start';

/** A command of the project, for a shell in its folder. */
export interface ProofCommand {
  readonly kind: CheckKind;
  readonly command: string;
  /** The text of the script that it runs: the user agrees to this text. */
  readonly script?: string;
}

/** The scripts of each kind, the best first. */
const SCRIPTS: Readonly<Record<CheckKind, readonly string[]>> = {
  types: ['typecheck', 'type-check', 'check-types', 'tsc'],
  lint: ['lint', 'lint:check'],
  tests: ['test'],
  start: ['start', 'dev', 'start:dev', 'serve'],
};
/** Where a script starts what only a build makes. */
const BUILT = /(?:^|[\s./])(?:dist|build|out|\.next|\.output)(?:\/|\s|$)/;
/** What waits for changes, or makes them. */
const WATCHING = /(?:^|\s)(?:--watch\w*|-w|watch)(?:\s|$)/;
const FIXING = /(?:^|\s)--(?:fix|write|apply)\b/;
/** `echo "no test specified" && exit 1`: it does nothing. */
const PLACEHOLDER =
  /^(?:\s*(?:echo\b(?:"[^"]*"|'[^']*'|[^&|;"'])*|true|:|exit \d+)\s*(?:&&|\|\||;|$))+$/;
const LINTERS: readonly (readonly [RegExp, string, string])[] = [
  [/^(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.\w+)?)$/, 'eslint', ' .'],
  [/^\.?biome\.jsonc?$/, 'biome', ' lint'],
  [/^\.oxlintrc\.json$|^oxlint\.config\.\w+$/, 'oxlint', ''],
];

/** @param isNew whether the project gets its environment of Python only now */
export async function proofCommands(project: string, isNew = false): Promise<ProofCommand[]> {
  const scripts = scriptsOf(project);
  const { name: manager } = await findNodeManager(project);
  const run = manager === 'deno' ? 'deno task' : `${manager} run`;
  const script = (kind: CheckKind, unfit?: RegExp): ProofCommand[] => {
    const name = SCRIPTS[kind].find(
      (one) => scripts.has(one) && unfit?.test(scripts.get(one)!) !== true,
    );
    return name === undefined
      ? []
      : [{ kind, command: `${run} ${name}`, script: scripts.get(name)! }];
  };
  const python = projectPython(project) ?? (isNew ? venvPython() : undefined);
  const types = script('types', WATCHING);
  const lint = script('lint', FIXING);
  const tests = script('tests', WATCHING);
  const start = script('start', BUILT);
  return [
    ...(types.length > 0 ? types : compiler(project)),
    ...pythonTool(project, python, 'types', 'mypy', ''),
    ...(lint.length > 0 ? lint : linters(project)),
    ...pythonTool(project, python, 'lint', 'ruff', ' check'),
    ...(tests.length > 0 ? tests : pytest(project, python)),
    ...(start.length > 0 ? start : otherStart(project, scripts, run, python)),
  ];
}

function compiler(project: string): ProofCommand[] {
  const program = binary(project, 'tsc');
  if (program === undefined || !existsSync(join(project, 'tsconfig.json'))) return [];
  return [{ kind: 'types', command: `${program} --noEmit -p tsconfig.json` }];
}

function linters(project: string): ProofCommand[] {
  const names = readNames(project);
  return LINTERS.flatMap(([settings, name, words]) => {
    const program = binary(project, name);
    const isUsed = program !== undefined && names.some((one) => settings.test(one));
    return isUsed ? [{ kind: 'lint' as const, command: `${program}${words}` }] : [];
  });
}

/** A tool of Python that is installed, and has settings in a file of its own or in pyproject.toml. */
function pythonTool(
  project: string,
  python: string | undefined,
  kind: CheckKind,
  tool: string,
  words: string,
): ProofCommand[] {
  const isSet =
    [`${tool}.ini`, `.${tool}.ini`, `${tool}.toml`, `.${tool}.toml`].some((name) =>
      existsSync(join(project, name)),
    ) || new RegExp(`^\\[tool\\.${tool}[\\].]`, 'm').test(readText(join(project, PYPROJECT)));
  if (!isSet || python === undefined || !hasModule(project, python, tool)) return [];
  return [{ kind, command: `${python} -m ${tool}${words}` }];
}

function pytest(project: string, python = 'python'): ProofCommand[] {
  const isThere = pythonSteps(project).some(({ command }) => command.endsWith(' -m pytest'));
  return isThere ? [{ kind: 'tests', command: `${python} -m pytest` }] : [];
}

/** What is started after it was built, or an application of Python. */
function otherStart(
  project: string,
  scripts: ReadonlyMap<string, string>,
  run: string,
  python: string | undefined,
): ProofCommand[] {
  const [start, build] = [scripts.get('start'), scripts.get('build')];
  if (start !== undefined && build !== undefined) {
    const command = `${run} build && ${run} start`;
    return [{ kind: 'start', command, script: `${build} && ${start}` }];
  }
  const command = pythonStart(project, python);
  return command === undefined ? [] : [{ kind: 'start', command }];
}

/** As it is shown, and remembered: `npm run typecheck (tsc --noEmit)`. */
export function formatProofCommand({ command, script }: ProofCommand): string {
  return script === undefined ? command : `${command} (${script})`;
}

/** The program of a package in `node_modules`, for a shell in the project. */
function binary(project: string, name: string): string | undefined {
  const path = `node_modules/.bin/${name}`;
  return [path, `../${path}`, `../../${path}`].find((one) => existsSync(join(project, one)));
}

/** The Python of the environment of the project or of its workspace, for a shell in the project; `undefined` where there is none. */
function projectPython(project: string): string | undefined {
  const up = relative(project, findWorkspaceRoot(project)).split(sep).join('/');
  const own = [venvPython(), venvPython().replace('.venv', 'venv')];
  const places = up === '' ? own : [...own, ...own.map((python) => `${up}/${python}`)];
  return places.find((python) => existsSync(join(project, python)));
}

/** Those that do something. */
function scriptsOf(project: string): Map<string, string> {
  const scripts = field(readJson(join(project, PACKAGE_JSON)), 'scripts');
  const entries = typeof scripts === 'object' && scripts !== null ? Object.entries(scripts) : [];
  return new Map(
    entries.filter((entry): entry is [string, string] => {
      return typeof entry[1] === 'string' && !PLACEHOLDER.test(entry[1]);
    }),
  );
}

function hasModule(project: string, python: string, name: string): boolean {
  const lib = resolve(project, python, '../../lib');
  return readNames(lib).some((python) => existsSync(join(lib, python, 'site-packages', name)));
}
