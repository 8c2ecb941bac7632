/** `doctor`: finds problems of this project and machine, and how to fix them. */
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { define } from '../terminal/options.ts';
import { StackyardError } from '../../format/errors.ts';
import type { Manifest } from '../../format/build/manifest.ts';
import type { Lock } from '../../format/project/lock.ts';
import { readJournal } from '../apply/journal.ts';
import { abandonedFolders } from '../apply/new-folder.ts';
import { projectLockHolder } from '../apply/project-lock.ts';
import { hasWorkFolder } from '../apply/work-folder.ts';
import { cacheFolder } from '../project/cache-folder.ts';
import { nodeCommand } from '../apply/packages.ts';
import { chooseProject } from '../project/choose-project.ts';
import {
  markedEnvFiles,
  requiredVariables,
  unsetVariables,
} from '../project/required-variables.ts';
import { PACKAGE_JSON } from '../edit/edited-files.ts';
import { isOnPath } from '../project/find-program.ts';
import { readLock } from '../project/project.ts';
import { nodeInUse } from '../project/stack/node-in-use.ts';
import type { Registries } from '../registry/registries.ts';
import { readStack } from '../project/stack/read-stack.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { span } from '../terminal/styled-text.ts';
import { withRegistry } from '../registry/open-registry.ts';
import { verify } from '../change/verify-files.ts';
import {
  advisoryNotes,
  installedHeads,
  pinNotes,
  yankedNotes,
} from '../project/installed-notes.ts';

const Check = z.strictObject({
  name: z.string(),
  state: z.enum(['ok', 'note', 'problem']),
  message: z.string(),
  fix: z.string().describe('A command or what to do; empty when there is nothing.'),
});
type Check = z.infer<typeof Check>;

const MARKS = {
  ok: span('good', 'ok      '),
  note: span('changed', 'note    '),
  problem: span('bad', 'problem '),
} as const;
/** Any id shows whether a registry answers. */
const SOME_BUILD = 'stackyard/stackyard';

/** @throws {ClientError} `ERR_USAGE`, `ERR_NO_PROJECT`; every other problem is part of the outcome */
export async function doctor(options: GlobalOptions, context: CommandContext): Promise<Outcome> {
  const project = chooseProject(options);
  const { check: lockCheck, lock } = checkLock(project);
  const checks = [
    await checkNode(project),
    checkFolder(project),
    checkCache(),
    ...(await checkManager(project)),
    await checkStack(project),
    ...(await checkRuns(project)),
    ...markedEnvFiles(project).map((name) => {
      const message = `${name} begins with a byte order mark: its first variable is not set`;
      return problem('variables', message, `save ${name} as UTF-8 without the mark`);
    }),
    ...(await checkAbandoned(project)),
    lockCheck,
    ...(lock === undefined ? [] : await checkFiles(options, context)),
    ...(await checkRegistry(project, lock, options, context)),
  ];
  const isWell = checks.every(({ state }) => state !== 'problem');
  return {
    status: isWell ? 'done' : 'different',
    data: { checks },
    text: checks.map(({ name, state, message, fix }) => {
      const way = fix === '' ? [] : ['; ', span('command', fix)];
      return [MARKS[state], ` ${name}: ${message}`, ...way];
    }),
  };
}

function ok(name: string, message: string): Check {
  return { name, state: 'ok', message, fix: '' };
}

function note(name: string, message: string, fix = ''): Check {
  return { name, state: 'note', message, fix };
}

function problem(name: string, message: string, fix: string): Check {
  return { name, state: 'problem', message, fix };
}

/** The project may run on another Node.js than the client. */
async function checkNode(project: string): Promise<Check> {
  const own = process.versions.node;
  const found = await nodeInUse(project);
  return ok(
    'node',
    found === own ? `Node.js ${own}` : `Node.js ${found}; stackyard runs on ${own}`,
  );
}

function checkFolder(project: string): Check {
  try {
    accessSync(project, constants.W_OK);
    return ok('folder', `"${project}" can be written`);
  } catch {
    return problem('folder', `"${project}" cannot be written`, 'allow yourself to write there');
  }
}

