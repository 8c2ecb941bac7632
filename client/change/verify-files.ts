/**
 * Of `verify`: compares the files of installed builds with the lock, and verifies what the lock proves about them. Needs
 * the registry only for files that differ; of yanks it knows what the cache has.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { integrityOf } from '../../format/archive/integrity.ts';
import { placedIntegrity, type Lock } from '../../format/project/lock.ts';
import { hasOnlyOtherLineEnds } from '../plan/file-removal.ts';
import { EDITED_FILES } from '../edit/edited-files.ts';
import { openConflicts } from '../project/open-conflicts.ts';
import { chooseProject } from '../project/choose-project.ts';
import { wiredDifferences, withoutWiredText } from '../project/wired-files.ts';
import { requireLock } from '../project/project.ts';
import { counted } from '../terminal/closing-sentence.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { keptLogs, withCached } from '../registry/open-registry.ts';
import { isComparable } from '../edit/compare/compare-sources.ts';
import { changedBuilds, findReformatted } from '../plan/reformatted-files.ts';
import { readShipped, type ShippedBuilds } from '../registry/fetch-builds.ts';
import { openProjectCode } from '../project/project-code.ts';
import { span, type Role, type StyledText } from '../terminal/styled-text.ts';
import { foldPaths } from '../terminal/file-lines.ts';
import type { MovedFile } from '../plan/moved-files.ts';
import { styleInstalled } from '../style/style-builds.ts';
import { buildsThatMoved, followMovedFiles } from './follow-moved-files.ts';
import { placeInstalled } from '../plan/place/place-builds.ts';
import { ClientError } from '../errors.ts';
import type { Warning } from '../plan/plan.ts';
import { advisoryNotes, installedHeads, yankedNotes } from '../registry/installed-notes.ts';
import { originOf } from '../../format/index/registry-info.ts';
import { lockedLogProblem } from '../registry/log/locked-log.ts';
import { statusAt } from '../project/read-file.ts';

interface Difference {
  readonly build: string;
  readonly path: string;
  readonly state: State;
  /** Only the line ends differ: CRLF instead of LF. */
  readonly line_ends?: true;
  /** The step whose text it is about. */
  readonly step?: number;
  /** Why it was compared by its bytes alone. */
  readonly why?: string;
}

type State = 'modified' | 'missing' | 'not-a-file' | 'conflict' | 'unwired';

/** How to keep the line ends of shipped files. */
const LINE_ENDS_HINT =
  'Line ends differ because git changed them: "* text=auto eol=lf" in .gitattributes keeps them';

interface Verified {
  /** Builds whose files are not as installed, or which the lock does not prove. */
  readonly differing: ReadonlySet<string>;
}

/**
 * Compares the lock with the disk. A file that is only reformatted or moved is no difference.
 * @throws {ClientError} `ERR_LOCK` when the lock is missing or unreadable
 */
export async function verify(
  options: GlobalOptions,
  context: CommandContext,
): Promise<Outcome & Verified> {
  const project = chooseProject(options);
  const recorded = requireLock(project);
  const warnings = await cachedNotes(options, recorded, context);
  const away = await readShipped(buildsThatMoved(project, recorded), options, recorded, context);
  const code = openProjectCode(project);
  const { lock, moved } = await followMovedFiles(project, recorded, away.builds, code);
  const found = compare(project, lock, await withoutWiredText(lock));
  const wired = await wiredDifferences(project, lock);
  const { checked } = found;
  const installed = Object.entries(lock.builds);
  const changed = changedBuilds(installed, found.contents);
  const shipped = await readShipped(
    installed.filter(([id]) => changed.has(id)),
    options,
    lock,
    context,
  );
  const compared = await withoutReformatted(found, project, lock, shipped, context.signal);
  const { reformatted } = compared;
  const differences: readonly Difference[] = [...compared.differences, ...wired];
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
  const text = [...movedLines(moved), ...reformattedLines(reformatted, options.verbose)];
  text.push(
    ...unproved.map(({ build, problem }) => [span('bad', 'unproved'), `  ${build}: ${problem}`]),
  );
  const differing = new Set([...differences, ...unproved].map(({ build }) => build));
  const closing = `Compared ${counted(checked, 'file')}`;
  if (differences.length === 0 && unproved.length === 0) {
    const but = Object.entries({ moved, reformatted })
      .filter(([, of]) => of.length > 0)
      .map(([what, of]) => `, ${what}: ${of.length}`)
      .join('');
    text.push([`builds: ${builds}, files: ${checked}, `, span('good', `all as installed${but}`)]);
    return { status: 'done', data, warnings, closing, text, differing };
  }
  for (const { state, path, build, line_ends, step } of differences) {
    const of = step === undefined ? '' : `  the text of step ${step}`;
    const note = line_ends === true ? '  only its line ends' : of;
    const owner = span('faint', `(${build})`);
    text.push([span(ROLES[state], state), '  ', span('path', path), '  ', owner, note]);
  }
  text.push([`files: ${checked}, `, span('bad', `different: ${differences.length}`)]);
  if (differences.some(({ line_ends }) => line_ends)) text.push(LINE_ENDS_HINT);
  const whys = new Set(differences.flatMap(({ why }) => why ?? []));
  text.push(...[...whys].map((why) => `Files may only be reformatted, which is unknown: ${why}`));
  return { status: 'different', data, warnings, closing, text, differing, ...error };
}

