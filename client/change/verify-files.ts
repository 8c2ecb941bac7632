/**
 * Of `verify`: compares the files of installed builds with the lock, and verifies what the lock proves about them. Needs
 * the registry only for files that differ; of yanks it knows what the cache has.
 */
import type { Lock } from '../../format/project/lock.ts';
import { chooseProject } from '../project/choose-project.ts';
import { wiredDifferences } from '../project/wired-files.ts';
import { requireLock } from '../project/project.ts';
import { counted } from '../terminal/closing-sentence.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { keptLogs, originIn, withCached } from '../registry/open-registry.ts';
import { isComparable } from '../edit/compare/compare-sources.ts';
import { readShipped } from './fetch-builds.ts';
import { span, type Role, type StyledText } from '../terminal/styled-text.ts';
import type { MovedFile } from '../plan/moved-files.ts';
import { ClientError } from '../errors.ts';
import type { Warning } from '../plan/plan.ts';
import { advisoryNotes, installedHeads, yankedNotes } from '../project/installed-notes.ts';
import { lockedLogProblem } from '../registry/check-log.ts';
import { type ChangedFile, compareInstalled } from './installed-files.ts';

interface Difference {
  readonly build: string;
  readonly path: string;
  readonly state: State;
  /** The step whose text it is about. */
  readonly step?: number;
  /** Why it was compared by its bytes alone. */
  readonly why?: string;
}

type State = Exclude<ChangedFile['state'], 'reformatted'> | 'unwired';

/** Each in a word, with what it is for the eye; in the order of the closing line. */
const WORDS: Readonly<Record<State, readonly [string, Role]>> = {
  missing: ['missing', 'bad'],
  'not-a-file': ['not a file', 'bad'],
  conflict: ['open conflict', 'bad'],
  modified: ['edited', 'changed'],
  unwired: ['edited', 'changed'],
};

interface Verified {
  /** Builds whose files are not as installed, or which the lock does not prove. */
  readonly differing: ReadonlySet<string>;
}

/**
 * Compares the lock with the disk. A file that is only reformatted or moved is no difference; one that the user edited is no fault.
 * @param isStrict whether it is
 * @throws {ClientError} `ERR_LOCK` when the lock is missing or unreadable
 */
export async function verify(
  options: GlobalOptions,
  context: CommandContext,
  isStrict = false,
): Promise<Outcome & Verified> {
  const project = chooseProject(options);
  const recorded = requireLock(project);
  const warnings = await cachedNotes(options, recorded, context);
  const { lock, moved, checked, changed } = await compareInstalled(project, recorded, {
    read: (builds) => readShipped(builds, options, recorded, context),
    signal: context.signal,
  });
  const namesOf = (files: readonly ChangedFile[]): Pick<ChangedFile, 'build' | 'path'>[] =>
    files.map(({ build, path }) => ({ build, path }));
  const reformatted = namesOf(changed.filter(({ state }) => state === 'reformatted'));
  const differences: readonly Difference[] = [
    ...changed.flatMap(differenceOf),
    ...(await wiredDifferences(project, lock)),
  ];
  const { unproved, ...error } = await lockedLogProblems(lock);
  const builds = Object.keys(lock.builds).length;
  const data = {
    builds,
    files: checked,
    differences,
    ...(unproved.length === 0 ? {} : { unproved }),
    ...(moved.length === 0 ? {} : { moved }),
    ...(reformatted.length === 0 ? {} : { reformatted }),
  };
  const faults = differences.filter(({ state }) => isStrict || WORDS[state][1] === 'bad');
  const differing = new Set([...faults, ...unproved].map(({ build }) => build));
  const counts = [
    ...[...new Set(Object.values(WORDS).map(([word]) => word))].map((word) => {
      return [word, differences.filter(({ state }) => WORDS[state][0] === word)] as const;
    }),
    ...Object.entries({ moved, reformatted }),
  ].flatMap(([what, of]) => (of.length === 0 ? [] : `${what}: ${of.length}`));
  const isAsInstalled = differences.length === 0 && unproved.length === 0;
  const closing = isAsInstalled ? ['all as installed', ...counts] : counts;
  const text: StyledText[] = [
    ...moved.map((file) => lineOf('moved', 'faint', file)),
    ...(options.verbose ? reformatted.map((file) => lineOf('reformatted', 'faint', file)) : []),
    ...unproved.map(({ build, problem }) => [span('bad', 'unproved'), `  ${build}: ${problem}`]),
    ...differences.map(({ state, path, build, step }): StyledText => {
      const of = step === undefined ? '' : `  the text of step ${step}`;
      return [...lineOf(...WORDS[state], { build, path }), of];
    }),
    [
      `builds: ${builds}, files: ${checked}`,
      ...closing.flatMap((one) => [', ', span(differing.size > 0 ? 'bad' : 'good', one)]),
    ],
  ];
  const whys = new Set(differences.flatMap(({ why }) => why ?? []));
  text.push(...[...whys].map((why) => `Files may only be reformatted, which is unknown: ${why}`));
  const status = differing.size > 0 ? 'different' : 'done';
  const sentence = `Compared ${counted(checked, 'file')}`;
  return { status, data, warnings, closing: sentence, text, differing, ...error };
}

