/** Which versions of a tag can be had, from the registries of npm and pip by their own programs, and which of them are measured. */
import { GeneratorError } from '../errors.ts';
import {
  admitsTagVersion,
  compareTagVersions,
  isRelease,
  majorOf,
} from '../../format/version/tag-version.ts';
import type { AxisKind } from './combinations.ts';
import { runProgram } from './run-program.ts';
import { findPythons, nodePackage } from './runtimes.ts';
import type { Workplace } from './workplace.ts';

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
  of({ tag, kind }: { readonly tag: string; readonly kind: AxisKind }): Promise<string[]> {
    const key = `${kind} ${tag}`;
    const known = this.#known.get(key) ?? this.#read(tag, kind);
    this.#known.set(key, known);
    return known;
  }

  async #read(tag: string, kind: AxisKind): Promise<string[]> {
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
export function lowestOf(range: string, available: readonly string[]): string | undefined {
  const admitted = available.filter((one) => isRelease(one) && admitsTagVersion(range, one));
  return admitted.sort(compareTagVersions)[0];
}
