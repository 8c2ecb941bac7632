/**
 * The formatters and fixers of a project, as it runs them: a dependency that is installed in its own `node_modules` or virtual
 * environment, with a configuration. Nothing is downloaded, and nothing is searched elsewhere.
 */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { field } from '../../format/document/canonical-json.ts';
import { tableAt } from '../../format/project/pyproject.ts';
import { PACKAGE_JSON, PYPROJECT } from '../edit/edited-files.ts';
import { parseToml } from '../edit/toml/toml-value.ts';
import { readJson, readNames, readText } from '../project/read-file.ts';
import { findWorkspaceRoot } from '../project/workspace.ts';
import { biomeProblems, eslintProblems, listOf, parsed, type Remaining } from './linter-output.ts';

/** A program of a project that rewrites files; the paths of these follow its arguments. */
export interface Fixer {
  /** As questions name it, such as `eslint --fix`. */
  readonly command: string;
  /** Absolute: a script for Node.js, or a program. */
  readonly program: string;
  readonly isScript: boolean;
  readonly args: readonly string[];
  readonly files: RegExp;
  /** Exit statuses after which its files can be used. */
  readonly statuses: readonly number[];
  /** What it prints of problems that it cannot fix, and the comment that has them ignored in one file. */
  readonly remaining?: (output: string) => readonly Remaining[];
  /** Empty where the rules must be named and are not. */
  readonly header?: (rules: readonly string[]) => string;
}

interface KnownFixer {
  readonly package: string;
  readonly configuration: RegExp;
  /** A field of package.json that configures it. */
  readonly field?: string;
  /** The first major version that has the comment. */
  readonly headerFrom?: number;
  readonly fixers: readonly Omit<Fixer, 'program' | 'isScript'>[];
}

const SCRIPT = /\.[cm]?[jt]sx?$/i;
const PYTHON = /\.pyi?$/i;

/** Linters first: what formats comes last. */
const KNOWN: readonly KnownFixer[] = [
  {
    package: 'oxlint',
    configuration: /^(?:\.oxlintrc\.jsonc?|oxlint\.config\.\w+)$/,
    fixers: [
      {
        command: 'oxlint --fix',
        args: ['--fix', '-f', 'json'],
        files: SCRIPT,
        statuses: [0, 1],
        remaining: (output) =>
          listOf(field(parsed(output), 'diagnostics')).map((one) => ({
            path: String(field(one, 'filename')),
            rules: [],
          })),
        header: () => '/* oxlint-disable */',
      },
    ],
  },
  {
    package: 'eslint',
    configuration: /^(?:\.eslintrc(?:\.\w+)?|eslint\.config\.\w+)$/,
    field: 'eslintConfig',
    fixers: [
      {
        command: 'eslint --fix',
        args: ['--fix', '--format', 'json', '--no-error-on-unmatched-pattern'],
        files: SCRIPT,
        statuses: [0, 1],
        remaining: eslintProblems,
        header: (rules) => (rules.length === 0 ? '' : `/* eslint-disable ${rules.join(', ')} */`),
      },
    ],
  },
  {
    package: '@biomejs/biome',
    configuration: /^\.?biome\.jsonc?$/,
    headerFrom: 2,
    fixers: [
      {
        command: 'biome check --write',
        args: ['check', '--write', '--no-errors-on-unmatched', '--reporter=json'],
        files: /\.(?:[cm]?[jt]sx?|jsonc?|css|md)$/i,
        statuses: [0, 1],
        remaining: biomeProblems,
        header: () =>
          '// biome-ignore-all lint: the rules of the project do not apply to this build',
      },
    ],
  },
  {
    package: 'oxfmt',
    configuration: /^(?:\.oxfmtrc\.jsonc?|oxfmt\.config\.\w+)$/,
    fixers: [{ command: 'oxfmt', args: [], files: /\.(?:[cm]?[jt]sx?|jsonc?)$/i, statuses: [0] }],
  },
  {
    package: 'prettier',
    configuration: /^(?:\.prettierrc(?:\.\w+)?|prettier\.config\.\w+)$/,
    field: 'prettier',
    fixers: [
      {
        command: 'prettier --write',
        args: ['--write', '--log-level', 'error', '--ignore-unknown'],
        files: /\.(?:[cm]?[jt]sx?|jsonc?|css|md|ya?ml)$/i,
        statuses: [0],
      },
    ],
  },
];

