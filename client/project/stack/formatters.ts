/** The formatters that a project uses, from its scripts and their configuration. */
import { tableAt } from '../../../format/project/pyproject.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseToml } from '../../edit/toml/toml-document.ts';
import { PACKAGE_JSON, PYPROJECT } from '../../edit/edited-files.ts';
import { field } from '../../../format/project/declared-stack.ts';
import { readJson, readNames, readText } from '../read-file.ts';

export interface Formatter {
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
export function findFormatters(project: string, root: string): Formatter[] {
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
