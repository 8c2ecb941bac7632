/** A command of a package manager: how it is typed, and its run. */
import { ClientError } from '../errors.ts';
import { startProgram } from '../project/start-program.ts';

export interface PackageCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** False when only the user can run it, such as when there is no virtual environment yet. */
  readonly isRunnable: boolean;
  /** What it does; default: it installs the packages. */
  readonly why?: string;
}

/** A command as it is typed. */
export function formatCommand({ program, args }: PackageCommand): string {
  return [
    program,
    ...args.map((arg) => (/[\s<>|&;*?"'$!~^()[\]]/.test(arg) ? `"${arg}"` : arg)),
  ].join(' ');
}

/**
 * Runs a command with its output on standard error and without standard input.
 * @throws {ClientError} `ERR_PACKAGES`: the files are written, the packages are not installed
 */
export async function runPackageCommand(
  project: string,
  command: PackageCommand,
  signal: AbortSignal,
): Promise<void> {
  const failed = (problem: string, cause?: unknown): ClientError =>
    new ClientError(
      'ERR_PACKAGES',
      `The files are in place, but "${formatCommand(command)}" ${problem}`,
      {
        cause,
        hint: `run it again in "${project}"`,
      },
    );
  const notRun = (cause: unknown): ClientError =>
    failed(`could not run: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  await new Promise<void>((resolve, reject) => {
    let child;
    try {
      child = startProgram(command.program, command.args, {
        cwd: project,
        stdio: ['ignore', process.stderr, process.stderr],
        signal,
      });
    } catch (cause) {
      reject(notRun(cause));
      return;
    }
    child.on('error', (cause) => reject(notRun(cause)));
    child.on('close', (status) => {
      if (status === 0) resolve();
      else reject(failed(`ended with status ${status ?? 'of a signal'}`));
    });
  });
}
