/** Proves our builds with many compilers and in many kinds of projects, and makes the page about it. */
import { mkdirSync, readdirSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { measuredRanges } from './measured-ranges.ts';
import { pathWith, runProgram } from '../../generator/matrix/run-program.ts';
import {
  nameOf,
  readProjects,
  openToolbox,
  PROJECTS,
  readJson,
  type ProjectKind,
} from './projects.ts';
import { formatProjects, proveKind } from './projects-page.ts';
import type { Client } from './prove-trial.ts';
import { copyPlacedFiles } from './prove-case.ts';

type KindProof = Awaited<ReturnType<typeof proveKind>>;

const ROOT = join(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'client/main.ts');

export interface Compatibility {
  readonly page: string;
  readonly hasFailed: boolean;
}

/**
 * Prints each failure.
 * @param folder for the packages and projects
 * @param registry the address of an index of this repository
 */
export async function proveCompatibility(
  builds: string,
  folder: string,
  registry: string,
): Promise<Compatibility> {
  const compiled = await compileAll(builds, join(folder, 'compile'));
  const failed = compiled.filter(({ errors }) => errors !== '');
  for (const { row, errors } of failed) console.error(`error: ${JSON.stringify(row)}\n${errors}`);
  const projects = readProjects();
  const kinds = await proveKinds(projects.kinds, builds, join(folder, 'kinds'), registry);
  const servers = await proveKinds(projects.servers, builds, join(folder, 'servers'), registry);
  return {
    page: formatCompatibility(
      firstPartyBuilds(builds).map((id) => nameOf(builds, id)),
      measuredRanges(ROOT),
      compiled,
      formatProjects(kinds, servers),
    ),
    hasFailed: failed.length > 0 || [...kinds, ...servers].some(hasFailures),
  };
}

/** Proves the kinds whose names contain `part`, and prints the page's part about them. Returns whether all passed. */
export async function proveSomeKinds(
  part: string,
  builds: string,
  folder: string,
  registry: string,
): Promise<boolean> {
  const choose = (kinds: readonly ProjectKind[]): readonly ProjectKind[] =>
    kinds.filter(({ name }) => name.toLowerCase().includes(part.toLowerCase()));
  const projects = readProjects();
  const kinds = await proveKinds(choose(projects.kinds), builds, join(folder, 'kinds'), registry);
  const servers = await proveKinds(
    choose(projects.servers),
    builds,
    join(folder, 'servers'),
    registry,
  );
  if (kinds.length + servers.length === 0) console.error(`error: No kind of project is "${part}"`);
  console.log(formatProjects(kinds, servers));
  return kinds.length + servers.length > 0 && ![...kinds, ...servers].some(hasFailures);
}

async function proveKinds(
  kinds: readonly ProjectKind[],
  builds: string,
  folder: string,
  registry: string,
): Promise<KindProof[]> {
  const proofs: KindProof[] = [];
  for (const [index, kind] of kinds.entries()) {
    const project = join(folder, `app-${index}`);
    mkdirSync(folder, { recursive: true });
    const runtimes = { node: process.execPath, python: undefined };
    const shell = pathWith(runtimes, join(folder, `shell-${index}`), process.env['PATH'] ?? '');
    const { env } = openToolbox(shell);
    const client = clientOf(project, { ...env, STACKYARD_REGISTRY: registry });
    const started = performance.now();
    const proof = await proveKind(kind, firstPartyBuilds(builds), project, env, client);
    proofs.push(proof);
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`${hasFailures(proof) ? 'FAILED' : 'proved'}: ${kind.name} (${seconds} s)`);
    for (const failure of proof.failures) console.error(`error: ${failure}`);
  }
  return proofs;
}

function hasFailures({ failures }: KindProof): boolean {
  return failures.length > 0;
}

/** The ids of the builds of this repository's own owner: modules first. */
function firstPartyBuilds(builds: string): string[] {
  const names = readdirSync(join(builds, 'stackyard'), { withFileTypes: true });
  return names
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `stackyard/${name}`)
    .sort();
}

function clientOf(project: string, env: NodeJS.ProcessEnv): Client {
  return (...args) => runProgram(process.execPath, [CLIENT, ...args], { cwd: project, env });
}

/** The page docs/compatibility.md: with which compilers, settings and projects our builds were proved. */
const OPTIONS = [
  'strict',
  'noUncheckedIndexedAccess',
  'exactOptionalPropertyTypes',
  'verbatimModuleSyntax',
  'isolatedModules',
] as const satisfies readonly (keyof CompileRow)[];

/**
 * @param builds the ids of the builds with their versions
 * @param measured the part about measured ranges
 * @param projects the part about projects
 */
function formatCompatibility(
  builds: readonly string[],
  measured: string,
  compiled: readonly CompileResult[],
  projects: string,
): string {
  const modules = COMPILERS.modules.map((id) => `\`${id}\``);
  return `# Compatibility of our builds

Written by \`npm run prove\`; \`npm run prove -- --check\` compares. The builds: ${builds.join(', ')}.

${measured}

## Compilers

What ${modules.join(' and ')} install, compiled with a program that uses it. The rows contain every pair of two values that compiler and
type packages accept at all. Not accepted, and therefore not listed: \`verbatimModuleSyntax\` with CommonJS (the compiler refuses
every \`import\`) or with 4.9, \`exactOptionalPropertyTypes\` without \`strict\`, "bundler" with 4.9, ES2023 before 5.2, ES2024 before
5.7, and type packages with compilers that they do not support. Everywhere: \`"types": []\`, \`esModuleInterop\`, \`lib\` as the
target.

| TypeScript | Packages | Modules | Target | Options | Result |
|---|---|---|---|---|---|
${compiled.map(formatRow).join('\n')}

| Packages | Which |
|---|---|
${Object.entries(COMPILERS.packages).map(formatTypes).join('\n')}

${projects}`;
}

