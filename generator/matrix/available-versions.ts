/** Which versions of a tag can be had: from the registries of npm and pip, by their own programs, and of Python those that are installed. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { GeneratorError } from '../errors.ts';
import { runProgram } from './run-program.ts';
import { compareTagVersions, majorOf } from '../../format/version/tag-version.ts';
import {
  MAX_ERROR_LINES,
  MAX_ERROR_LINE_CHARACTERS,
  type MatrixRow,
} from '../../format/index/compatibility.ts';
import { normalizePipName } from '../../format/version/pep440.ts';
import type { PackageRecord } from '../../format/index/record.ts';
import { namesOfTag } from '../../scan/rules/quality/tag-interface.ts';

const VIEW_TIMEOUT_MS = 120_000;

export class AvailableVersions {
  readonly #workplace: Workplace;
  readonly #known = new Map<string, Promise<string[]>>();

  constructor(workplace: Workplace) {
    this.#workplace = workplace;
  }

  /**
   * Empty where nobody has such a package: the tag is what builds provide.
   * @throws {GeneratorError} `ERR_MATRIX` when a registry of packages cannot be asked
   */
  of({ tag, kind }: Pick<WantedAxis, 'tag' | 'kind'>): Promise<string[]> {
    const key = `${kind} ${tag}`;
    const known = this.#known.get(key) ?? this.#read(tag, kind);
    this.#known.set(key, known);
    return known;
  }

  async #read(tag: string, kind: WantedAxis['kind']): Promise<string[]> {
    if (kind === 'python') return [...(await findPythons(this.#workplace.env)).keys()];
    if (kind === 'pip') return this.#pip(tag);
    return this.#npm(kind === 'node' ? nodePackage() : tag);
  }

  async #npm(name: string): Promise<string[]> {
    const { isOk, stdout, stderr } = await this.#run('npm', ['view', name, 'versions', '--json']);
    if (!isOk && /E404/.test(stdout + stderr)) return [];
    const found = isOk ? parseJson(stdout) : undefined;
    const list = typeof found === 'string' ? [found] : found;
    if (Array.isArray(list)) return list.filter((one) => typeof one === 'string');
    throw cannotAsk('npm', name, stderr);
  }

  async #pip(name: string): Promise<string[]> {
    const args = ['-m', 'pip', 'index', 'versions', name, '--disable-pip-version-check'];
    const { stdout, stderr } = await this.#run('python3', args);
    const [, list] = /^Available versions: (.*)$/m.exec(stdout) ?? [];
    if (list !== undefined) return list.split(',').map((one) => one.trim());
    if (/No matching distribution/i.test(stderr)) return [];
    throw cannotAsk('pip', name, stderr);
  }

  #run(program: string, args: readonly string[]): ReturnType<typeof runProgram> {
    const { cache, env } = this.#workplace;
    // What was published since the last run counts.
    const fresh = { ...env, npm_config_prefer_offline: 'false' };
    return runProgram(program, args, { cwd: cache, env: fresh }, VIEW_TIMEOUT_MS);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function cannotAsk(program: string, name: string, stderr: string): GeneratorError {
  const [problem = 'it wrote no list'] = stderr.split('\n').filter((line) => /err/i.test(line));
  const message = `Cannot list the versions of "${name}": ${program} reports: ${problem.trim()}`;
  return new GeneratorError('ERR_MATRIX', message, {
    hint: `check that "${program}" reaches its registry; what was measured so far is kept`,
  });
}

/** The Python programs of this machine: `python3` and `python3.8` to `python3.30` on the PATH, one for each minor version. */
const MINORS = Array.from({ length: 23 }, (_, at) => `python3.${at + 8}`);
const SCRIPT = 'import sys; print("%d.%d.%d" % sys.version_info[:3]); print(sys.executable)';
const TIMEOUT_MS = 20_000;