function differenceOf({ build, path, state, problem }: ChangedFile): Difference[] {
  if (state === 'reformatted') return [];
  const isUnknown = problem !== undefined && isComparable(path);
  return [{ build, path, state, ...(isUnknown ? { why: problem.message } : {}) }];
}

function lineOf(
  word: string,
  role: Role,
  { build, path, to }: Pick<ChangedFile, 'build' | 'path'> & Partial<MovedFile>,
): Exclude<StyledText, string> {
  const place = to === undefined ? [] : [' -> ', span('path', to)];
  const owner = span('faint', `(${build})`);
  return [span(role, word), '  ', span('path', path), ...place, '  ', owner];
}

/** A warning for each, sorted by id. */
async function cachedNotes(
  options: GlobalOptions,
  lock: Lock,
  context: CommandContext,
): Promise<Warning[]> {
  try {
    return await withCached({ ...options, offline: true }, lock, context, async (registry) => {
      const heads = await installedHeads(registry, lock);
      return [...yankedNotes(lock, heads), ...advisoryNotes(lock, heads)];
    });
  } catch (error) {
    // The lock may name an address that no command would use: what is installed can be verified all the same.
    if (error instanceof ClientError) return [];
    throw error;
  }
}

const EDITED =
  'stackyard.lock.json was edited, or it has the proof of another registry: restore it from git, or remove the build and add it again';

/** The builds of the lock whose proof does not hold, sorted by id; those without a proof are left out. */
async function lockedLogProblems({ registries, builds }: Lock): Promise<{
  readonly unproved: readonly { readonly build: string; readonly problem: string }[];
  readonly error?: ClientError;
}> {
  const logs = keptLogs();
  const unproved: { build: string; problem: string }[] = [];
  let hint = EDITED;
  for (const [build, locked] of Object.entries(builds).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (locked.log === undefined) continue;
    const registry = registries[locked.registry]!;
    const { address, log: policy } = registry;
    const kept = await logs.read(originIn(registry));
    const former = kept?.former_keys?.find((key) => key === locked.log?.key);
    const problem = lockedLogProblem(build, locked, former ?? kept?.key ?? policy?.key);
    if (problem === undefined) continue;
    unproved.push({ build, problem });
    if (lockedLogProblem(build, locked, undefined) !== undefined) continue;
    hint = `"${locked.log.key}" proves it; if the registry announced another key: stackyard registry add ${locked.registry} ${address} --key <the key that its owner published elsewhere>; otherwise ${EDITED}`;
  }
  if (unproved.length === 0) return { unproved };
  const ids = unproved.map(({ build }) => `"${build}"`).join(', ');
  const problem = `The lock does not prove what it has of ${ids}`;
  return { unproved, error: new ClientError('ERR_LOG', problem, { hint }) };
}