const ROLES: Readonly<Record<State, Role>> = {
  modified: 'changed',
  missing: 'removed',
  'not-a-file': 'bad',
  conflict: 'bad',
  unwired: 'removed',
};

function movedLines(moved: readonly MovedFile[]): StyledText[] {
  return moved.map(({ path, to, build }) => {
    const names = [span('path', path), ' -> ', span('path', to)];
    return [span('faint', 'moved'), '  ', ...names, '  ', span('faint', `(${build})`)];
  });
}

/** Where they are many, those of one build in one folder are one line. */
function reformattedLines(files: Compared['reformatted'], isVerbose: boolean): StyledText[] {
  const line = (path: string, build: string, count: number): StyledText => {
    const folded = count === 1 ? [] : ['  ', span('number', count), ' files'];
    const owner = span('faint', `(${build})`);
    return [span('faint', 'reformatted'), '  ', span('path', path), ...folded, '  ', owner];
  };
  if (isVerbose) return files.map(({ path, build }) => line(path, build, 1));
  return [...Map.groupBy(files, ({ build }) => build)].flatMap(([build, group]) =>
    foldPaths(group.map(({ path }) => path)).map(({ path, count }) => line(path, build, count)),
  );
}

interface Compared {
  readonly differences: readonly Difference[];
  readonly reformatted: readonly Pick<Difference, 'build' | 'path'>[];
}

/** Takes the files out of `found` whose formatting alone differs. */
async function withoutReformatted(
  { differences, contents }: Found,
  project: string,
  lock: Lock,
  { builds, problems }: ShippedBuilds,
  signal: AbortSignal,
): Promise<Compared> {
  const installed = Object.entries(lock.builds);
  const placed = await placeInstalled(lock, [...builds.values()], openProjectCode(project));
  const paths = await findReformatted(
    installed,
    contents,
    await styleInstalled(project, placed, lock, contents, signal),
  );
  const isReformatted = ({ path, state }: Difference): boolean =>
    state === 'modified' && paths.has(path);
  return {
    differences: differences
      .filter((difference) => !isReformatted(difference))
      .map((difference) => {
        const why = problems.get(difference.build);
        const isUnknown = contents.has(difference.path) && why !== undefined;
        return isUnknown && isComparable(difference.path) ? { ...difference, why } : difference;
      }),
    reformatted: differences.filter(isReformatted).map(({ build, path }) => ({ build, path })),
  };
}

interface Found {
  readonly differences: readonly Difference[];
  readonly checked: number;
  /** What the modified files hold, except those that only have other line ends. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

function compare(
  project: string,
  lock: Lock,
  withoutWiring: Awaited<ReturnType<typeof withoutWiredText>>,
): Found {
  const differences: Difference[] = [];
  const contents = new Map<string, Uint8Array>();
  const open = new Set(openConflicts(project, lock).map(({ path }) => path));
  let checked = 0;
  for (const [build, locked] of Object.entries(lock.builds)) {
    const { kind, files } = locked;
    for (const path of Object.keys(files)) {
      const integrity = placedIntegrity(locked, path) ?? '';
      checked += 1;
      const file = join(project, path);
      const found = stateOf(file, integrity, (bytes) => withoutWiring(path, bytes));
      const state = found === 'modified' && open.has(path) ? 'conflict' : found;
      // A package.json and similar files are meant to change: they only have to exist.
      const isProjects = kind === 'foundation' && EDITED_FILES.includes(path);
      if (isProjects && state === 'modified') continue;
      if (state === undefined) continue;
      const bytes = state === 'modified' ? readFileSync(file) : undefined;
      const isByLineEnds = bytes !== undefined && hasOnlyOtherLineEnds(bytes, integrity);
      if (bytes !== undefined && !isByLineEnds) contents.set(path, bytes);
      const entry = { build, path, state };
      differences.push(isByLineEnds ? { ...entry, line_ends: true } : entry);
    }
  }
  differences.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { differences, checked, contents };
}

function stateOf(
  file: string,
  integrity: string,
  read: (bytes: Uint8Array) => Uint8Array,
): State | undefined {
  const stats = statusAt(file);
  if (stats === undefined) return 'missing';
  if (!stats.isFile()) return 'not-a-file';
  const bytes = readFileSync(file);
  if (integrityOf(bytes) === integrity || integrityOf(read(bytes)) === integrity) return undefined;
  return 'modified';
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
    const { origin, address, log: policy } = registries[locked.registry]!;
    const kept = await logs.read(origin ?? originOf(address));
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
