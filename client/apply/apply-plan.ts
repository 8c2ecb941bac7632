/** The ends of every change of a project: opens the project; applies a plan, records it for `undo`, installs packages, reports. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { field } from '../../format/document/canonical-json.ts';
import { tableAt } from '../../format/project/pyproject.ts';
import { PACKAGE_JSON, PYPROJECT } from '../edit/edited-files.ts';
import { parseToml } from '../edit/toml/toml-value.ts';
import { ClientError } from '../errors.ts';
import type { MadePlan, Plan } from '../plan/plan.ts';
import { chooseProject, type ProjectChoice } from '../project/choose-project.ts';
import { recall, remember } from '../project/memory.ts';
import { findNodeManager } from '../project/package-managers.ts';
import { readJson, readNames, readText } from '../project/read-file.ts';
import { findWorkspaceRoot } from '../project/workspace.ts';
import { planClosing } from '../terminal/closing-sentence.ts';
import {
  type CommandContext,
  type GlobalOptions,
  nextLine,
  type Outcome,
  printWarnings,
} from '../terminal/command.ts';
import { consentLines, requireConsent } from '../terminal/consent.ts';
import type { NextStep } from '../terminal/envelope.ts';
import { describePlan, integrationOrder } from '../terminal/plan-text.ts';
import { formatCommand, type PackageCommand, runPackageCommand } from './package-command.ts';
import { packageCommands } from './packages.ts';
import { lockProject } from './project-lock.ts';
import {
  applyWithLocks,
  confirmForUndo,
  keepForUndo,
  knownLocks,
  type LockBefore,
  settleLocks,
} from './undo-record.ts';
import { recover } from './recover.ts';

export interface ChangeOptions extends GlobalOptions {
  readonly dryRun: boolean;
  readonly install: boolean;
}

/**
 * Opens the project that a command changes: takes its lock and recovers an interrupted run. A dry run changes nothing, so
 * it does neither.
 * @returns the absolute path of the project, and what releases the lock
 * @throws {ClientError} `ERR_BUSY`, `ERR_JOURNAL`, and those of the choice of a project
 */
