/**
 * `new`: starts a project from a foundation. It is created in a folder beside the target, which is renamed
 * at the end: the project is complete or missing.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
} from 'node:fs';
import { basename, dirname, resolve, join } from 'node:path';
import { z } from 'zod';
import { proveNew, type ProveOptions } from '../change/prove-change.ts';
import { fullIds } from '../registry/short-ids.ts';
import { allow, define, install, oneBuild, prove, flag } from '../terminal/options.ts';
import {
  ChangeOutput,
  type FetchedBuild,
  type FileChange,
  type MadePlan,
  type Plan,
  type Warning,
} from '../plan/plan.ts';
import { ClientError } from '../errors.ts';
import { makeNewFolder, removeAbandoned } from '../apply/new-folder.ts';
import { applyChanges } from '../apply/transaction.ts';
import { writeError } from '../project/safe-path.ts';
import { followMoves } from '../registry/follow-moves.ts';
import { NO_CHOICES } from '../plan/make-plan.ts';
import { fetchAddition } from '../change/fetch-addition.ts';
import { planChange } from '../change/plan-change.ts';
import { readLock } from '../project/project.ts';
import type { Registries } from '../registry/registries.ts';
import { formatRequest, parseRegistryRequest, type BuildRequest } from '../resolve/request.ts';
import { setUpCommands } from '../apply/packages.ts';
import type { Lock } from '../../format/project/lock.ts';
import {
  nextLine,
  printWarnings,
  type CommandContext,
  type GlobalOptions,
  type Outcome,
} from '../terminal/command.ts';
import { plannedOutcome, runCommands } from '../apply/apply-plan.ts';
import { requireConsent } from '../terminal/consent.ts';
import { enterStep, firstSteps } from '../apply/first-steps.ts';
import { addReadme } from '../apply/project-readme.ts';
import { openRegistries } from '../registry/open-registry.ts';
import { integrityOf } from '../../format/archive/integrity.ts';
import { PACKAGE_JSON } from '../edit/edited-files.ts';
import {
  DATABASES,
  PACKAGE_MANAGERS,
  askForProject,
  chooseModules,
  choosePackageManager,
} from '../change/new-answers.ts';
import { addCompose, belowWeb, divideRequests, joinWeb, nameManager } from '../change/new-web.ts';
import { WEB } from '../plan/foundation-texts.ts';
import { hasIdentity, npmNameOf, pipNameOf, withIdentity } from '../plan/merge-shipped.ts';

const Input = z.object({
  foundation: oneBuild('the foundation to start from')
    .optional()
    .meta({
      description: 'the foundation to start from',
      isArgument: true,
      suggests: ['@registries'],
    }),
  folder: z
    .string()
    .max(400)
    .optional()
    .meta({ description: 'a new folder, or an empty one', isArgument: true }),
  with: z.array(z.string().max(400)).max(50).default([]).meta({
    description: 'modules to add; a front end goes into web/',
    placeholder: 'modules',
    hasCommas: true,
  }),
  database: z
    .enum([...DATABASES, 'none'])
    .optional()
    .meta({
      description: 'add the best database module of this kind that fits (default: none)',
      placeholder: 'kind',
    }),
  accounts: z.boolean().optional().meta({
    description: 'add accounts: the best module that fits, on the chosen database (default: no)',
  }),
  packageManager: z.enum(PACKAGE_MANAGERS).optional().meta({
    description: 'the package manager of the project (default: npm)',
    placeholder: 'name',
  }),
  dryRun: flag('print what would be created and create nothing'),
  install,
  prove,
  allow,
});

type NewOptions = GlobalOptions &
  ProveOptions &
  Omit<z.infer<typeof Input>, 'foundation' | 'folder' | keyof ProveOptions>;

/** @throws {ClientError} with nothing written, except `ERR_PACKAGES`, which the outcome carries */
export async function newProject(
  foundation: string,
  folder: string,
  options: NewOptions,
  context: CommandContext,
): Promise<Outcome> {
  const asked = [foundation, ...options.with].map(parseFirst);
  const project = resolve(options.cwd, folder);
  checkFolder(project);
  const registry = await openRegistries(options, undefined, context);
  let staging: string | undefined;
  try {
    await registry.defaultRegistry.knownInfo();
    const { requests, notes } = await followMoves(registry, asked, undefined);
    const [first, ...modules] = requests;
    await checkFoundation(registry, first!.id);
    for (const name of await removeAbandoned(dirname(project))) {
      context.terminal.warn(`Removed "${name}", which an interrupted "new" left`);
    }
    staging = await makeNewFolder(project);
    const rules = { registry };
    const name = basename(project);
    let web: readonly [BuildRequest, ...BuildRequest[]] | undefined;
    const ofRoot = { ...rules, project: staging, name, first: first!, notes };
    const root = await startProject(ofRoot, options, context, async (lock) => {
      const started = { ...rules, project: staging!, lock };
      // Who names modules has decided.
      const choose = modules.length === 0 ? context.choose : undefined;
      const chosen = await chooseModules(options, choose, started);
      const divided = await divideRequests([...modules, ...chosen], started);
      web = divided.web;
      return divided.modules;
    });
    const { placed } = root;
    let { plan } = root;
    if (web !== undefined) {
      const folder = join(staging, WEB);
      mkdirSync(folder);
      const [foundation, ...others] = web;
      const ofWeb = { ...rules, project: folder, name: `${name}-${WEB}`, first: foundation };
      const pages = await startProject(ofWeb, options, context, () => Promise.resolve(others));
      plan = joinPlans(plan, belowWeb(pages.plan));
    }
    const hasPackages = existsSync(join(staging, PACKAGE_JSON));
    const manager = await choosePackageManager(hasPackages, options, context.choose);
    if (manager !== undefined) plan = await nameManager(staging, manager, plan, context);
    if (web !== undefined) plan = joinWeb(staging, manager, plan);
    plan = addCompose(staging, plan);
    plan = await addReadme(staging, name, plan);
    printWarnings(plan, context);
    const commands = await setUpCommands(staging);
    const inFolder = (outcome: Outcome): Outcome => {
      return { ...outcome, text: [`In ${JSON.stringify(project)}:`, ...outcome.text] };
    };
    if (options.dryRun) {
      const planned = plannedOutcome(plan, commands, options.verbose);
      return inFolder(await proveNew(staging, plan, placed, planned, options, context));
    }
    await context.approve(plan);
    await requireConsent(plan, context);
    place(staging, project);
    const ordered = { ...plan, builds: inRequestOrder(plan.builds, [first!, ...modules]) };
    const outcome = entered(
      await runCommands(project, ordered, commands, options, context),
      folder,
    );
    const done = await proveNew(project, ordered, placed, outcome, options, context);
    const steps = await firstSteps(project, root.plan);
    return inFolder({
      ...done,
      next: [...(done.next ?? []), ...steps],
      text: [...done.text, ...steps.map(nextLine)],
    });
  } finally {
    if (staging !== undefined) rmSync(staging, { recursive: true, force: true });
    await registry.set.close();
  }
}

