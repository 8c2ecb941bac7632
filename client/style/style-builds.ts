/**
 * Brings the files of builds into the style of a project, after they have their place: new files as they will be written, and
 * installed ones as they would have been, so that what is left of a difference is what a person changed.
 */
import { integrityOf } from '../../format/archive/integrity.ts';
import { type Lock, type LockedBuild, placedIntegrity } from '../../format/project/lock.ts';
import { joinHeader, splitHeader } from '../edit/linter-header.ts';
import { tryDecodeText } from '../edit/project-file.ts';
import { type Target, targetsOf } from '../plan/files.ts';
import type { BuildFile, FetchedBuild, Warning } from '../plan/plan.ts';
import { agreedFixers } from './decide-style.ts';
import type { Fixer } from './fixers.ts';
import type { StyledFile } from '../plan/project-view.ts';
import type { FixLimits, runFixers } from './run-fixers.ts';

interface StyledBuilds {
  readonly builds: readonly FetchedBuild[];
  readonly bases: ReadonlyMap<string, FetchedBuild>;
  readonly warnings: readonly Warning[];
}

/** What the style of the project is made with. */
interface Styling {
  readonly fixers: readonly Fixer[];
  readonly installed: ReadonlyMap<string, LockedBuild>;
  readonly present: ReadonlyMap<string, Uint8Array>;
  readonly signal: AbortSignal;
  readonly limits?: FixLimits;
}

/**
 * @param builds at their places in the project
 * @param bases the installed versions at theirs; only files that differ from what was placed are compared
 * @throws what `signal` is aborted with
 */
export async function styleBuilds(
  project: string,
  { builds, bases }: Pick<StyledBuilds, 'builds' | 'bases'>,
  { fixers, installed, present, signal, limits }: Styling,
): Promise<StyledBuilds> {
  const unchanged = { builds, bases, warnings: [] };
  if (fixers.length === 0) return unchanged;
  const isFixed = ({ path, file }: Target): boolean =>
    fixers.some(({ files }) => files.test(path)) && tryDecodeText(file.bytes) !== undefined;
  const coming = targetsOf(builds).filter(isFixed);
  const old = targetsOf([...bases.values()]).filter((one) => {
    const locked = installed.get(one.build.id);
    const ours = present.get(one.path);
    const isThere = locked !== undefined && ours !== undefined && tryDecodeText(ours) !== undefined;
    return isThere && integrityOf(ours) !== placedIntegrity(locked, one.path) && isFixed(one);
  });
  const batches = [old, coming].map(
    (files) => new Map(files.map((one) => [one.path, tryDecodeText(one.file.bytes)!])),
  );
  if (coming.length + old.length === 0) return unchanged;
  const ran = await runOnce(project, fixers, batches, signal, limits);
  if ('problem' in ran) {
    const message = `The files of builds stay as they were shipped, not in the style of the project: ${ran.problem}`;
    return { ...unchanged, warnings: [{ code: 'style-failed', message, path: '' }] };
  }
  const [before, after] = ran.styled;
  const stages = new Map<string, number>();
  const nextBases = new Map(bases);
  for (const { build, from, file, path } of old) {
    const styled = before!.get(path)!;
    const ours = splitHeader(tryDecodeText(present.get(path)!)!);
    const stage = nearestStage(styled, ours.body);
    stages.set(`${build.id} ${from}`, stage);
    const text = joinHeader(ours.header, splitHeader(styled.stages[stage]!).body);
    const base = nextBases.get(build.id)!;
    nextBases.set(build.id, withFile(base, from, withText(file, text)));
  }
  const nextBuilds = new Map(builds.map((build) => [build.id, build]));
  for (const { build, from, file, path } of coming) {
    const { stages: texts, header } = after!.get(path)!;
    const stage = stages.get(`${build.id} ${from}`) ?? texts.length - 1;
    const isLast = stage === texts.length - 1;
    const text = isLast ? joinHeader(header, texts[stage]!) : texts[stage]!;
    const own = isLast && header !== '' ? { header: header.trim() } : {};
    nextBuilds.set(
      build.id,
      withFile(nextBuilds.get(build.id)!, from, { ...withText(file, text), ...own }),
    );
  }
  const style = coming.length === 0 ? {} : ({ style: 'project' } as const);
  return {
    builds: [...nextBuilds.values()].map((build) => ({ ...build, ...style })),
    bases: nextBases,
    warnings: unreadWarnings(ran.unread),
  };
}

/**
 * Installed builds as the fixers would have placed them to which the user has agreed; by id.
 * @throws what `signal` is aborted with
 */
export async function styleInstalled(
  project: string,
  placed: readonly FetchedBuild[],
  lock: Lock,
  present: ReadonlyMap<string, Uint8Array>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FetchedBuild>> {
  const bases = new Map(placed.map((build) => [build.id, build]));
  if (bases.size === 0) return bases;
  const fixers = await agreedFixers(project);
  const installed = new Map(Object.entries(lock.builds));
  return (await styleBuilds(project, { builds: [], bases }, { fixers, installed, present, signal }))
    .bases;
}

/** No comment helps: the linter is set to an older version of the language. */
function unreadWarnings(paths: readonly string[]): Warning[] {
  const [path] = paths;
  if (path === undefined) return [];
  const others = paths.length === 1 ? '' : ` and ${paths.length - 1} more of builds`;
  const message = `The linter of the project cannot read ${path}${others}: set it to a newer version of the language, or have it ignore them`;
  return [{ code: 'style-unread', message, path }];
}

function withFile(build: FetchedBuild, from: string, file: BuildFile): FetchedBuild {
  return { ...build, files: new Map([...build.files, [from, file]]) };
}

/** The lock keeps the digest of the shipped file, and has that of the placed one beside it. */
function withText(file: BuildFile, text: string): BuildFile {
  const bytes = Buffer.from(text);
  if (Buffer.compare(bytes, file.bytes) === 0) return file;
  const { shipped = integrityOf(file.bytes), imports = [] } = file.rewrite ?? {};
  return { ...file, bytes, rewrite: { shipped, imports } };
}

/** The stage that has most lines of `body`, the last of several: a user may run one fixer and not the others. */
function nearestStage({ stages }: StyledFile, body: string): number {
  const lines = new Set(body.split('\n'));
  const shared = stages.map((text) => {
    if (splitHeader(text).body === body) return Number.POSITIVE_INFINITY;
    const own = splitHeader(text).body.split('\n');
    return own.filter((line) => lines.has(line)).length / own.length;
  });
  return shared.lastIndexOf(Math.max(...shared));
}

const done = new Map<string, ReturnType<typeof runFixers>>();

/** A plan is drafted again after each answer about a file in the way. */
async function runOnce(...of: Parameters<typeof runFixers>): ReturnType<typeof runFixers> {
  const { runFixers } = await import('./run-fixers.ts');
  const [project, fixers, batches] = of;
  const input = [project, fixers.map(({ program }) => program), batches.map((batch) => [...batch])];
  const key = integrityOf(Buffer.from(JSON.stringify(input)));
  const result = done.get(key) ?? runFixers(...of);
  done.set(key, result);
  return result;
}