export async function openProject(
  options: ProjectChoice & { readonly dryRun?: boolean },
  { terminal }: CommandContext,
): Promise<{ readonly project: string; readonly close: () => Promise<void> }> {
  const project = chooseProject(options);
  if (options.dryRun === true) return { project, close: async () => {} };
  const close = await lockProject(project);
  try {
    const recovered = await recover(project);
    if (recovered !== 'nothing') terminal.warn(`An interrupted run was ${recovered}`);
    return { project, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Applies a plan as one transaction that `undo` can undo, installs packages, and reports. The caller holds the
 * project's lock.
 * @throws {ClientError} with nothing written, except `ERR_PACKAGES`, which the outcome carries
 */
export async function applyPlan(
  project: string,
  made: MadePlan,
  options: ChangeOptions,
  context: CommandContext,
): Promise<Outcome> {
  const written = await writePlan(project, made, options, context);
  return 'outcome' in written
    ? written.outcome
    : installPlan(project, made.plan, written.commands, options, context);
}

/**
 * The first half of `applyPlan`: writes the files.
 * @returns the commands that install packages, or the outcome of a dry run
 * @throws {ClientError} with nothing written
 */
export async function writePlan(
  project: string,
  made: MadePlan,
  options: ChangeOptions,
  context: CommandContext,
): Promise<{ readonly commands: PackageCommand[] } | { readonly outcome: Outcome }> {
  const { plan, changes } = made;
  printWarnings(plan, context);
  const commands = await packageCommands(project, made, options.install);
  const isGoing = plan.command === 'remove' && commands.length > 0;
  const locks = isGoing ? await knownLocks(project, changes) : { known: [], unknown: [] };
  for (const path of locks.unknown) {
    const text = `${path}: what it was before these builds is not known here, so the package manager writes it again`;
    context.terminal.message(text);
  }
  if (options.dryRun) {
    const formatters = await formatterSteps(project, plan);
    return { outcome: plannedOutcome(plan, commands, formatters, options.verbose) };
  }
  await context.approve(plan);
  await requireConsent(plan, context);
  const named = [
    ...plan.builds.map(({ id }) => id),
    ...(plan.wiring ?? []).map(({ build }) => build),
  ];
  const what = `${plan.command} ${[...new Set(named)].join(' ')}`;
  const isKept = await keepRecord(project, what, made, locks.known, context);
  await applyWithLocks(project, made, locks.known, context.signal);
  if (isKept) await confirmForUndo(project);
  return { commands };
}

/** The second half of `applyPlan`: installs packages, and reports. */
export async function installPlan(
  project: string,
  plan: Plan,
  commands: readonly PackageCommand[],
  options: Pick<ChangeOptions, 'install' | 'verbose'>,
  context: CommandContext,
): Promise<Outcome> {
  const outcome = await runCommands(project, plan, commands, options, context);
  const conflicts = plan.files
    .filter(({ action }) => action === 'conflict')
    .map(({ path }) => path);
  if (conflicts.length === 0 || outcome.error !== undefined) return outcome;
  const next = conflicts.map((path) => {
    return {
      command: `stackyard update --resolve ${path}`,
      why: 'when you have merged both sides',
    };
  });
  return {
    ...outcome,
    status: 'conflicts',
    next: [...next, ...(outcome.next ?? [])],
    error: new ClientError(
      'ERR_CONFLICT',
      `Both sides are between markers in ${conflicts.join(', ')}`,
      {
        hint: 'merge them by hand, then "stackyard update --resolve <file>"; "stackyard undo" undoes it all',
      },
    ),
  };
}

/** `undo` is optional: if its record cannot be written, the change is made without it. */
async function keepRecord(
  project: string,
  what: string,
  made: MadePlan,
  locks: readonly LockBefore[],
  { terminal }: CommandContext,
): Promise<boolean> {
  try {
    await keepForUndo(project, what, made, locks);
    return true;
  } catch (error) {
    if (made.plan.files.some(({ action }) => action === 'delete') && made.plan.choices.force) {
      throw new ClientError('ERR_WRITE', 'Cannot keep a copy of the files that you edited', {
        cause: error,
        hint: 'set STACKYARD_STATE to a writable folder, or remove without --force',
      });
    }
    const reason = error instanceof Error ? error.message : String(error);
    terminal.warn(`"stackyard undo" will not be able to undo this: ${reason}`);
    return false;
  }
}

/** The outcome of a dry run. */
export function plannedOutcome(
  plan: Plan,
  commands: readonly PackageCommand[],
  next: readonly NextStep[],
  isVerbose: boolean,
): Outcome {
  return {
    status: 'planned',
    data: { plan, commands: commands.map(formatCommand) },
    warnings: plan.warnings,
    ...(next.length === 0 ? {} : { next }),
    text: [
      ...describePlan(plan, isVerbose),
      ...consentLines(plan),
      ...(plan.by_hand ?? []).map(nextLine),
      ...next.map(nextLine),
      'Nothing was written: this was a dry run',
    ],
  };
}

/**
 * Runs `commands` in the project; its files are written and stay, whatever the commands do.
 * @param isWanted false: only lists the commands
 */
export async function runSteps(
  project: string,
  commands: readonly PackageCommand[],
  isWanted: boolean,
  context: CommandContext,
): Promise<{ readonly next: NextStep[]; readonly error: ClientError | undefined }> {
  const next: NextStep[] = [];
  let error: ClientError | undefined;
  const open = new Set(isWanted ? commands.filter(({ isRunnable }) => isRunnable) : []);
  if (open.size > 0) await rememberPackages(project, [...open]);
  for (const command of commands) {
    if (error !== undefined || !isWanted || !command.isRunnable) {
      next.push({ command: formatCommand(command), why: command.why ?? 'installs the packages' });
      continue;
    }
    context.terminal.message(`Running ${formatCommand(command)}`);
    try {
      await runPackageCommand(project, command, context.signal);
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

/** What a run that is interrupted leaves for the next one. Without a state folder, it only prints it. */
export async function rememberPackages(
  project: string,
  open: readonly PackageCommand[],
): Promise<void> {
  const packages = open.map(({ program, args }) => ({ program, args: [...args] }));
  await remember(project, { packages: packages.length === 0 ? undefined : packages }).catch(
    () => {},
  );
}

/**
 * The outcome of a command that has nothing to change; it first runs what an interrupted run did not finish.
 * @param text why there is nothing to change
 */
export async function unchangedOutcome(
  project: string,
  text: readonly string[],
  options: ChangeOptions,
  context: CommandContext,
): Promise<Outcome> {
  const left = options.dryRun || !options.install ? [] : ((await recall(project)).packages ?? []);
  const commands = left.map((command) => ({ ...command, isRunnable: true }));
  const { next, error } = await runSteps(project, commands, true, context);
  if (commands.length === 0) return { status: 'noop', data: {}, text };
  return {
    status: error === undefined ? 'done' : 'error',
    data: { project },
    next,
    text: [...text, ...next.map(nextLine)],
    ...(error === undefined ? {} : { error }),
  };
}

/** Of more builds one stands for all. */
const MAX_GUIDES = 3;

/** Runs `commands` after `plan` was applied, and reports what was done and what is left to do. */
export async function runCommands(
  project: string,
  plan: Plan,
  commands: readonly PackageCommand[],
  options: { readonly install: boolean; readonly verbose: boolean },
  context: CommandContext,
): Promise<Outcome> {
  const { next, error } = await runSteps(project, commands, options.install, context);
  next.push(...(await formatterSteps(project, plan)));
  next.push(...(plan.by_hand ?? []).map((step) => ({ ...step })));
  const guides = integrationOrder(plan.builds).filter((build) => build.has_integration === true);
  const isMany = guides.length > MAX_GUIDES;
  for (const { id } of isMany ? guides.slice(0, 1) : guides) {
    const others = isMany ? `; so for each of the ${guides.length - 1} others` : '';
    const command = `stackyard info ${id} --integration`;
    next.push({ command, why: `the steps that integrate it${others}` });
  }
  return {
    status: error === undefined ? 'done' : 'error',
    data: { plan, project },
    warnings: plan.warnings,
    next,
    closing: planClosing(plan),
    text: [...describePlan(plan, options.verbose), ...next.map(nextLine)],
    ...(error === undefined ? {} : { error }),
  };
}

/** The formatters that a project uses, from its scripts and their configuration. */
interface Formatter {
  /** A script of package.json, a program of node_modules, or a Python program. */
  readonly kind: 'script' | 'node' | 'python';
  /** The script, or the program with its options; files follow it. */
  readonly command: string;
}

const SCRIPTS = ['format', 'fmt', 'format:write', 'format:fix'];

/** Files of a folder that configure a formatter, and how it writes. */
const CONFIGURATIONS: readonly (readonly [RegExp, string])[] = [
  [/^(?:\.prettierrc(?:\.\w+)?|prettier\.config\.\w+)$/, 'prettier --write'],
  [/^\.?biome\.jsonc?$/, 'biome format --write'],
  [/^(?:\.oxfmtrc\.jsonc?|oxfmt\.config\.\w+)$/, 'oxfmt'],
];

/**
 * The formatters of the project, the first of each kind.
 * @param root of its workspace, which may have the configuration of all its projects
 */
function findFormatters(project: string, root: string): Formatter[] {
  const first = (find: (folder: string) => Formatter | undefined): Formatter[] => {
    for (const folder of [project, root]) {
      const found = find(folder);
      if (found !== undefined) return [found];
    }
    return [];
  };
  // A script of the root runs in the root.
  const script = scriptIn(project);
  return [
    ...(script === undefined ? first(nodeFormatterIn) : [script]),
    ...first(pythonFormatterIn),
  ];
}

function scriptIn(folder: string): Formatter | undefined {
  const scripts = field(readJson(join(folder, PACKAGE_JSON)), 'scripts');
  const name = SCRIPTS.find((script) => typeof field(scripts, script) === 'string');
  return name === undefined ? undefined : { kind: 'script', command: name };
}

function nodeFormatterIn(folder: string): Formatter | undefined {
  const names = readNames(folder);
  const found = CONFIGURATIONS.find(([pattern]) => names.some((name) => pattern.test(name)));
  if (found !== undefined) return { kind: 'node', command: found[1] };
  const isInManifest = field(readJson(join(folder, PACKAGE_JSON)), 'prettier') !== undefined;
  return isInManifest ? { kind: 'node', command: 'prettier --write' } : undefined;
}

/** black before ruff, which many projects use for its checks alone. */
function pythonFormatterIn(folder: string): Formatter | undefined {
  const tools = tableAt(tryParseToml(readText(join(folder, PYPROJECT))), ['tool']);
  if (tools?.['black'] !== undefined) return { kind: 'python', command: 'black' };
  const isRuff =
    tools?.['ruff'] !== undefined ||
    ['ruff.toml', '.ruff.toml'].some((name) => existsSync(join(folder, name)));
  return isRuff ? { kind: 'python', command: 'ruff format' } : undefined;
}

function tryParseToml(text: string): ReturnType<typeof parseToml> {
  try {
    return parseToml(text);
  } catch {
    return {};
  }
}

/** More files are not listed: then the whole project is formatted. */
const MAX_LISTED = 5;
const WRITTEN = new Set(['create', 'replace', 'merge']);
const NODE_FILE = /\.(?:[cm]?[jt]sx?|jsonc?|css)$/i;
const PYTHON_FILE = /\.pyi?$/i;

/** Runs a program of node_modules, by package manager. */
const RUNNERS: Readonly<Record<string, string>> = {
  npm: 'npx',
  pnpm: 'pnpm exec',
  yarn: 'yarn',
  bun: 'bunx',
};

/** The formatter commands for the files that `plan` writes; none for other plans than updates. */
async function formatterSteps(project: string, plan: Plan): Promise<NextStep[]> {
  if (plan.command !== 'update' || plan.choices.style === 'project') return [];
  const written = plan.files.filter(({ action }) => WRITTEN.has(action)).map(({ path }) => path);
  const steps: NextStep[] = [];
  for (const { kind, command } of findFormatters(project, findWorkspaceRoot(project))) {
    const pattern = kind === 'python' ? PYTHON_FILE : NODE_FILE;
    const files = written.filter((path) => pattern.test(path));
    if (files.length === 0) continue;
    const why = 'formats the files that the update wrote';
    const targets = files.length > MAX_LISTED ? '.' : files.map(quoted).join(' ');
    if (kind === 'python') {
      steps.push({ command: `${command} ${targets}`, why });
      continue;
    }
    const { name: program } = await findNodeManager(project);
    const run = kind === 'script' ? `${program} run ${command}` : '';
    steps.push({
      command: run === '' ? `${RUNNERS[program] ?? 'npx'} ${command} ${targets}` : run,
      why,
    });
  }
  return steps;
}

function quoted(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
