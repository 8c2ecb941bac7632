/**
 * Compiles the sources that our modules install, with the compilers, packages and settings of
 * `tests/projects/compilers/compilers.json`. The packages come from the npm registry, into one temporary folder.
 */
import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { copyPlacedFiles } from './placed-files.ts';
import { PROJECTS, readJson } from './projects.ts';

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

export interface CompileResult {
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
export async function compileAll(builds: string, folder: string): Promise<CompileResult[]> {
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
