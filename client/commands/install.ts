/** `install`: restores missing files of the lock and installs packages, such as after a clone. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  allow,
  define,
  install as runInstall,
  flag,
  type RunContext,
} from '../terminal/options.ts';
import { ConsentOutput } from '../plan/plan.ts';
import { ClientError } from '../errors.ts';
import { fileLines } from '../terminal/file-lines.ts';
import { nextLine, printWarnings, type GlobalOptions, type Outcome } from '../terminal/command.ts';
import { applyChanges } from '../apply/transaction.ts';
import { setUpCommands } from '../apply/packages.ts';
import { lockChange } from '../plan/lock.ts';
import { isJson, requireLock, takeSnapshot } from '../project/project.ts';
import { installPackages } from '../apply/install-packages.ts';
import { openProject } from '../apply/open-project.ts';
import { withRegistry } from '../registry/open-registry.ts';
import type { Lock } from '../../format/project/lock.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { fetchShipped } from '../change/fetch-builds.ts';
import { type ChangedFile, compareInstalled, restoringChanges } from '../change/installed-files.ts';
import { dangerNotes, installedHeads } from '../project/installed-notes.ts';
import { consentLines, restoredConsent } from '../plan/consent.ts';
import { questionsBefore } from '../plan/question.ts';
import type { Registries } from '../registry/registries.ts';
import { satisfies } from '../../format/version/semver-range.ts';
import { PACKAGE_JSON } from '../edit/edited-files.ts';

const Input = z.object({
  frozen: flag('fail when the lock does not match the project'),
  dryRun: flag('print what is missing and write nothing'),
  install: runInstall,
  allow,
});

type InstallOptions = GlobalOptions & z.infer<typeof Input>;

/** @throws {ClientError} `ERR_LOCK` when `frozen` and the lock does not match the project */
export async function install(options: InstallOptions, context: RunContext): Promise<Outcome> {
  const { project, close } = await openProject(options, context.terminal.warn);
  try {
    const lock = requireLock(project);
    const problems = [...requirementProblems(lock), ...packageProblems(project, lock)];
    if (options.frozen) {
      if (!isJson(readFileSync(join(project, LOCK_FILE)))) problems.push('a merge of it is open');
    }
    if (options.frozen && problems.length > 0) {
      throw new ClientError(
        'ERR_LOCK',
        `The lock does not match the project: ${problems.join('; ')}`,
        { hint: 'run "stackyard verify" where the change was made, correct it, and commit both' },
      );
    }
    for (const problem of problems) context.terminal.warn(problem);
    const restore = (registry: Registries) =>
      planRestore(project, lock, registry, options.allow, context.signal);
    const missing = await withRegistry(options, lock, context, restore, 'pinned');
    const paths = missing?.changes.map(({ path }) => path) ?? [];
    const restored = paths.map((path) => ({ mark: '+', path }));
    if (missing !== undefined) printWarnings(missing, context);
    const text = fileLines(restored, options.verbose);
    const consent = missing?.consent ?? [];
    const data = { project, restored: paths, ...(consent.length === 0 ? {} : { consent }) };
    const commands = await setUpCommands(project);
    if (options.dryRun) {
      return {
        status: 'planned',
        data,
        text: [...text, ...consentLines({ consent }), 'Nothing was written: this was a dry run'],
      };
    }
    if (missing !== undefined) {
      await context.ask(questionsBefore(missing));
      await applyChanges(project, missing.changes, missing.commit, { signal: context.signal });
    }
    const isUnited = missing?.isUnited === true;
    if (isUnited) text.push(`${LOCK_FILE}: both sides of the merge are united`);
    const summary =
      paths.length === 0 ? 'Every file is there' : `Files brought back: ${paths.length}`;
    const { next, error } = await installPackages(project, commands, options.install, context);
    return {
      status:
        error !== undefined ? 'error' : missing === undefined && !options.install ? 'noop' : 'done',
      data,
      next,
      text: [...text, summary, ...next.map(nextLine)],
      ...(error === undefined ? {} : { error }),
    };
  } finally {
    await close();
  }
}

/**
 * Fetches the missing files, at the versions and digests of the lock, so that a yanked version is restored too. The
 * lock is untrusted: a file goes only where a build may write, and what programs run or read by themselves, or the
 * registry rates as dangerous, needs a yes. What the user moved is not missing.
 * @returns the changes, with the lock as commit, which changes only after a merge, and what of them needs a yes; `undefined` when
 * nothing is missing
 * @throws {ClientError} `ERR_LOCK` when the lock and the build differ, and those of the registry
 */
async function planRestore(
  project: string,
  recorded: Lock,
  registry: Registries,
  allow: readonly string[],
  signal: AbortSignal,
) {
  const isMissing = ({ state }: ChangedFile): boolean => /^(?:missing|not-a-file)$/.test(state);
  const found = await compareInstalled(project, recorded, {
    read: (builds) => fetchShipped(registry, builds),
    needsText: isMissing,
    signal,
  });
  const missing = found.changed.filter(isMissing);
  const bytes = (await takeSnapshot(project, [LOCK_FILE])).project.get(LOCK_FILE)!;
  const isUnited = !isJson(bytes);
  if (missing.length === 0 && !isUnited) return undefined;
  const { changes, restored } = restoringChanges(missing, found);
  const consent = restoredConsent(restored, allow);
  const builds = Object.fromEntries(restored.map(({ id }) => [id, found.lock.builds[id]!]));
  const warnings = dangerNotes({ builds }, await installedHeads(registry, { builds }));
  const commit = lockChange(bytes, recorded);
  return { changes, commit: isUnited ? commit : { ...commit, bytes }, isUnited, consent, warnings };
}

export const command = define({
  description: 'Restores missing files of installed builds, and installs packages',
  input: Input,
  output: z.looseObject({
    project: z.string(),
    restored: z.array(z.string()),
    consent: ConsentOutput,
  }),
  examples: ['install --frozen -C my-app'],
  elsewhere: 'add',
  run: (input, shared, context) => install({ ...shared, ...input }, context),
});

/** One line for each required build that is missing or out of range. */
function requirementProblems({ builds }: Lock): string[] {
  return Object.entries(builds).flatMap(([id, build]) =>
    Object.entries(build.builds).flatMap(([required, range]) => {
      const version = builds[required]?.version;
      if (version === undefined)
        return [`"${id}" requires "${required}", which is not in the lock`];
      if (satisfies(version, range)) return [];
      return [`"${id}" requires "${required}" ${range}, and the lock has ${version}`];
    }),
  );
}

/** One line for each package that is not declared. */
function packageProblems(project: string, { builds }: Lock): string[] {
  const file = join(project, PACKAGE_JSON);
  if (!existsSync(file)) return [];
  const named = namesIn(readFileSync(file, 'utf8'));
  if (named === undefined) return [`"${PACKAGE_JSON}" cannot be read`];
  return Object.entries(builds).flatMap(([id, { npm }]) =>
    Object.keys(npm)
      .filter((name) => !named.has(name))
      .map(
        (name) => `"${id}" needs the package "${name}", which "${PACKAGE_JSON}" does not declare`,
      ),
  );
}

function namesIn(text: string): Set<string> | undefined {
  try {
    const value = JSON.parse(text.replace(/^\uFEFF/, '')) as Record<string, object | undefined>;
    const tables = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
    return new Set(tables.flatMap((table) => Object.keys(value[table] ?? {})));
  } catch {
    return undefined;
  }
}
