/**
 * `new`: starts a project from a foundation. It is created in a folder beside the target, which is renamed
 * at the end: the project is complete or missing.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { makeRepository } from '../apply/first-commit.ts';
import { enterStep, firstSteps } from '../apply/first-steps.ts';
import { type Installed, installPackages } from '../apply/install-packages.ts';
import { makeNewFolder, removeAbandoned } from '../apply/new-folder.ts';
import { setUpCommands } from '../apply/packages.ts';
import { addReadme } from '../apply/project-readme.ts';
import type { Applied } from '../change/apply.ts';
import { findChecks, proved, withAgreed } from '../change/check.ts';
import {
  DATABASES,
  findAccounts,
  findFoundations,
  fittingEngines,
  modulesFor,
  PACKAGE_MANAGERS,
  type PackageManager,
  pickedIds,
  presentManagers,
  type StartedProject,
} from '../change/new-answers.ts';
import { addCompose, belowWeb, divideRequests, joinWeb, nameManager } from '../change/new-web.ts';
import {
  addModules,
  checkFolder,
  checkFoundation,
  fetchFoundation,
  joinPlans,
  type Place,
  putInPlace,
  startProject,
} from '../change/start-project.ts';
import { PACKAGE_JSON } from '../edit/edited-files.ts';
import { ClientError } from '../errors.ts';
import { WEB } from '../plan/foundation-texts.ts';
import { ChangeOutput, type FetchedBuild, type Plan } from '../plan/plan.ts';
import { type Question, questionsBefore } from '../plan/question.ts';
import { readLock } from '../project/project.ts';
import { followMoves } from '../search/follow-moves.ts';
import { openRegistries, withRegistry } from '../registry/open-registry.ts';
import { fullIds } from '../search/short-ids.ts';
import { type BuildRequest, formatRequest, parseRegistryRequest } from '../resolve/request.ts';
import { parseAge } from '../resolve/version-age.ts';
import { changedReport, plannedReport } from '../terminal/change-report.ts';
import { type GlobalOptions, nextLine, type Outcome, printWarnings } from '../terminal/command.ts';
import {
  allow,
  define,
  flag,
  install,
  minAge,
  oneBuild,
  prove,
  type RunContext,
} from '../terminal/options.ts';

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
  git: z.boolean().optional().meta({
    description: 'make a git repository with a first commit (default: yes, outside of one)',
    isNegatable: true,
  }),
  dryRun: flag('print what would be created and create nothing'),
  install,
  prove,
  minAge,
  allow,
});

type NewOptions = GlobalOptions & Omit<z.infer<typeof Input>, 'foundation' | 'folder'>;

/** @throws {ClientError} with nothing written, except `ERR_PACKAGES`, which the outcome carries */
async function newProject(
  foundation: string,
  folder: string,
  options: NewOptions,
  context: RunContext,
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
    const name = basename(project);
    const { signal } = context;
    const age = parseAge(options, Date.now());
    const place = { project: staging, registry, signal, allow: options.allow, age };
    const root = await start(place, name, first!, notes, context);
    const started = { project: staging, registry, lock: readLock(staging)! };
    // Who names modules has decided.
    const chosen = await chooseModules(options, started, context, modules.length === 0);
    const { modules: own, web } = await divideRequests([...modules, ...chosen], started);
    const added = await addModules(place, own);
    const ofRoot = joinPlans(root.plan, added?.plan);
    let plan = ofRoot;
    const builds = [...root.builds, ...(added?.builds ?? [])];
    if (web !== undefined) {
      const below = { ...place, project: join(staging, WEB) };
      mkdirSync(below.project);
      const [foundation, ...others] = web;
      const pages = await start(below, `${name}-${WEB}`, foundation, [], context);
      const more = await addModules(below, others);
      plan = joinPlans(plan, belowWeb(joinPlans(pages.plan, more?.plan)));
    }
    const manager = await chooseManager(options, existsSync(join(staging, PACKAGE_JSON)), context);
    if (manager !== undefined) plan = await nameManager(staging, manager, plan, signal);
    if (web !== undefined) plan = joinWeb(staging, manager, plan);
    plan = addCompose(staging, plan);
    plan = await addReadme(staging, name, plan);
    printWarnings(plan, context);
    const commands = await setUpCommands(staging);
    if (options.dryRun) {
      const checks = await findChecks(staging, plan, builds, options, context.canAsk);
      return inFolder(project, plannedReport({ plan, commands, checks }, options.verbose));
    }
    context.approve?.({ plan });
    await context.ask(questionsBefore(plan));
    putInPlace(staging, project);
    const ordered = { ...plan, builds: inRequestOrder(plan.builds, [first!, ...modules]) };
    const installed = await installPackages(project, commands, options.install, context);
    const problem = await makeRepository(project, options.git);
    if (problem !== undefined) context.terminal.warn(problem);
    const applied = await checked(project, ordered, builds, installed, options, context);
    const next = [enterStep(folder), ...installed.next];
    const done = changedReport(project, ordered, { ...applied, next }, options.verbose);
    const steps = await firstSteps(project, ofRoot);
    return inFolder(project, {
      ...done,
      next: [...(done.next ?? []), ...steps],
      text: [...done.text, ...steps.map(nextLine)],
    });
  } finally {
    if (staging !== undefined) rmSync(staging, { recursive: true, force: true });
    await registry.close();
  }
}