/** The files that declare the stack must be readable. */
async function checkStack(project: string): Promise<Check> {
  try {
    return ok('stack', `stack tags: ${(await readStack(project, await nodeInUse(project))).size}`);
  } catch (error) {
    return problemOf('stack', error);
  }
}

/** The nearest existing folder of the cache must be writable. */
function checkCache(): Check {
  const name = 'cache';
  const cache = cacheFolder(process.env);
  if (cache === undefined) {
    return note(name, 'There is no folder for the cache', 'set STACKYARD_CACHE to a folder');
  }
  let folder = cache;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
    return ok(name, `"${cache}" can be written`);
  } catch {
    const message = `"${cache}" cannot be written: everything is downloaded each time`;
    return problem(name, message, 'set STACKYARD_CACHE to another folder');
  }
}

async function checkManager(project: string): Promise<Check[]> {
  if (!existsSync(join(project, PACKAGE_JSON))) return [];
  const { program } = await nodeCommand(project);
  const name = 'package-manager';
  if (isOnPath(program)) return [ok(name, `${program} is on the path`)];
  const message = `${program}, which the project uses, is not on the path`;
  return [problem(name, message, `install ${program}, or use --no-install`)];
}

/** Other running commands, and interrupted ones. */
async function checkRuns(project: string): Promise<Check[]> {
  const name = 'runs';
  try {
    if (!(await hasWorkFolder(project))) return [ok(name, 'no other run, none interrupted')];
    const holder = await projectLockHolder(project);
    if (holder !== undefined) return [note(name, holder)];
    if ((await readJournal(project)) === undefined) return [ok(name, 'no other run')];
  } catch (error) {
    return [problemOf(name, error)];
  }
  const message = 'A run was interrupted; the next command that changes the project recovers it';
  return [problem(name, message, 'stackyard install --no-install')];
}

/** What a killed "new" left in the project or beside it. */
async function checkAbandoned(project: string): Promise<Check[]> {
  const found = await Promise.all(
    [dirname(project), project].map(async (parent) => {
      return (await abandonedFolders(parent)).map((name) => join(parent, name));
    }),
  );
  return found.flat().map((folder) => {
    const fix = 'the next "stackyard new" there removes it; or delete it';
    return note('runs', `An interrupted "new" left "${folder}"`, fix);
  });
}

function checkLock(project: string): { check: Check; lock?: Lock } {
  try {
    const lock = readLock(project);
    if (lock === undefined) return { check: ok('lock', 'no build is installed yet') };
    const count = Object.keys(lock.builds).length;
    return { check: ok('lock', `builds: ${count}`), lock };
  } catch (error) {
    return { check: problemOf('lock', error) };
  }
}

async function checkFiles(options: GlobalOptions, context: CommandContext): Promise<Check[]> {
  const silent = { ...context.terminal, warn: () => {} };
  const { data } = await verify(options, { ...context, terminal: silent });
  const { differences } = data as { differences: { path: string; state: string }[] };
  const isEdited = ({ state }: { state: string }): boolean => /^(?:modified|unwired)$/.test(state);
  const listed = (some: typeof differences): string => some.map(({ path }) => path).join(', ');
  const edited = listed(differences.filter(isEdited));
  const open = listed(differences.filter(({ state }) => state === 'conflict'));
  const lost = listed(differences.filter((one) => !isEdited(one) && one.state !== 'conflict'));
  if (differences.length === 0) return [ok('files', 'all as installed')];
  return [
    ...(edited === '' ? [] : [note('files', `edited since they were placed: ${edited}`)]),
    ...(open === '' ? [] : [problem('files', `open conflicts: ${open}`, 'stackyard resolve')]),
    ...(lost === ''
      ? []
      : [problem('files', `missing or not a file: ${lost}`, 'stackyard install')]),
  ];
}

