/** Carries a plan out: checks its paths, writes it as one transaction that `undo` can undo, and installs packages. */
import { join } from 'node:path';
import { type Installed, installPackages, type Watch } from '../apply/install-packages.ts';
import type { PackageCommand } from '../apply/package-command.ts';
import { packageCommands } from '../apply/packages.ts';
import {
  applyWithLocks,
  confirmForUndo,
  keepForUndo,
  knownLocks,
  type LockBefore,
} from '../apply/undo-record.ts';
import { ClientError } from '../errors.ts';
import type { MadePlan, Plan, Warning } from '../plan/plan.ts';
import type { Answer } from '../plan/question.ts';
import { folderGit } from '../project/folder-git.ts';
import { checkTargets, checkWritable } from '../project/safe-path.ts';
import type { Proof } from '../prove/proof.ts';
import { type Checks, checkProject, NO_CHECKS, proved, withAgreed } from './check.ts';
import { statusAt } from '../project/read-file.ts';

const MAX_LISTED = 5;

/** A plan that can be carried out. */
export interface Prepared {
  /** Absolute path. */
  readonly project: string;
  readonly made: MadePlan;
  readonly plan: Plan;
  /** What installs its packages. */
  readonly commands: readonly PackageCommand[];
  /** The locks of package managers as they were before the builds that a removal takes out. */
  readonly locks: readonly LockBefore[];
  /** What the user should know of these locks. */
  readonly notes: readonly string[];
  readonly checks: Checks;
}

/** A plan that was carried out. */
export interface Applied extends Installed {
  /** What the change did to the project; absent where nothing checked it. */
  readonly proof?: Proof;
  /** Whether that was not found out. */
  readonly isInterrupted?: boolean;
}

/**
 * @param install whether packages are to be installed: then a project with several managers is refused
 * @throws {ClientError} `ERR_PATH_POLICY`, `ERR_WRITE`, `ERR_PROJECT_FILE`
 */
export async function preparePlan(
  project: string,
  given: MadePlan,
  install: boolean,
  checks: Checks = NO_CHECKS,
): Promise<Prepared> {
  const made = await checkedPlan(project, given);
  const commands = await packageCommands(project, made, install);
  const isGoing = made.plan.command === 'remove' && commands.length > 0;
  const none = { known: [], unknown: [] };
  const { known, unknown } = isGoing ? await knownLocks(project, made.changes) : none;
  const notes = unknown.map(
    (path) =>
      `${path}: what it was before these builds is not known here, so the package manager writes it again`,
  );
  return { project, made, plan: made.plan, commands, locks: known, notes, checks };
}

/** `made` with what git would leave out. @throws {ClientError} `ERR_PATH_POLICY`, `ERR_WRITE` */
export async function checkedPlan(project: string, made: MadePlan): Promise<MadePlan> {
  const changes = [...made.changes, made.commit];
  await checkTargets(project, changes);
  for (const { path, bytes } of changes) {
    const status = statusAt(join(project, path));
    if (bytes !== undefined && status !== undefined) checkWritable(path, status.mode);
  }
  const { plan } = made;
  const ignored = plan.command === 'remove' ? [] : await ignoredFiles(project, made);
  return { ...made, plan: { ...plan, warnings: [...plan.warnings, ...ignored] } };
}

/**
 * Carries a plan out: checks the project, writes, installs packages, checks the project again. The caller holds the project's lock.
 * @param answers to the questions before
 * @throws {ClientError} with nothing written; `ERR_PACKAGES` is in the result
 */
export async function applyPlan(
  { project, made, commands, locks, checks: found }: Prepared,
  install: boolean,
  answers: readonly Answer[],
  watch: Watch,
): Promise<Applied> {
  const { plan } = made;
  const checks = await withAgreed(project, found, answers);
  const before = await checkProject(project, checks, false, watch);
  const problem = await keepRecord(project, made, locks);
  await applyWithLocks(project, made, locks, watch.signal);
  if (problem === undefined) await confirmForUndo(project);
  else watch.note(problem);
  const installed = await installPackages(project, commands, install, watch);
  if (before === undefined) return installed;
  const isConflict = plan.files.some(({ action }) => action === 'conflict');
  // Without its packages, or with marks of a conflict, nothing can work yet.
  if (installed.error !== undefined || installed.next.length > 0 || isConflict) {
    const then = '"stackyard verify --guides" then sends the requests of the guides';
    watch.note(`Not proved: finish what is left to do first; ${then}`);
    return installed;
  }
  return { ...installed, ...(await proved(project, checks, plan, before, watch)) };
}

/** `undo` is optional. @returns why its record cannot be written: then the change is made without it */
async function keepRecord(
  project: string,
  made: MadePlan,
  locks: readonly LockBefore[],
): Promise<string | undefined> {
  const { plan } = made;
  const wired = (plan.wiring ?? []).map(({ build }) => build);
  const named = new Set([...plan.builds.map(({ id }) => id), ...wired]);
  try {
    await keepForUndo(project, `${plan.command} ${[...named].join(' ')}`, made, locks);
    return undefined;
  } catch (error) {
    if (plan.files.some(({ action }) => action === 'delete') && plan.choices.force) {
      throw new ClientError('ERR_WRITE', 'Cannot keep a copy of the files that you edited', {
        cause: error,
        hint: 'set STACKYARD_STATE to a writable folder, or remove without --force',
      });
    }
    const reason = error instanceof Error ? error.message : String(error);
    return `"stackyard undo" will not be able to undo this: ${reason}`;
  }
}

/**
 * One warning for all files that `made` writes and git ignores: a commit would leave them out. None without a repository or
 * without git; starts nothing that the folder configures.
 */
async function ignoredFiles(project: string, made: MadePlan): Promise<Warning[]> {
  const written = [...made.changes, made.commit].filter(({ bytes }) => bytes !== undefined);
  const paths = written.map(({ path }) => path);
  // Ends with status 1 when it ignores none of them.
  const input = paths.map((path) => `${path}\0`).join('');
  const found = await folderGit(project, ['check-ignore', '-z', '--stdin'], { input });
  const ignored = found?.split('\0').slice(0, -1) ?? [];
  const [first] = ignored;
  if (first === undefined) return [];
  const more = ignored.length - MAX_LISTED;
  const listed = ignored.slice(0, MAX_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const message = `git ignores ${listed}: a commit leaves out what the builds need; change .gitignore, or use "git add -f"`;
  return [{ code: 'file-ignored', message, path: first }];
}