/** Writes a foundation, with the settings that the user wants. */
async function start(
  place: Place,
  name: string,
  first: BuildRequest,
  notes: Plan['warnings'],
  context: RunContext,
): Promise<Awaited<ReturnType<typeof startProject>>> {
  const fetched = await fetchFoundation(place, first, notes);
  const { settings: entries } = fetched;
  const question = { about: 'settings', id: first.id, entries } as const;
  const answer = entries.length === 0 ? '' : await answerTo(question, context);
  return startProject(place, name, fetched, answer === 'yes');
}

function inFolder(project: string, outcome: Outcome): Outcome {
  return { ...outcome, text: [`In ${JSON.stringify(project)}:`, ...outcome.text] };
}

/** The modules of the options, and of the answers to what they leave open. */
async function chooseModules(
  { database, accounts }: NewOptions,
  started: StartedProject,
  context: RunContext,
  isOpen: boolean,
): Promise<BuildRequest[]> {
  const asksUser = isOpen && context.canAsk && (database === undefined || accounts === undefined);
  if (!asksUser) return modulesFor(database, accounts === true, started);
  const engines = database === undefined ? await fittingEngines(started) : [];
  const typed = engines.length === 0 ? '' : await answerTo({ about: 'database', engines }, context);
  const engine = database ?? DATABASES.find((one) => one === typed) ?? 'none';
  const id = accounts === undefined ? (await findAccounts(engine, started))?.at(-1) : undefined;
  const wanted =
    accounts ??
    (id !== undefined && (await answerTo({ about: 'accounts', id }, context)) === 'yes');
  return modulesFor(engine, wanted, started);
}

/** The package manager of the project, where it has packages of npm; `undefined` leaves it to npm. @throws {ClientError} `ERR_USAGE` */
async function chooseManager(
  { packageManager }: NewOptions,
  hasPackages: boolean,
  context: RunContext,
): Promise<PackageManager | undefined> {
  if (packageManager !== undefined && !hasPackages) {
    throw new ClientError(
      'ERR_USAGE',
      'Option --package-manager is for projects with a package.json',
      { hint: 'leave it out: this foundation has none' },
    );
  }
  const names = packageManager === undefined ? presentManagers() : [packageManager];
  const isAsked = hasPackages && context.canAsk && names.length > 1;
  const chosen = isAsked ? await answerTo({ about: 'manager', names }, context) : packageManager;
  return PACKAGE_MANAGERS.find((name) => name !== 'npm' && name === chosen);
}

async function answerTo(question: Question, { ask }: RunContext): Promise<string> {
  const [answer] = await ask([question]);
  return answer?.text ?? '';
}

/** Checks the new project: there is nothing to compare it with. */
async function checked(
  project: string,
  plan: Plan,
  builds: readonly FetchedBuild[],
  installed: Installed,
  options: NewOptions,
  context: RunContext,
): Promise<Applied> {
  if (installed.error !== undefined || !options.install) return installed;
  const found = await findChecks(project, plan, builds, options, context.canAsk);
  if (found.note !== undefined) context.terminal.warn(found.note);
  const answers = await context.ask(found.open === undefined ? [] : [found.open.question]);
  const checks = await withAgreed(project, found, answers);
  return { ...installed, ...(await proved(project, checks, plan, undefined, context)) };
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

/** The foundation first, then the modules as the user named them, then what these require. */
function inRequestOrder(
  builds: Plan['builds'],
  requests: readonly { readonly id: string }[],
): Plan['builds'] {
  const asked = requests.flatMap(({ id }) => builds.filter((build) => build.id === id));
  return [...asked, ...builds.filter((build) => !asked.includes(build))];
}

export const command = define({
  description:
    'Starts a project in a new folder from a foundation, with modules. A terminal asks what the options leave open. Otherwise: the folder has the name of the foundation; files that steer agents, CI, editors and git are left out unless --allow names them; no database, no accounts; npm; a build that is rated dangerous is refused without --yes',
  input: Input,
  output: ChangeOutput,
  examples: [
    'new stackyard/express-api my-app --with stackyard/account',
    'new express-api shop --with better-auth,postgres,mail,jobs,auth-pages',
    'new  # asks for everything',
  ],
  run: async ({ foundation, folder, ...input }, shared, context) => {
    let named = foundation;
    if (named === undefined) {
      const builds = context.canAsk
        ? await withRegistry(shared, undefined, context, findFoundations, 'reading')
        : [];
      const [id = ''] = pickedIds(await answerTo({ about: 'foundation', builds }, context), builds);
      named = id;
    }
    const name = named.replace(/@.*$/s, '').split(/[/:]/).at(-1)!;
    const into = folder ?? (await answerTo({ about: 'folder', name }, context));
    const [first = ''] = await fullIds([named], 'foundation', shared, context);
    const words = input.with.filter((text) => text !== '');
    const modules = await fullIds(words, 'module', shared, context);
    return newProject(first, into, { ...shared, ...input, with: modules }, context);
  },
});
