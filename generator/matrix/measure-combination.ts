/**
 * Measures one combination as a user would meet it: adds the build to a new project with the real client, installs packages,
 * checks types, loads the code, and runs the commands under Verify of the guide. Runs code of the build and of packages.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, readFileSync, writeFileSync } from 'node:fs';
import { join, dirname } from 'node:path';
import type { MatrixStep } from '../../format/index/compatibility.ts';
import type { PackageRecord } from '../../format/index/record.ts';
import {
  isPython,
  errorLines,
  findPythons,
  nodeProgram,
  type Axis,
  type AvailableVersions,
  type Combination,
  type Workplace,
} from './available-versions.ts';
import { runProgram, pathWith } from './run-program.ts';
import {
  admitsTagVersion,
  compareTagVersions,
  isRelease,
  majorOf,
} from '../../format/version/tag-version.ts';

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
      : await client(['new', request, project, ...options], folder);
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

/** Path to text. @param versions of every tag */
export function smallestProject(
  record: Pick<PackageRecord, 'files' | 'manifest'>,
  axes: readonly Axis[],
  versions: Readonly<Record<string, string>>,
): Record<string, string> {
  if (isPython(record)) {
    const pins = axes.filter(({ kind }) => kind === 'pip');
    const lines = pins.map(({ tag }) => `${tag}==${versions[tag]}\n`);
    return { 'requirements.txt': lines.join('') };
  }
  const pins = axes
    .filter(({ kind }) => kind === 'npm')
    .map(({ tag }) => [tag, versions[tag]!] as const);
  const isTool = ([tag]: readonly [string, string]): boolean =>
    tag === 'typescript' || tag.startsWith('@types/');
  // Types that every project with React has.
  const react = isOfPages(record) ? versions['react'] : undefined;
  const types = react === undefined ? {} : { '@types/react': `^${majorOf(react)}.0.0` };
  const manifest = {
    name: 'measured-project',
    version: '0.0.0',
    private: true,
    type: 'module',
    scripts: { typecheck: 'tsc --noEmit', build: 'tsc' },
    dependencies: Object.fromEntries(pins.filter((one) => !isTool(one))),
    devDependencies: { ...types, ...Object.fromEntries(pins.filter(isTool)) },
  };
  const files = { 'package.json': `${JSON.stringify(manifest, null, 2)}\n` };
  if (!record.files.some(({ path }) => /\.[cm]?tsx?$/.test(path))) return files;
  const root = sourceRoot(record.manifest.base);
  return {
    ...files,
    'tsconfig.json': `${JSON.stringify(tsconfig(root, isOfPages(record)), null, 2)}\n`,
    ...(isOfPages(record) ? { [join(root, 'styles.d.ts')]: "declare module '*.css';\n" } : {}),
    // What foundations have: guides add the module of their build to it.
    ...(root === 'src' ? { 'src/modules.ts': 'export const modules: object[] = [];\n' } : {}),
  };
}

/** Whether a bundler loads it, and not Node.js. */
function isOfPages({ files, manifest }: Pick<PackageRecord, 'files' | 'manifest'>): boolean {
  const isOfNext = manifest.stack?.requires?.['next'] !== undefined;
  return isOfNext || files.some(({ path }) => path.endsWith('.tsx'));
}

/** Packages of the project itself that have the names of the tags. */
function declareTags(project: string, tags: readonly string[]): void {
  if (tags.length === 0 || !existsSync(join(project, 'package.json'))) return;
  const manifest = readManifest(project);
  const own = Object.fromEntries(tags.map((tag) => [tag, `file:own/${tag}`]));
  manifest['dependencies'] = { ...manifest['dependencies'], ...own };
  const files = tags.map(
    (name) => [`own/${name}/package.json`, JSON.stringify({ name, version: '1.0.0' })] as const,
  );
  writeProject(project, {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    ...Object.fromEntries(files),
  });
}

/** The folder of the sources: that of the project, or the first of the place of the build. */
export function sourceRoot(base: string | undefined): string {
  const [first = ''] = (base ?? '').split('/');
  return first === '' ? '.' : first;
}

/** Writes files below `project`. */
export function writeProject(project: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
}

/** The ranges in `package.json` that are not exact version: what builds have added. */
export function openRanges(project: string): { readonly name: string; readonly range: string }[] {
  return ['dependencies', 'devDependencies'].flatMap((field) => {
    const ranges = readManifest(project)[field] ?? {};
    return Object.entries(ranges)
      .filter(([, range]) => !/^\d+\.\d+\.\d+|^file:/.test(range))
      .map(([name, range]) => ({ name, range }));
  });
}

/** Puts exact versions in place of ranges. */
export function pinRanges(project: string, versions: Readonly<Record<string, string>>): void {
  const manifest = readManifest(project);
  for (const field of ['dependencies', 'devDependencies']) {
    const ranges = manifest[field] ?? {};
    for (const name of Object.keys(ranges)) {
      if (versions[name] !== undefined) ranges[name] = versions[name];
    }
  }
  writeFileSync(join(project, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Compilers since 6.0 take no types that are not named. */
export function nameTypes(project: string): void {
  const file = join(project, 'tsconfig.json');
  const settings = JSON.parse(readFileSync(file, 'utf8')) as {
    compilerOptions: Record<string, unknown>;
  };
  const { dependencies = {}, devDependencies = {} } = readManifest(project);
  const hasNode = Object.hasOwn({ ...dependencies, ...devDependencies }, '@types/node');
  settings.compilerOptions['types'] = hasNode ? ['node'] : [];
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`);
}

function tsconfig(root: string, isOfPages: boolean): object {
  const pages = { jsx: 'react-jsx', module: 'esnext', moduleResolution: 'bundler' };
  return {
    compilerOptions: {
      module: 'nodenext',
      moduleResolution: 'nodenext',
      target: 'es2022',
      strict: true,
      esModuleInterop: true,
      skipLibCheck: true,
      rootDir: root,
      outDir: 'dist',
      ...(isOfPages ? { ...pages, lib: ['es2022', 'dom', 'dom.iterable'] } : {}),
    },
    include: [root],
    exclude: ['node_modules', 'dist'],
  };
}

function readManifest(project: string): Record<string, Record<string, string> | undefined> {
  const text = readFileSync(join(project, 'package.json'), 'utf8');
  return JSON.parse(text) as Record<string, Record<string, string> | undefined>;
}

/** Of a range without a lower end, such as `*`: it promises nothing about what is older. */
const MAJORS_WITHOUT_FLOOR = 4;

/**
 * @param available every version that can be had, in any order
 * @returns lowest first; empty when the range admits none
 */
export function chooseVersions(range: string, available: readonly string[]): string[] {
  const admitted = available
    .filter((version) => isRelease(version) && admitsTagVersion(range, version))
    .sort(compareTagVersions);
  const newest = [...Map.groupBy(admitted, majorOf).values()].map((one) => one.at(-1)!);
  newest.sort(compareTagVersions);
  if (admitsTagVersion(range, '0.0.0')) return newest.slice(-MAJORS_WITHOUT_FLOOR);
  const [lowest] = admitted;
  return lowest === undefined || newest[0] === lowest ? newest : [lowest, ...newest];
}

/** The lowest release that a range admits. */
function lowestOf(range: string, available: readonly string[]): string | undefined {
  const admitted = available.filter((one) => isRelease(one) && admitsTagVersion(range, one));
  return admitted.sort(compareTagVersions)[0];
}
