/**
 * Measures one combination as a user would meet it: adds the build to a new project with the real client, installs packages,
 * checks types, loads the code, and runs the commands under Verify of the guide. Runs code of the build and of packages.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { MatrixStep } from '../../format/index/compatibility.ts';
import type { PackageRecord } from '../../format/index/record.ts';
import { isPython } from './axis.ts';
import type { Axis } from './axis.ts';
import type { AvailableVersions } from './available-versions.ts';
import { lowestOf } from './choose-versions.ts';
import type { Combination } from './combination.ts';
import { errorLines } from './error-lines.ts';
import { failedCheck } from './failed-check.ts';
import { findPythons } from './python-programs.ts';
import { nodeProgram } from './node-program.ts';
import { runProgram } from './run-program.ts';
import type { ProgramResult } from './run-program.ts';
import { pathWith } from './shell-folder.ts';
import {
  nameTypes,
  openRanges,
  pinRanges,
  smallestProject,
  sourceRoot,
  writeProject,
} from './smallest-project.ts';
import type { Workplace } from './workplace.ts';

/** Which step failed, and the first lines of what it wrote. */
export interface Failure {
  readonly step: MatrixStep;
  readonly error: string[];
}

/** What is measured, and with what. */
export interface Measuring {
  readonly workplace: Workplace;
  readonly available: AvailableVersions;
  readonly record: PackageRecord;
  readonly axes: readonly Axis[];
}

/** `undefined` when all steps succeed. @throws {GeneratorError} `ERR_MATRIX` without a runtime or a list of versions */
export async function measureCombination(
  measuring: Measuring,
  combination: Combination,
): Promise<Failure | undefined> {
  const { projects } = measuring.workplace;
  mkdirSync(projects, { recursive: true });
  const folder = mkdtempSync(join(projects, 'measured-'));
  try {
    return await measureIn(folder, measuring, combination);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureIn(
  folder: string,
  { workplace, available, record, axes }: Measuring,
  { versions, others }: Combination,
): Promise<Failure | undefined> {
  const { id, version, kind } = record;
  const project = join(folder, 'project');
  const env = await environment(folder, workplace, versions);
  const inside = { cwd: project, env };
  const client = (args: readonly string[], cwd = project): Promise<ProgramResult> =>
    runProgram(process.execPath, [workplace.client, ...args, '--no-input'], { cwd, env });
  const failure = (step: MatrixStep, { stdout, stderr }: ProgramResult): Failure => {
    return { step, error: errorLines(`${stderr}\n${stdout}`, [project, folder, workplace.cache]) };
  };

  const request = `${id}@${version}`;
  if (kind === 'module') {
    mkdirSync(project);
    writeProject(project, smallestProject(record, axes, versions));
  }
  const added =
    kind === 'module'
      ? await client(['add', request, '--no-install', '--wire', '--allow', 'all', '--quiet'])
      : await client(
          ['new', request, project, '--no-install', '--allow', 'all', '--quiet'],
          folder,
        );
  if (!added.isOk) return failure('add', added);

  if (existsSync(join(project, 'tsconfig.json')) && kind === 'module') nameTypes(project);
  if (others === 'lowest' && existsSync(join(project, 'package.json'))) {
    await pinLowest(project, available);
  }
  const packages = await client(['install', '--quiet']);
  if (!packages.isOk) return failure('packages', packages);

  const compiler = join(project, 'node_modules/.bin/tsc');
  const hasTypes = existsSync(join(project, 'tsconfig.json')) && existsSync(compiler);
  if (hasTypes) {
    const types = await runProgram(compiler, ['--noEmit'], inside);
    if (!types.isOk) return failure('types', types);
  }

  if (kind === 'module') {
    const emitted = hasTypes ? await runProgram(compiler, [], inside) : undefined;
    if (emitted?.isOk === false) return failure('load', emitted);
    const command = loadCommand(project, record, hasTypes);
    const loaded = command && (await runProgram(command[0], command[1], inside));
    if (loaded?.isOk === false) return failure('load', loaded);
  }

  const verified = await client(['verify', '--guides', '--json']);
  if (verified.isOk) return undefined;
  return failure('verify', { isOk: false, stdout: '', stderr: failedCheck(verified) });
}

async function environment(
  folder: string,
  workplace: Workplace,
  versions: Readonly<Record<string, string>>,
): Promise<NodeJS.ProcessEnv> {
  const node = await nodeProgram(versions['node'] ?? process.versions.node, workplace);
  const pythons = versions['python'] === undefined ? undefined : await findPythons(workplace.env);
  const python = pythons?.get(versions['python'] ?? '');
  const { env, registry } = workplace;
  const path = pathWith({ node, python }, join(folder, 'bin'), env['PATH'] ?? '');
  return { ...env, PATH: path, STACKYARD_REGISTRY: registry };
}

/** The packages that builds have added, at the lowest version that their ranges admit. */
async function pinLowest(project: string, available: AvailableVersions): Promise<void> {
  const pins: Record<string, string> = {};
  for (const { name, range } of openRanges(project)) {
    const lowest = lowestOf(range, await available.of({ tag: name, kind: 'npm' }));
    if (lowest !== undefined) pins[name] = lowest;
  }
  pinRanges(project, pins);
}

/** Loads the entry of a module; `undefined` where it has none. */
function loadCommand(
  project: string,
  record: PackageRecord,
  isCompiled: boolean,
): [program: string, args: string[]] | undefined {
  const base = record.manifest.base ?? '';
  if (isPython(record)) {
    if (!existsSync(join(project, base, '__init__.py'))) return undefined;
    const name = base
      .split('/')
      .filter((part) => part !== '')
      .join('.');
    return [join(project, '.venv/bin/python'), ['-c', `import ${name}`]];
  }
  const root = sourceRoot(base);
  const place = isCompiled ? join('dist', root === '.' ? base : base.slice(root.length)) : base;
  const entry = ['index.js', 'index.mjs']
    .map((name) => join(place, name))
    .find((path) => existsSync(join(project, path)));
  if (entry === undefined) return undefined;
  const script = `await import(${JSON.stringify(`./${entry.replaceAll('\\', '/')}`)})`;
  return ['node', ['--input-type=module', '--eval', script]];
}
