/** What proves a change in a project: its own type check, lint, tests and start, as its scripts and settings have them. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { field } from '../../format/document/canonical-json.ts';
import { venvPython } from '../apply/python-packages.ts';
import { PACKAGE_JSON, PYPROJECT } from '../edit/edited-files.ts';
import { findNodeManager } from '../project/package-managers.ts';
import { readJson, readNames, readText } from '../project/read-file.ts';
import { pythonStart } from './python-start.ts';
import { projectPython, testCommand } from './run-tests.ts';

export type CheckKind = 'types' | 'lint' | 'tests' | 'start';

/** A command of the project, for a shell in its folder. */
export interface ProofCommand {
  readonly kind: CheckKind;
  readonly command: string;
  /** The text of the script that it runs: the user agrees to this text. */
  readonly script?: string;
  /** The linter whose results are JSON; files follow the command. */
  readonly linter?: 'eslint' | 'biome' | 'oxlint' | 'ruff';
}

const TYPE_SCRIPTS = ['typecheck', 'type-check', 'check-types', 'tsc'];
const START_SCRIPTS = ['start', 'dev', 'start:dev', 'serve'];
/** Where a script starts what only a build makes. */
const BUILT = /(?:^|[\s./])(?:dist|build|out|\.next|\.output)(?:\/|\s|$)/;
const LINTERS: readonly (readonly [RegExp, string, NonNullable<ProofCommand['linter']>])[] = [
  [/^(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.\w+)?)$/, 'eslint --format json', 'eslint'],
  [/^\.?biome\.jsonc?$/, 'biome lint --reporter=json', 'biome'],
  [/^\.oxlintrc\.json$|^oxlint\.config\.\w+$/, 'oxlint --format=json', 'oxlint'],
];

/**
 * @param isTesting whether its tests are among them
 * @param isNew whether the project gets its environment of Python only now
 */
export async function proofCommands(
  project: string,
  isTesting: boolean,
  isNew = false,
): Promise<ProofCommand[]> {
  const scripts = scriptsOf(project);
  const { name: manager } = await findNodeManager(project);
  const script = (kind: CheckKind, name: string): ProofCommand => {
    const run = manager === 'deno' ? 'deno task' : `${manager} run`;
    return { kind, command: `${run} ${name}`, script: scripts.get(name)! };
  };
  const commands: ProofCommand[] = [];
  const types = TYPE_SCRIPTS.find((name) => scripts.has(name) && !isWatching(scripts.get(name)!));
  const compiler = binary(project, 'tsc');
  if (types !== undefined) commands.push(script('types', types));
  else if (compiler !== undefined && existsSync(join(project, 'tsconfig.json')))
    commands.push({ kind: 'types', command: `${compiler} --noEmit -p tsconfig.json` });
  const python = projectPython(project) ?? (isNew ? venvPython() : undefined);
  const isMypy = ['mypy.ini', '.mypy.ini'].some((name) => existsSync(join(project, name)));
  if (
    python !== undefined &&
    (isMypy || hasTool(project, 'mypy')) &&
    hasModule(project, python, 'mypy')
  )
    commands.push({ kind: 'types', command: `${python} -m mypy` });
  const names = readNames(project);
  for (const [pattern, command, linter] of LINTERS) {
    const program = binary(project, linter);
    if (program === undefined || !names.some((name) => pattern.test(name))) continue;
    commands.push({ kind: 'lint', command: command.replace(linter, program), linter });
  }
  const isRuff = names.some((name) => /^\.?ruff\.toml$/.test(name)) || hasTool(project, 'ruff');
  if (python !== undefined && isRuff && hasModule(project, python, 'ruff'))
    commands.push({
      kind: 'lint',
      command: `${python} -m ruff check --output-format json`,
      linter: 'ruff',
    });
  const tests = isTesting ? await testsOf(project, scripts) : undefined;
  if (tests !== undefined) commands.push(tests);
  const isStartable = (name: string): boolean =>
    scripts.has(name) && !BUILT.test(scripts.get(name)!);
  const start = START_SCRIPTS.find(isStartable);
  const serve = start === undefined ? pythonStart(project, python) : undefined;
  const once = start === undefined ? undefined : withoutWatch(project, scripts.get(start)!);
  if (once !== undefined) commands.push({ kind: 'start', command: once });
  else if (start !== undefined) commands.push(script('start', start));
  else if (serve !== undefined) commands.push({ kind: 'start', command: serve });
  return commands;
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

async function testsOf(
  project: string,
  scripts: ReadonlyMap<string, string>,
): Promise<ProofCommand | undefined> {
  const script = scripts.get('test');
  // What "npm init" writes tests nothing.
  if (script !== undefined && /no test specified|\bexit 1\b/.test(script)) return undefined;
  const command = await testCommand(project);
  if (command === undefined) return undefined;
  return { kind: 'tests', command, ...(script === undefined ? {} : { script }) };
}

function scriptsOf(project: string): Map<string, string> {
  const scripts = field(readJson(join(project, PACKAGE_JSON)), 'scripts');
  const entries = typeof scripts === 'object' && scripts !== null ? Object.entries(scripts) : [];
  return new Map(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** What a script starts again at each change, started once: a watching program may end it, and goes on itself. */
function withoutWatch(project: string, script: string): string | undefined {
  const [, name, words = ''] = /^(node|tsx)((?: [\w./=@:-]+)+)$/.exec(script) ?? [];
  const left = words.replaceAll(/ (?:--watch(?:-path=\S+|-preserve-output)?|watch)(?= )/g, '');
  const program = name === 'tsx' ? binary(project, name) : name;
  return program === undefined || left === words ? undefined : program + left;
}

function isWatching(script: string): boolean {
  return /(?:^|\s)(?:--watch|-w)(?:\s|$)/.test(script);
}

function hasTool(project: string, tool: string): boolean {
  return new RegExp(`^\\[tool\\.${tool}[\\].]`, 'm').test(readPyproject(project));
}

function hasModule(project: string, python: string, name: string): boolean {
  const lib = resolve(project, python, '../../lib');
  return readNames(lib).some((python) => existsSync(join(lib, python, 'site-packages', name)));
}

function readPyproject(project: string): string {
  try {
    return readText(join(project, PYPROJECT));
  } catch {
    return '';
  }
}
