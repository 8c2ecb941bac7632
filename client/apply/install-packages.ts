/** Runs the package managers of a project, and remembers what an interrupted run leaves for the next one. */
import { ClientError } from '../errors.ts';
import { recall, remember } from '../project/memory.ts';
import type { NextStep } from '../terminal/envelope.ts';
import { formatCommand, type PackageCommand, runPackageCommand } from './package-command.ts';
import { settleLocks } from './undo-record.ts';

/** What ran, and what is left to run. */
export interface Installed {
  readonly next: readonly NextStep[];
  readonly error?: ClientError | undefined;
}

/** How a long step of a command is stopped and watched. */
export interface Watch {
  readonly signal: AbortSignal;
  /** Called with a line about what begins. */
  readonly note: (line: string) => void;
}

/**
 * Runs `commands` in the project; its files are written and stay, whatever the commands do.
 * @param isWanted false: only lists the commands
 */
export async function installPackages(
  project: string,
  commands: readonly PackageCommand[],
  isWanted: boolean,
  { signal, note }: Watch,
): Promise<Installed> {
  const next: NextStep[] = [];
  let error: ClientError | undefined;
  const open = new Set(isWanted ? commands.filter(({ isRunnable }) => isRunnable) : []);
  if (open.size > 0) await rememberPackages(project, [...open]);
  for (const command of commands) {
    if (error !== undefined || !isWanted || !command.isRunnable) {
      next.push({ command: formatCommand(command), why: command.why ?? 'installs the packages' });
      continue;
    }
    note(`Running ${formatCommand(command)}`);
    try {
      await runPackageCommand(project, command, signal);
    } catch (failure) {
      if (!(failure instanceof ClientError)) throw failure;
      error = failure;
      next.push({ command: formatCommand(command), why: 'failed: run it again' });
      continue;
    }
    open.delete(command);
    await rememberPackages(project, [...open]);
  }
  // As for the record itself: without it, only the way back of the lock is missing.
  const hasRun = isWanted && error === undefined && commands.some((one) => one.isRunnable);
  if (hasRun) await settleLocks(project).catch(() => {});
  return { next, error };
}

/** Without a state folder, an interrupted run only prints it. */
async function rememberPackages(project: string, open: readonly PackageCommand[]): Promise<void> {
  const packages = open.map(({ program, args }) => ({ program, args: [...args] }));
  await remember(project, { packages: packages.length === 0 ? undefined : packages }).catch(
    () => {},
  );
}

/** Runs what an interrupted run did not finish; `undefined` where there is nothing, or nothing shall run. */
export async function resumePackages(
  project: string,
  { dryRun, install }: { readonly dryRun: boolean; readonly install: boolean },
  watch: Watch,
): Promise<Installed | undefined> {
  const left = dryRun || !install ? [] : ((await recall(project)).packages ?? []);
  const commands = left.map((command) => ({ ...command, isRunnable: true }));
  return left.length === 0 ? undefined : installPackages(project, commands, true, watch);
}
