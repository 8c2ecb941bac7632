/** Node.js and Python in the versions that are measured: Node.js as a package of npm, and of Python what is installed here. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { compareTagVersions } from '../../format/version/tag-version.ts';
import { GeneratorError } from '../errors.ts';
import { errorLines } from './error-lines.ts';
import { runProgram } from './run-program.ts';
import type { Workplace } from './workplace.ts';

/** `python3` and `python3.8` to `python3.30` on the PATH, one for each minor version. */
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

/** The package with the program for this machine. */
export function nodePackage(
  platform: string = process.platform,
  arch: string = process.arch,
): string {
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

/** Absolute paths. */
interface Runtimes {
  readonly node: string;
  readonly python: string | undefined;
}

/** A value for PATH. @param folder a folder that does not exist yet */
export function pathWith({ node, python }: Runtimes, folder: string, path: string): string {
  mkdirSync(folder, { recursive: true });
  symlinkSync(node, join(folder, 'node'));
  // Python finds its library by the place of its program: a link would hide it.
  if (python !== undefined) {
    const script = `#!/bin/sh\nexec '${python.replaceAll("'", `'\\''`)}' "$@"\n`;
    writeFileSync(join(folder, 'python3'), script, { mode: 0o755 });
  }
  return `${folder}${delimiter}${path}`;
}