function formatRow({ row, errors }: CompileResult): string {
  const options = OPTIONS.filter((option) => row[option]).map((option) => `\`${option}\``);
  const result = errors === '' ? 'no errors' : `FAILED: ${errors.split('\n').length} lines`;
  const { typescript, types, modules, target } = row;
  return `| ${typescript} | ${types} | ${modules} | ${target} | ${options.join(', ')} | ${result} |`;
}

function formatTypes([name, packages]: [string, Readonly<Record<string, string>>]): string {
  const list = Object.entries(packages).map(([id, version]) => `\`${id}\` ${version}`);
  return `| ${name} | ${list.join(', ')} |`;
}

// Compiles the sources that our modules install, with the compilers, packages and settings of
// `tests/projects/compilers/compilers.json`. The packages come from the npm registry, into one temporary folder.

/** One value of each setting. */
const CompileRow = z.strictObject({
  typescript: z.string(),
  types: z.string().describe('The set of packages.'),
  modules: z.enum(['CommonJS', 'CommonJS, NodeNext', 'ESM, NodeNext', 'ESM, bundler']),
  target: z.string(),
  strict: z.boolean(),
  noUncheckedIndexedAccess: z.boolean(),
  exactOptionalPropertyTypes: z.boolean(),
  verbatimModuleSyntax: z.boolean(),
  isolatedModules: z.boolean(),
});

const Versions = z.record(z.string(), z.string());
const Compilers = z.strictObject({
  modules: z.array(z.string()),
  compilers: Versions,
  packages: z
    .record(z.string(), Versions)
    .describe('What a project of that age has, and the oldest that we allow.'),
  rows: z.array(CompileRow).describe('They contain every pair of two values that is possible.'),
});

export type CompileRow = z.infer<typeof CompileRow>;

interface CompileResult {
  readonly row: CompileRow;
  /** What the compiler printed; empty when it found nothing. */
  readonly errors: string;
}

export const COMPILERS = Compilers.parse(readJson('compilers/compilers.json'));

const SETTINGS: Readonly<Record<CompileRow['modules'], readonly [string, string, string]>> = {
  CommonJS: ['commonjs', 'commonjs', 'node'],
  'CommonJS, NodeNext': ['commonjs', 'nodenext', 'nodenext'],
  'ESM, NodeNext': ['module', 'nodenext', 'nodenext'],
  'ESM, bundler': ['module', 'esnext', 'bundler'],
};

/** Fetches the packages into `folder` and compiles each row; needs the network. */
async function compileAll(builds: string, folder: string): Promise<CompileResult[]> {
  const { modules, compilers, packages, rows } = COMPILERS;
  const aliases = Object.entries(compilers).map(([name, version]) => {
    return [`typescript-${name}`, `npm:typescript@${version}`] as const;
  });
  install(join(folder, 'compilers'), Object.fromEntries(aliases));
  for (const [name, dependencies] of Object.entries(packages)) {
    const project = typeFolder(folder, name);
    install(project, dependencies);
    for (const type of ['commonjs', 'module']) {
      const sources = join(project, type, 'src');
      for (const id of modules) {
        copyPlacedFiles(join(builds, id), join(sources, id.slice(id.indexOf('/') + 1)));
      }
      copyFileSync(join(PROJECTS, 'compilers/main.ts'), join(sources, 'main.ts'));
      writeFileSync(join(project, type, 'package.json'), JSON.stringify({ type }));
    }
  }
  const results: CompileResult[] = [];
  for (const row of rows) results.push({ row, errors: await compile(folder, row) });
  return results;
}

async function compile(folder: string, row: CompileRow): Promise<string> {
  const [type, module, moduleResolution] = SETTINGS[row.modules];
  const { target, strict, isolatedModules, noUncheckedIndexedAccess } = row;
  const project = join(typeFolder(folder, row.types), type);
  const compilerOptions = {
    module,
    // Version 7 has no resolution of its own for CommonJS any more.
    moduleResolution:
      moduleResolution === 'node' && row.typescript === '7.0' ? 'bundler' : moduleResolution,
    target,
    lib: [target],
    types: [],
    strict,
    isolatedModules,
    noUncheckedIndexedAccess,
    ...(row.exactOptionalPropertyTypes && { exactOptionalPropertyTypes: true }),
    ...(row.verbatimModuleSyntax && { verbatimModuleSyntax: true }),
    esModuleInterop: true,
    skipLibCheck: true,
    noEmit: true,
  };
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['src'] }),
  );
  const compiler = join(folder, 'compilers/node_modules', `typescript-${row.typescript}`);
  const { version, bin } = JSON.parse(readFileSync(join(compiler, 'package.json'), 'utf8')) as {
    version: string;
    bin: { tsc: string };
  };
  if (version !== COMPILERS.compilers[row.typescript])
    throw new Error(`TypeScript ${version} is installed`);
  try {
    const args = [join(compiler, bin.tsc), '-p', project];
    await promisify(execFile)(process.execPath, args, { cwd: project });
    return '';
  } catch (error) {
    const { stdout = '', message } = error as Error & { stdout?: string };
    return (stdout || message).trim();
  }
}

function typeFolder(folder: string, types: string): string {
  return join(folder, types.replace(' ', '-'));
}

function install(folder: string, dependencies: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', args, { cwd: folder, stdio: 'pipe' });
}
