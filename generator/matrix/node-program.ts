/** A Node.js of any version, from the packages of npm that hold its program: nothing is run to install it. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GeneratorError } from '../errors.ts';
import { errorLines } from './error-lines.ts';
import { runProgram } from './run-program.ts';
import type { Workplace } from './workplace.ts';

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