interface Started {
  /** Absolute path of the empty folder. */
  readonly project: string;
  readonly name: string;
  readonly first: BuildRequest;
  readonly registry: Registries;
  readonly notes?: readonly Warning[];
}

/**
 * The files of a foundation and of modules in an empty folder.
 * @param modulesOf the modules, once the lock has the foundation
 */
async function startProject(
  { name, first, notes = [], ...rules }: Started,
  { allow: allowed }: NewOptions,
  { signal }: CommandContext,
  modulesOf: (lock: Lock) => Promise<readonly BuildRequest[]>,
): Promise<{ plan: Plan; placed: FetchedBuild[] }> {
  const { project } = rules;
  const foundation = { requests: [first], foundation: first.id, lock: undefined, notes };
  const { change, requested } = await fetchAddition({ ...rules, ...foundation });
  const choices = { ...NO_CHOICES, allow: allowed };
  const planned = await planChange(project, change, { ...choices, requested });
  const base = nameProject(planned, name);
  await applyChanges(project, base.changes, base.commit, { signal });
  // The modules are resolved against the foundation's files: its packages are part of the stack.
  const lock = readLock(project)!;
  const modules = await modulesOf(lock);
  if (modules.length === 0) return { plan: base.plan, placed: [...change.builds] };
  const fetched = await fetchAddition({ ...rules, requests: modules, lock });
  const added = await planChange(project, fetched.change, {
    ...choices,
    requested: fetched.requested,
    wire: true,
  });
  await applyChanges(project, added.changes, added.commit, { signal });
  const plan = joinPlans(base.plan, added.plan);
  return { plan, placed: [...change.builds, ...fetched.change.builds] };
}

/** A request in a project that has no registries yet, so that none can be named. @throws {ClientError} `ERR_USAGE` */
function parseFirst(text: string): BuildRequest {
  const request = parseRegistryRequest(text);
  const { registry, ...rest } = request;
  if (registry === undefined) return request;
  throw new ClientError('ERR_USAGE', `A new project has no registry "${registry}" yet`, {
    hint: `give the address: ${formatRequest(rest)} with --registry; "stackyard registry add" in the new project names others`,
  });
}

/** Every other step is one in the new folder. */
function entered(outcome: Outcome, folder: string): Outcome {
  const { next = [], text } = outcome;
  const enter = enterStep(folder);
  const others = text.length - next.length;
  return {
    ...outcome,
    next: [enter, ...next],
    text: [...text.slice(0, others), nextLine(enter), ...text.slice(others)],
  };
}

