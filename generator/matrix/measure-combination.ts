/**
 * Measures one combination as a user would meet it: adds the build to a new project with the real client, installs packages,
 * checks types, loads the code, and runs the commands under Verify of the guide. Runs code of the build and of packages.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { MatrixStep } from '../../format/index/compatibility.ts';
import type { PackageRecord } from '../../format/index/record.ts';
import { lowestOf, type AvailableVersions } from './available-versions.ts';
import { isPython, type Axis, type Combination } from './combinations.ts';
import { errorLines } from './error-lines.ts';
import {
  declareTags,
  isOfPages,
  nameTypes,
  openRanges,
  pinRanges,
  smallestProject,
  sourceRoot,
  writeProject,
} from './measured-project.ts';
import { runProgram } from './run-program.ts';
import { findPythons, nodeProgram, pathWith } from './runtimes.ts';
import type { Workplace } from './workplace.ts';

type ProgramResult = Awaited<ReturnType<typeof runProgram>>;

/** Which step failed, and the first lines of what it wrote. */
export interface Failure {
  readonly step: MatrixStep;
  readonly error: string[];
}

/** What is measured, and with what. */
interface Measuring {
  readonly workplace: Workplace;
  readonly available: AvailableVersions;
  readonly record: PackageRecord;
  readonly axes: readonly Axis[];
  /** Stack tags that are no packages. */
  readonly tags: readonly string[];
  /** Builds that provide them. */
  readonly providers: readonly string[];
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
  { workplace, available, record, axes, tags, providers }: Measuring,
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
  const options = ['--no-install', '--allow', 'all', '--quiet'];
  const add = (others: readonly string[]): Promise<ProgramResult> => {
    rmSync(project, { recursive: true, force: true });
    mkdirSync(project);
    writeProject(project, smallestProject(record, axes, versions));
    if (others.length === 0) declareTags(project, tags);
    return client(['add', request, ...others, '--wire', ...options]);
  };
  let added =
    kind === 'module'
      ? await add(providers)
      : await client(['new', request, project, '--no-git', ...options], folder);
  // The builds that provide a tag have ranges of their own: what they do not admit is measured in a project that has its own.
  if (!added.isOk && providers.length > 0) added = await add([]);
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
    const command = isOfPages(record) ? undefined : loadCommand(project, record, hasTypes);
    const loaded = command && (await runProgram(command[0], command[1], inside));
    if (loaded?.isOk === false) return failure('load', loaded);
  }

  const verified = await client(['verify', '--guides', '--json']);
  if (verified.isOk) return undefined;
  // A bundler resolves imports that Node.js does not: what scripts of required builds do is no matter of this one.
  const isFine = ({ command, status }: GuideTest): boolean =>
    status === 0 || !verified.stderr.includes(`${id}: ${command}\n`);
  const { differences, tests } = readVerified(verified.stdout)?.data ?? {};
  if (isOfPages(record) && differences?.length === 0 && tests?.every(isFine)) return undefined;
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
  return { ...env, PATH: path, STACKYARD_REGISTRY: registry, STACKYARD_UNMEASURED: '1' };
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

interface GuideTest {
  readonly command: string;
  readonly status: number;
}

/** The output of `verify --guides`. */
interface Verified {
  readonly data?: {
    readonly tests?: readonly GuideTest[];
    readonly differences?: readonly { readonly path: string; readonly state: string }[];
  };
}

function readVerified(stdout: string): Verified | undefined {
  try {
    return JSON.parse(stdout) as Verified;
  } catch {
    return undefined;
  }
}

/** The client announces each command as `<build>: <command>` on standard error; the output of a failed one follows. */
export function failedCheck({ stdout, stderr }: Omit<ProgramResult, 'isOk'>): string {
  const verified = readVerified(stdout);
  if (verified === undefined) return stderr;
  const { tests = [], differences = [] } = verified.data ?? {};
  const failed = tests.find(({ status }) => status !== 0);
  if (failed === undefined) {
    const paths = differences.map(({ path, state }) => `Error: ${path} is ${state}`);
    return paths.length === 0 ? stderr : paths.join('\n');
  }
  const lines = stderr.split('\n');
  const isNote = (line: string): boolean =>
    tests.some(({ command }) => line.endsWith(`: ${command}`) && /^[a-z0-9-]+\//.test(line));
  const at = lines.findIndex((line) => isNote(line) && line.endsWith(`: ${failed.command}`));
  const rest = lines.slice(at + 1);
  const end = rest.findIndex(isNote);
  const output = at < 0 ? [] : rest.slice(0, end < 0 ? undefined : end);
  return [`${failed.command} ended with status ${failed.status}`, ...output].join('\n');
}
