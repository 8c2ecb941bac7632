/** Which versions of a tag can be had: from the registries of npm and pip, by their own programs, and of Python those that are installed. */
import { GeneratorError } from '../errors.ts';
import type { WantedAxis } from './axis.ts';
import { nodePackage } from './node-program.ts';
import { findPythons } from './python-programs.ts';
import { runProgram } from './run-program.ts';
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