async function checkRegistry(
  project: string,
  lock: Lock | undefined,
  options: GlobalOptions,
  context: CommandContext,
): Promise<Check[]> {
  const name = 'registry';
  try {
    return await withRegistry(options, lock, context, async (registry) => {
      const checks = registry.isSeveral
        ? await checkEach(registry, lock)
        : [ok(name, await answering(registry, lock))];
      const versions = lock === undefined ? [] : await versionChecks(registry, lock);
      const variables = await installedManifests(registry, lock).then(
        (manifests) => checkVariables(project, requiredVariables(manifests)),
        (error: unknown) => [problemOf(name, error)],
      );
      return [...checks, ...versions, ...variables];
    });
  } catch (error) {
    return [problemOf(name, error)];
  }
}

/** Contacts the only registry, also without installed builds. */
async function answering(registries: Registries, lock: Lock | undefined): Promise<string> {
  await registries.checkInstalled();
  if (Object.keys(lock?.builds ?? {}).length === 0) await registries.head(SOME_BUILD);
  return `${registries.defaultRegistry.base} answers`;
}

async function checkEach(registries: Registries, lock: Lock | undefined): Promise<Check[]> {
  const checks = registries.all.map(async (entry): Promise<Check[]> => {
    const { name, isLocked } = entry;
    const builds = Object.entries(lock?.builds ?? {});
    const own = builds.filter(([, { registry }]) => registry === name).map(([id]) => id);
    if (!isLocked) return [];
    try {
      await registries.checked(entry);
      await entry.registry.checkInstalled(own);
      return [ok('registry', `"${name}", ${entry.registry.base}, answers`)];
    } catch (error) {
      return [problemOf('registry', error)];
    }
  });
  return (await Promise.all(checks)).flat();
}

/** The manifests of installed builds of registries that answer. */
async function installedManifests(
  registry: Registries,
  lock: Lock | undefined,
): Promise<Manifest[]> {
  await registry.checkInstalled().catch((error: unknown) => {
    // Reported by the check of the registry.
    if (!registry.isSeveral || !(error instanceof StackyardError)) throw error;
  });
  const installed = Object.entries(lock?.builds ?? {}).filter(
    ([id]) => !registry.down.has(registry.entryOf(id).name),
  );
  const documents = installed.map(([id, { version }]) => registry.version(id, version));
  return (await Promise.all(documents)).flatMap((document) => document?.manifest ?? []);
}

function checkVariables(project: string, required: ReturnType<typeof requiredVariables>): Check[] {
  if (required.length === 0) return [];
  const name = 'variables';
  const { needed, later } = unsetVariables(project, required);
  if (needed.length + later.length === 0) {
    return [ok(name, `set: ${required.map((one) => one.name).join(', ')}`)];
  }
  const [now, inProduction] = [needed, later].map((names) => names.join(', '));
  return [
    ...(needed.length === 0
      ? []
      : [problem(name, `required and not set: ${now}`, 'set them in .env')]),
    ...(later.length === 0
      ? []
      : [note(name, `not set, and required in production: ${inProduction}`)]),
  ];
}

function problemOf(name: string, error: unknown): Check {
  if (!(error instanceof StackyardError)) throw error;
  return problem(name, error.message, error.hint ?? '');
}

/** One check for each remark; none when there is nothing to report. */
async function versionChecks(registry: Registries, lock: Lock): Promise<Check[]> {
  const heads = await installedHeads(registry, lock);
  const name = 'versions';
  const newer = 'stackyard outdated shows the newer ones';
  return [
    ...advisoryNotes(lock, heads).map(({ message }) =>
      problem(name, message, 'stackyard outdated'),
    ),
    ...yankedNotes(lock, heads).map(({ message }) => note(name, message, newer)),
    ...pinNotes(lock, heads).map(({ message }) => note(name, message)),
  ];
}

export const command = define({
  description:
    'Checks Node.js, the registry, the lock and its files, variables, and interrupted runs; exit status 10 when there is a problem',
  input: z.object({}),
  output: z.strictObject({ checks: z.array(Check) }),
  examples: ['doctor -C my-app --json'],
  run: (_input, shared, context) => doctor(shared, context),
});
