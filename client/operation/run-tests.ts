/** Runs commands of a project in a CI run: its tests, or the checks of guides. Only where the user asks for it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ClientError } from '../errors.ts';
import { PACKAGE_JSON } from '../edit/edited-files.ts';
import { findNodeManager } from '../project/node-manager.ts';
import { field } from '../../format/project/declared-stack.ts';
import { readJson } from '../project/read-file.ts';
import { startProgram } from '../project/start-program.ts';
import { withoutIdentity } from '../publish/ci-token.ts';
import { pythonSteps } from './first-steps.ts';
import { venvPython } from './python-commands.ts';

export interface Ran {
  /** As it is typed. */
  readonly command: string;
  /** Its exit status; 1 for a signal. */
  readonly status: number;
  /** What it wrote to its standard output and error, when it was captured. */
  readonly output: string;
}

const MAX_OUTPUT_CHARACTERS = 1_000_000;
const TEST_STEP = / -m pytest$/;

/**
 * The command that tests the project: the one that the user gives, its script `test`, or pytest.
 * @throws {ClientError} `ERR_USAGE` when it has none
 */
export async function testCommand(project: string, given: string | undefined): Promise<string> {
  if (given !== undefined && given.trim() !== '') return given;
  const scripts = field(readJson(join(project, PACKAGE_JSON)), 'scripts');
  if (typeof field(scripts, 'test') === 'string') {
    const { name } = await findNodeManager(project);
    return name === 'deno' ? 'deno task test' : `${name} run test`;
  }
  if (pythonSteps(project).some(({ command }) => TEST_STEP.test(command))) {
    const python = venvPython();
    return `${existsSync(join(project, python)) ? python : 'python'} -m pytest`;
  }
  throw new ClientError('ERR_USAGE', 'The project has no command that tests it', {
    hint: 'add a script "test" to package.json, or give the command, such as --test "make test"',
  });
}

/**
 * Runs a command by the shell of the system, with its output on standard error or captured, without standard input and
 * without the identity of the CI run: what runs there must not sign anything.
 */
export async function runShell(
  project: string,
  command: string,
  signal: AbortSignal,
  isCaptured = false,
): Promise<Ran> {
  const [program, args] =
    process.platform === 'win32'
      ? ['cmd.exe', ['/d', '/s', '/c', command]]
      : ['sh', ['-c', command]];
  const env = withoutIdentity(process.env);
  const to = isCaptured ? 'pipe' : process.stderr;
  const child = startProgram(program, args, {
    cwd: project,
    env,
    stdio: ['ignore', to, to],
    signal,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(0, MAX_OUTPUT_CHARACTERS);
    });
  }
  const status = await new Promise<number>((resolve, reject) => {
    child.on('error', (error) => {
      if (signal.aborted) reject(error);
      else resolve(127);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
  return { command, status, output };
}