const RUFF: readonly Omit<Fixer, 'program' | 'isScript'>[] = [
  {
    command: 'ruff check --fix',
    args: ['check', '--fix', '--no-cache', '--output-format', 'json'],
    files: PYTHON,
    statuses: [0, 1],
    remaining: (output) =>
      listOf(parsed(output)).map((one) => ({
        path: String(field(one, 'filename')),
        rules: [field(one, 'code')].filter((code) => typeof code === 'string'),
      })),
    header: (rules) => (rules.length === 0 ? '' : `# ruff: noqa: ${rules.join(', ')}`),
  },
  { command: 'ruff format', args: ['format', '--no-cache'], files: PYTHON, statuses: [0] },
];
const BLACK = { command: 'black', args: ['--quiet'], files: PYTHON, statuses: [0] };

/** The fixers of the project, in the order in which they run. */
export function findFixers(project: string): Fixer[] {
  const folders = [...new Set([project, findWorkspaceRoot(project)])];
  return [...KNOWN.flatMap((known) => nodeFixers(known, folders)), ...pythonFixers(folders)];
}

function nodeFixers(known: KnownFixer, folders: readonly string[]): Fixer[] {
  const isConfigured = folders.some((folder) => {
    const inManifest = known.field && field(readJson(join(folder, PACKAGE_JSON)), known.field);
    return (
      inManifest !== undefined || readNames(folder).some((name) => known.configuration.test(name))
    );
  });
  if (!isConfigured || !folders.some((folder) => isUsed(folder, known.package))) return [];
  const program = folders
    .map((folder) => binOf(folder, known.package))
    .find((bin) => bin !== undefined);
  if (program === undefined) return [];
  const major = Math.max(...folders.map((folder) => majorOf(folder, known.package)));
  return known.fixers.map(({ header, ...fixer }) => ({
    ...fixer,
    ...(header === undefined || major < (known.headerFrom ?? 0) ? {} : { header }),
    program,
    isScript: true,
  }));
}

/** Declared, or run by a script: a shared configuration may bring it. */
function isUsed(folder: string, name: string): boolean {
  const manifest = readJson(join(folder, PACKAGE_JSON));
  const tables = ['dependencies', 'devDependencies', 'optionalDependencies'];
  const scripts = Object.values(field(manifest, 'scripts') ?? {}).filter(
    (one) => typeof one === 'string',
  );
  const word = new RegExp(`(?<![\\w./@-])${name.slice(name.indexOf('/') + 1)}(?![\\w./-])`);
  return (
    tables.some((table) => field(field(manifest, table), name) !== undefined) ||
    scripts.some((script) => word.test(script))
  );
}

function majorOf(folder: string, name: string): number {
  const version = field(readJson(join(folder, 'node_modules', name, PACKAGE_JSON)), 'version');
  return Number.parseInt(typeof version === 'string' ? version : '', 10) || 0;
}

function binOf(folder: string, name: string): string | undefined {
  // pnpm links the program of a package that another one brings, and keeps the package below its own folder.
  const homes = [name, join('.pnpm/node_modules', name)].map((one) =>
    join(folder, 'node_modules', one),
  );
  const home = homes.find((one) => existsSync(join(one, PACKAGE_JSON))) ?? homes[0]!;
  const bin = field(readJson(join(home, PACKAGE_JSON)), 'bin');
  const file = typeof bin === 'string' ? bin : field(bin, name.slice(name.indexOf('/') + 1));
  if (typeof file !== 'string' || !existsSync(join(home, file))) return undefined;
  return realpathSync(join(home, file));
}

/** black before ruff, which many projects use for its checks alone. */
function pythonFixers(folders: readonly string[]): Fixer[] {
  const has = (tool: string): boolean =>
    folders.some((folder) => {
      const names = readNames(folder);
      return (
        names.includes(`${tool}.toml`) ||
        names.includes(`.${tool}.toml`) ||
        tableAt(tryParseToml(readText(join(folder, PYPROJECT))), ['tool', tool]) !== undefined
      );
    });
  const found = (tool: string, fixers: typeof RUFF): Fixer[] => {
    const program = folders
      .flatMap((folder) =>
        ['.venv/bin/', '.venv/Scripts/', 'venv/bin/', 'venv/Scripts/'].map((bin) =>
          join(folder, bin, tool),
        ),
      )
      .flatMap((path) => [path, `${path}.exe`])
      .find((path) => existsSync(path));
    const isFound = program !== undefined && has(tool);
    return isFound ? fixers.map((fixer) => ({ ...fixer, program, isScript: false })) : [];
  };
  const black = found('black', [BLACK]);
  return [...found('ruff', black.length === 0 ? RUFF : RUFF.slice(0, 1)), ...black];
}

function tryParseToml(text: string): ReturnType<typeof parseToml> {
  try {
    return parseToml(text);
  } catch {
    return {};
  }
}
