/**
 * Compiles the sources that our modules install, with the compilers, type packages and settings of
 * `compile-rows.ts`. The packages come from the npm registry, into one temporary folder.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeCompileRows } from './compile-rows.ts';
import type { CompileRow } from './compile-rows.ts';
import { copyPlacedFiles } from './placed-files.ts';

export interface CompileResult {
  readonly row: CompileRow;
  /** What the compiler printed; empty when it found nothing. */
  readonly errors: string;
}

export const MODULES: readonly string[] = ['stackyard/sqlite', 'stackyard/account'];

const COMPILERS: Readonly<Record<CompileRow['typescript'], string>> = {
  '4.9': '4.9.5',
  '5.0': '5.0.4',
  '5.5': '5.5.4',
  '5.9': '5.9.3',
  '7.0': '7.0.2',
};

/** The packages with which the sources are compiled: what a project of that age has, and the oldest that we allow. */
export const TYPE_SETS: Readonly<Record<CompileRow['types'], Readonly<Record<string, string>>>> = {
  'node 18': {
    '@types/node': '18.19.0',
    '@types/express': '4.17.21',
    '@types/better-sqlite3': '7.6.13',
    zod: '3.23.0',
  },
  'node 20': {
    '@types/node': '20.19.0',
    '@types/express': '5.0.0',
    '@types/better-sqlite3': '7.6.13',
    zod: '3.25.76',
  },
  'node 22': {
    '@types/node': '22.13.0',
    '@types/express': '5.0.6',
    '@types/better-sqlite3': '7.6.13',
    zod: '4.0.0',
  },
  'node 24': {
    '@types/node': '24.19.2',
    '@types/express': '5.0.6',
    '@types/better-sqlite3': '9.6.0',
    zod: '4.6.7',
  },
};

/** A program of the project that uses both modules. */
const MAIN = `import { answerBodyErrors, createAccount, readAccountConfigOrExit } from './account/index.js';
import { backupDatabase, openDatabase, runDatabaseCommand } from './sqlite/index.js';

const db = openDatabase(':memory:', { migrations: [] });
export const account = createAccount(db, readAccountConfigOrExit(process.env));
export { answerBodyErrors, backupDatabase, runDatabaseCommand };
`;

const SETTINGS: Readonly<Record<CompileRow['modules'], readonly [string, string, string]>> = {
  CommonJS: ['commonjs', 'commonjs', 'node'],
  'CommonJS, NodeNext': ['commonjs', 'nodenext', 'nodenext'],
  'ESM, NodeNext': ['module', 'nodenext', 'nodenext'],
  'ESM, bundler': ['module', 'esnext', 'bundler'],
};

/** Fetches the packages into `folder` and compiles each row; needs the network. */
export async function compileAll(builds: string, folder: string): Promise<CompileResult[]> {
  const compilers = Object.entries(COMPILERS).map(([name, version]) => {
    return [`typescript-${name}`, `npm:typescript@${version}`] as const;
  });
  install(join(folder, 'compilers'), Object.fromEntries(compilers));
  for (const [name, packages] of Object.entries(TYPE_SETS)) {
    const project = typeFolder(folder, name);
    install(project, packages);
    for (const type of ['commonjs', 'module']) {
      const sources = join(project, type, 'src');
      for (const id of MODULES) {
        copyPlacedFiles(join(builds, id), join(sources, id.slice(id.indexOf('/') + 1)));
      }
      writeFileSync(join(sources, 'main.ts'), MAIN);
      writeFileSync(join(project, type, 'package.json'), JSON.stringify({ type }));
    }
  }
  const results: CompileResult[] = [];
  for (const row of makeCompileRows()) results.push({ row, errors: await compile(folder, row) });
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
  if (version !== COMPILERS[row.typescript]) throw new Error(`TypeScript ${version} is installed`);
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