/** Version to absolute path, lowest first. */
export async function findPythons(env: NodeJS.ProcessEnv): Promise<Map<string, string>> {
  const found = new Map<string, [version: string, program: string]>();
  for (const name of ['python3', ...MINORS]) {
    const options = { cwd: process.cwd(), env };
    const { isOk, stdout } = await runProgram(name, ['-c', SCRIPT], options, TIMEOUT_MS);
    const [version = '', program = ''] = stdout.split(/\r?\n/);
    const minor = version.split('.', 2).join('.');
    if (isOk && program !== '' && !found.has(minor)) found.set(minor, [version, program]);
  }
  return new Map([...found.values()].sort(([a], [b]) => compareTagVersions(a, b)));
}

/** One cell of the matrix: a version of one tag with the newest, or the lowest, of the others. */
export interface Combination {
  readonly tag: string;
  readonly version: string;
  readonly others: MatrixRow['others'];
  /** The version of every tag, with that of this one. */
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * The combinations with the newest of the others: the newest of all first, then tag by tag. Packages of one scope, such as `@nestjs/`, are
 * of the same major version.
 */
export function combinationsOf(axes: readonly Axis[]): Combination[] {
  const all = axes.flatMap(({ tag, versions }) =>
    versions.toReversed().map((version) => combine(axes, tag, version, 'newest')),
  );
  const isNewest = ({ tag, version }: Combination): boolean =>
    axes.some((axis) => axis.tag === tag && axis.versions.at(-1) === version);
  return [...all.filter(isNewest), ...all.filter((one) => !isNewest(one))];
}

/**
 * The same version with the lowest of the others; `undefined` where that changes nothing.
 * @param hasMore whether the build brings packages that are not axis, such as types
 */
export function withLowest(
  axes: readonly Axis[],
  one: Combination,
  hasMore: boolean,
): Combination | undefined {
  const lowest = combine(axes, one.tag, one.version, 'lowest');
  return keyOf(lowest) === keyOf(one) && !hasMore ? undefined : lowest;
}

/** What is the same for combinations that need to be measured once. */
export function keyOf({ versions }: Combination): string {
  return JSON.stringify(Object.entries(versions).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function combine(
  axes: readonly Axis[],
  tag: string,
  version: string,
  others: MatrixRow['others'],
): Combination {
  const scope = /^@[^/]+\//.exec(tag)?.[0];
  const entries = axes.map((axis) => {
    const isKin = scope !== undefined && axis.tag.startsWith(scope);
    const same = axis.versions.filter((one) => majorOf(one) === majorOf(version));
    const versions = isKin && same.length > 0 ? same : axis.versions;
    const other = others === 'newest' ? versions.at(-1)! : versions[0]!;
    return [axis.tag, axis.tag === tag ? version : other] as const;
  });
  return { tag, version, others, versions: Object.fromEntries(entries) };
}

/** What varies in the matrix of a build: the runtimes and packages of which its manifest names a range. */
type AxisKind = 'node' | 'python' | 'npm' | 'pip';

/** A tag with its range; `Axis` has the versions. */
interface WantedAxis {
  readonly tag: string;
  readonly kind: AxisKind;
  readonly range: string;
}

export interface Axis extends WantedAxis {
  /** Lowest first, at least one. */
  readonly versions: readonly string[];
}

/** Whether its code is Python. */
export function isPython({ files }: Pick<PackageRecord, 'files'>): boolean {
  const has = (ending: RegExp): boolean => files.some(({ path }) => ending.test(path));
  return has(/\.py$/) && !has(/\.[cm]?[jt]sx?$/);
}

/** Sorted by tag. A stack tag names a runtime, or a package of the language that the build is written in; or what builds promise. */
export function axesOf(record: Pick<PackageRecord, 'files' | 'manifest'>): WantedAxis[] {
  const { stack, dependencies } = record.manifest;
  const own: AxisKind = isPython(record) ? 'pip' : 'npm';
  const axes = new Map<string, WantedAxis>();
  const add = (tag: string, range: string, kind: AxisKind): void => {
    axes.set(tag, { tag, range, kind });
  };
  for (const [name, range] of Object.entries(dependencies?.pip ?? {})) {
    add(normalizePipName(name), range, 'pip');
  }
  for (const [name, range] of Object.entries(dependencies?.npm ?? {})) add(name, range, 'npm');
  for (const [tag, range] of Object.entries(stack?.requires ?? {})) {
    // There are packages of these names, and no build means them.
    if (namesOfTag(tag) !== undefined) continue;
    add(tag, range, tag === 'node' || tag === 'python' ? tag : own);
  }
  return [...axes.values()].sort((a, b) => (a.tag < b.tag ? -1 : 1));
}

/** The package with the program for this machine. */
function nodePackage(platform: string = process.platform, arch: string = process.arch): string {
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

/** Absolute path of the program. @throws {GeneratorError} `ERR_MATRIX` when it cannot be installed */
export async function nodeProgram(
  version: string,
  { cache, env }: Pick<Workplace, 'cache' | 'env'>,
): Promise<string> {
  if (version === process.versions.node) return process.execPath;
  const home = join(cache, `node-${version}`);
  const name = nodePackage();
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const program = join(home, 'node_modules', name, 'bin', file);
  if (existsSync(program)) return program;
  mkdirSync(home, { recursive: true });
  const manifest = { private: true, dependencies: { [name]: version } };
  writeFileSync(join(home, 'package.json'), JSON.stringify(manifest));
  const { isOk, stderr } = await runProgram('npm', ['install', '--ignore-scripts'], {
    cwd: home,
    env,
  });
  if (isOk && existsSync(program)) return program;
  const [problem] = errorLines(stderr, [dirname(home)]);
  throw new GeneratorError('ERR_MATRIX', `Cannot install Node.js ${version}: ${problem}`, {
    hint: `check that npm can install "${name}"; what was measured so far is kept`,
  });
}

/** The first lines of what a failed step wrote, as a matrix keeps them: without colours, paths of this machine and noise. */
const CONTROLS = /\p{Cc}/gu;

const SIGN =
  /\b(?:error|err!|failed|failure|exception|cannot|not found|ended with status)\b|ERR_|Error:/i;
const NOISE = /^(?:npm (?:warn|notice)\b|\(node:\d+\)|\s*\^+\s*$|> )/;

/**
 * @param folders of this machine, which become `.`
 * @returns at least one line
 */
export function errorLines(output: string, folders: readonly string[]): string[] {
  let text = stripVTControlCharacters(output);
  for (const folder of folders) text = text.replaceAll(folder, '.');
  const lines = text
    .split(/\r?\n|\r/)
    .map((line) => line.replaceAll(CONTROLS, ' ').trimEnd())
    .filter((line) => line.trim() !== '' && !NOISE.test(line));
  const first = Math.max(
    0,
    lines.findIndex((line) => SIGN.test(line)),
  );
  const shown = lines
    .slice(first, first + MAX_ERROR_LINES)
    .map((line) => line.slice(0, MAX_ERROR_LINE_CHARACTERS).toWellFormed().trimEnd());
  return shown.length === 0 ? ['it wrote nothing'] : shown;
}

/** What every measurement works with. */
export interface Workplace {
  /** A folder for projects, which are removed. */
  readonly projects: string;
  /** A folder for packages and runtimes, which stays: all projects share it. */
  readonly cache: string;
  /** The file of the client. */
  readonly client: string;
  /** Address of the registry that has the builds. */
  readonly registry: string;
  /** The variables that programs of a project get. */
  readonly env: NodeJS.ProcessEnv;
}

/** `env` with the caches of package managers in `cache`. */
export function sharedCaches(env: NodeJS.ProcessEnv, cache: string): NodeJS.ProcessEnv {
  return {
    ...env,
    npm_config_cache: `${cache}/npm`,
    // Guides expect commands without output, and warnings about settings of this machine are output.
    npm_config_loglevel: 'error',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    npm_config_ignore_scripts: 'true',
    npm_config_prefer_offline: 'true',
    PIP_CACHE_DIR: `${cache}/pip`,
    UV_CACHE_DIR: `${cache}/uv`,
    STACKYARD_CACHE: `${cache}/stackyard`,
    NODE_ENV: 'development',
    NO_COLOR: '1',
  };
}
