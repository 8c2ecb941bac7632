/** The formatters that a project uses, from its scripts and their configuration. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tableAt } from '../../format/project/pyproject.ts';
import { parseToml } from '../edit/toml/toml-array.ts';
import { PACKAGE_JSON, PYPROJECT } from '../edit/project-file.ts';
import { field } from '../../format/document/canonical-json.ts';
import { readJson, readNames, readText } from '../project/read-file.ts';
import { findWorkspaceRoot } from '../project/workspace.ts';
import type { NextStep } from '../terminal/envelope.ts';
import type { Plan } from '../plan/plan.ts';
import { findNodeManager } from '../project/node-manager.ts';

interface Formatter {
  /** A script of package.json, a program of node_modules, or a Python program. */
  readonly kind: 'script' | 'node' | 'python';
  /** The script, or the program with its options; files follow it. */
  readonly command: string;
}

const SCRIPTS = ['format', 'fmt', 'format:write', 'format:fix'];

/** Files of a folder that configure a formatter, and how it writes. */
const CONFIGURATIONS: readonly (readonly [RegExp, string])[] = [
  [/^(?:\.prettierrc(?:\.\w+)?|prettier\.config\.\w+)$/, 'prettier --write'],
  [/^\.?biome\.jsonc?$/, 'biome format --write'],
  [/^(?:\.oxfmtrc\.jsonc?|oxfmt\.config\.\w+)$/, 'oxfmt'],
];

/**
 * The formatters of the project, the first of each kind.
 * @param root of its workspace, which may have the configuration of all its projects
 */
function findFormatters(project: string, root: string): Formatter[] {
  const first = (find: (folder: string) => Formatter | undefined): Formatter[] => {
    for (const folder of [project, root]) {
      const found = find(folder);
      if (found !== undefined) return [found];
    }
    return [];
  };
  // A script of the root runs in the root.
  const script = scriptIn(project);
  return [
    ...(script === undefined ? first(nodeFormatterIn) : [script]),
    ...first(pythonFormatterIn),
  ];
}

function scriptIn(folder: string): Formatter | undefined {
  const scripts = field(readJson(join(folder, PACKAGE_JSON)), 'scripts');
  const name = SCRIPTS.find((script) => typeof field(scripts, script) === 'string');
  return name === undefined ? undefined : { kind: 'script', command: name };
}

function nodeFormatterIn(folder: string): Formatter | undefined {
  const names = readNames(folder);
  const found = CONFIGURATIONS.find(([pattern]) => names.some((name) => pattern.test(name)));
  if (found !== undefined) return { kind: 'node', command: found[1] };
  const isInManifest = field(readJson(join(folder, PACKAGE_JSON)), 'prettier') !== undefined;
  return isInManifest ? { kind: 'node', command: 'prettier --write' } : undefined;
}

/** black before ruff, which many projects use for its checks alone. */
function pythonFormatterIn(folder: string): Formatter | undefined {
  const tools = tableAt(tryParseToml(readText(join(folder, PYPROJECT))), ['tool']);
  if (tools?.['black'] !== undefined) return { kind: 'python', command: 'black' };
  const isRuff =
    tools?.['ruff'] !== undefined ||
    ['ruff.toml', '.ruff.toml'].some((name) => existsSync(join(folder, name)));
  return isRuff ? { kind: 'python', command: 'ruff format' } : undefined;
}

function tryParseToml(text: string): ReturnType<typeof parseToml> {
  try {
    return parseToml(text);
  } catch {
    return {};
  }
}

/** More files are not listed: then the whole project is formatted. */
const MAX_LISTED = 5;
const WRITTEN = new Set(['create', 'replace', 'merge']);
const NODE_FILE = /\.(?:[cm]?[jt]sx?|jsonc?|css)$/i;
const PYTHON_FILE = /\.pyi?$/i;

/** Runs a program of node_modules, by package manager. */
const RUNNERS: Readonly<Record<string, string>> = {
  npm: 'npx',
  pnpm: 'pnpm exec',
  yarn: 'yarn',
  bun: 'bunx',
};

/** The formatter commands for the files that `plan` writes; none for other plans than updates. */
export async function formatterSteps(project: string, plan: Plan): Promise<NextStep[]> {
  if (plan.command !== 'update' || plan.choices.style === 'project') return [];
  const written = plan.files.filter(({ action }) => WRITTEN.has(action)).map(({ path }) => path);
  const steps: NextStep[] = [];
  for (const { kind, command } of findFormatters(project, findWorkspaceRoot(project))) {
    const pattern = kind === 'python' ? PYTHON_FILE : NODE_FILE;
    const files = written.filter((path) => pattern.test(path));
    if (files.length === 0) continue;
    const why = 'formats the files that the update wrote';
    const targets = files.length > MAX_LISTED ? '.' : files.map(quoted).join(' ');
    if (kind === 'python') {
      steps.push({ command: `${command} ${targets}`, why });
      continue;
    }
    const { name: program } = await findNodeManager(project);
    const run = kind === 'script' ? `${program} run ${command}` : '';
    steps.push({
      command: run === '' ? `${RUNNERS[program] ?? 'npx'} ${command} ${targets}` : run,
      why,
    });
  }
  return steps;
}

function quoted(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