/** The foundation first, then the modules as the user named them, then what these require. */
function inRequestOrder(
  builds: Plan['builds'],
  requests: readonly { readonly id: string }[],
): Plan['builds'] {
  const asked = requests.flatMap(({ id }) => builds.filter((build) => build.id === id));
  return [...asked, ...builds.filter((build) => !asked.includes(build))];
}

/** Checked first: for a module, the error would be about what the empty folder does not have. */
async function checkFoundation(registry: Registries, id: string): Promise<void> {
  const head = await registry.head(id);
  if (head === undefined || head.kind === 'foundation') return;
  throw new ClientError('ERR_KIND', `"${id}" is a module: it cannot start a project`, {
    hint: `start from a foundation, with --with ${id}`,
  });
}

function checkFolder(project: string): void {
  if (!existsSync(dirname(project))) {
    throw new ClientError('ERR_USAGE', `There is no folder "${dirname(project)}"`, {
      hint: 'make it first, or give another folder for the new project',
    });
  }
  const found = lstatSync(project, { throwIfNoEntry: false });
  if (found === undefined) return;
  const isFolder = found.isDirectory();
  if (isFolder && readdirSync(project).length === 0) return;
  const why = isFolder ? 'it is not empty' : 'it is not a folder';
  throw new ClientError('ERR_CONFLICT', `Cannot start a project in "${project}": ${why}`, {
    hint: 'give a folder that is not there yet, or an empty one; "stackyard add" adds to a project',
  });
}

/** Renames the finished project to its final name. */
function place(staging: string, project: string): void {
  try {
    // Only an empty folder: a file that another process created meanwhile is kept.
    if (existsSync(project)) rmdirSync(project);
    renameSync(staging, project);
  } catch (error) {
    throw writeError(project, error);
  }
}

/** Both installs as one plan. */
function joinPlans(a: Plan, b: Plan): Plan {
  const paths = new Set(b.edits.map((edit) => edit.path));
  const both = <Key extends 'consent' | 'by_hand' | 'wiring'>(key: Key): Pick<Plan, Key> | {} => {
    const all = [...(a[key] ?? []), ...(b[key] ?? [])];
    return all.length === 0 ? {} : { [key]: all };
  };
  return {
    ...b,
    command: a.command,
    builds: [...a.builds, ...b.builds],
    files: [...a.files, ...b.files],
    edits: [...a.edits.filter((edit) => !paths.has(edit.path)), ...b.edits],
    npm: [...a.npm, ...b.npm],
    pip: [...a.pip, ...b.pip],
    scripts: [...a.scripts, ...b.scripts],
    env: [...a.env, ...b.env],
    warnings: [...a.warnings, ...b.warnings],
    ...both('consent'),
    ...both('by_hand'),
    ...both('wiring'),
  };
}

const FIRST_VERSION = '0.1.0';

/**
 * @param made the plan of the foundation
 * @param folder the name of the project's folder
 * @returns the plan with the changed files; the lock keeps the digests of what was shipped
 */
function nameProject(made: MadePlan, folder: string): MadePlan {
  const changes = made.changes.map((change) => rename(change, folder));
  const digests = new Map(
    changes
      .filter((change, at) => change !== made.changes[at])
      .map(({ path, bytes }) => [path, integrityOf(bytes!)]),
  );
  const files = made.plan.files.map((file) => {
    const after = digests.get(file.path);
    if (after === undefined || file.after === undefined) return file;
    return { ...file, after, shipped: file.after };
  });
  return { ...made, changes, plan: { ...made.plan, files } };
}

function rename(change: FileChange, folder: string): FileChange {
  const { path, bytes } = change;
  if (bytes === undefined || !hasIdentity(path)) return change;
  const text = Buffer.from(bytes).toString('utf8');
  const name = path === PACKAGE_JSON ? npmNameOf(folder) : pipNameOf(folder, text);
  const version = { version: FIRST_VERSION, description: '' };
  const edited = withIdentity(path, text, name === undefined ? version : { ...version, name });
  return edited === text ? change : { ...change, bytes: Buffer.from(edited) };
}

export const command = define({
  description:
    'Starts a project in a new folder from a foundation, with modules. On a terminal it asks for what the options leave open',
  input: Input,
  output: ChangeOutput,
  examples: [
    'new stackyard/express-api my-app --with stackyard/account',
    'new express-api shop --with better-auth,postgres,mail,jobs,auth-pages',
    'new  # asks for everything',
  ],
  run: async ({ foundation, folder, ...input }, shared, context) => {
    const asked = await askForProject({ foundation, folder }, shared, context);
    const [first = ''] = await fullIds([asked.foundation], 'foundation', shared, context);
    const words = input.with.filter((text) => text !== '');
    const modules = await fullIds(words, 'module', shared, context);
    const options = { ...shared, ...input, with: modules };
    return newProject(first, asked.folder, options, context);
  },
});
