/**
 * What wiring writes in the style of a project: files that it creates as files of builds are; in files of the user the lines that it puts
 * in, only where the file had that style before and every other line stays. A removal must find the user's file again.
 */
import { diffArrays } from 'diff';
import type { Lock, LockedWiring } from '../../format/project/lock.ts';
import { joinHeader } from '../edit/linter-header.ts';
import type { Warning } from '../plan/plan.ts';
import type { PlannedWiring } from '../plan/planned-entries.ts';
import { findWired } from '../wire/find-wired.ts';
import { withoutWiring } from '../wire/take-out-entries.ts';
import type { Fixer } from './fixers.ts';
import { runFixers, type StyledFile, type Texts } from './run-fixers.ts';

interface WiredTexts {
  /** The files that steps create, as they are written for the project. */
  readonly created: Texts;
  readonly wired: PlannedWiring;
  /** Files of the project before the steps. */
  readonly read: (path: string) => string | undefined;
  /** What the change places beside them. */
  readonly around: Texts;
}

/** The texts of a change in the style of the project, before they are put in. */
export interface WiringStyle {
  /** By path, with the comment for linters. */
  readonly created: Texts;
  /** Of files of the user: before and after. */
  readonly edited: ReadonlyMap<string, readonly [StyledFile, StyledFile]>;
  readonly warnings: readonly Warning[];
}

/** Runs the fixers. @throws what `signal` is aborted with */
export async function findWiringStyle(
  project: string,
  fixers: readonly Fixer[],
  { created, wired, read, around }: WiredTexts,
  signal: AbortSignal,
): Promise<WiringStyle> {
  const isFixed = (path: string): boolean => fixers.some(({ files }) => files.test(path));
  const after = new Map([...created].filter(([path]) => isFixed(path)));
  const before = new Map<string, string>();
  for (const [path, text] of wired.files) {
    const old = read(path);
    if (text === undefined || old === undefined || created.has(path) || !isFixed(path)) continue;
    before.set(path, old);
    after.set(path, text);
  }
  const none = { created: new Map<string, string>(), edited: new Map(), warnings: [] };
  if (after.size === 0) return none;
  const ran = await runFixers(project, fixers, [before, after], signal, undefined, around);
  if ('problem' in ran) {
    const message = `What the guides write stays as it was shipped, not in the style of the project: ${ran.problem}`;
    return { ...none, warnings: [{ code: 'style-failed', message, path: '' }] };
  }
  const [old, now] = ran.styled;
  const texts = [...created.keys()].flatMap((path) => {
    const styled = now!.get(path);
    const text = styled?.stages.at(-1);
    return text === undefined ? [] : [[path, joinHeader(styled!.header, text)] as const];
  });
  const edited = [...before.keys()].map(
    (path) => [path, [old!.get(path)!, now!.get(path)!]] as const,
  );
  return { created: new Map(texts), edited: new Map(edited), warnings: [] };
}

/** `wired` with the lines that it puts into files of the user in their style. @param lock before the change */
export function withEditedStyle(
  wired: PlannedWiring,
  edited: WiringStyle['edited'],
  lock: Lock | undefined,
): { readonly wired: PlannedWiring; readonly warnings: readonly Warning[] } {
  const files = new Map(wired.files);
  const locked = new Map(wired.locked);
  const warnings: Warning[] = [];
  for (const [path, [before, after]] of edited) {
    const text = files.get(path);
    const styled = after.stages.at(-1);
    const isUsual = before.stages.at(-1) === before.stages[0];
    const leave = (why: string): void => {
      const message = `${path}: the lines of the guides stay as they were shipped, as ${why}: the linter of the project may report them`;
      warnings.push({ code: 'style-wiring', message, path });
    };
    if (text === undefined || styled === undefined || text !== after.stages[0]) continue;
    if (after.header !== before.header) {
      const message = `${path}: the linter of the project reports the lines of the guides, and no fix of it changes that`;
      warnings.push({ code: 'style-wiring', message, path });
    }
    if (styled === text) continue;
    if (!isUsual) {
      leave('the file is not in the style of the project itself');
      continue;
    }
    const known = new Map<string, readonly LockedWiring[] | undefined>(
      Object.entries(lock?.builds ?? {}).map(([id, { wiring }]) => [id, wiring]),
    );
    for (const [id, entries] of locked) known.set(id, entries);
    const own = [...known.values()]
      .flatMap((entries) => entries ?? [])
      .filter((one) => one.file === path);
    const next = inStyled(text, styled, own);
    if (next === undefined) {
      leave('their style would change other lines of the file');
      continue;
    }
    files.set(path, styled);
    for (const [id, entries] of known) {
      if (entries?.some((one) => next.has(one)) !== true) continue;
      locked.set(
        id,
        entries.map((one) => next.get(one) ?? one),
      );
    }
  }
  return { wired: { ...wired, files, locked }, warnings };
}

/** The entries of a file as they are in `styled`; `undefined` where without them it is not what `text` is without them. */
function inStyled(
  text: string,
  styled: string,
  all: readonly LockedWiring[],
): ReadonlyMap<LockedWiring, LockedWiring> | undefined {
  // A file that a step created is there without what others put into it.
  const entries = all.filter(({ verb }) => verb !== 'file');
  const user = withoutWiring(text, entries);
  if (user === undefined) return undefined;
  const runs = insertedRuns(user, styled);
  const found = entries
    .filter(({ action }) => action !== 'kept')
    .map((entry) => ({ entry, place: findWired(styled, entry) }))
    .sort((a, b) => (a.place?.core.start ?? 0) - (b.place?.core.start ?? 0));
  const next = new Map<LockedWiring, LockedWiring>();
  let taken = 0;
  for (const [at, { entry, place }] of found.entries()) {
    if (place === undefined) return undefined;
    const { core, cut } = place;
    const run = runs.find(({ start, end }) => start <= core.start && core.end <= end);
    let { start, end } = cut;
    if (run !== undefined) {
      // The run is shared by what is put in beside each other: each has what is in front of it.
      const following = found[at + 1]?.place?.core.start ?? Infinity;
      start = Math.max(run.start, taken);
      end = following < run.end ? styled.indexOf('\n', core.end) + 1 : run.end;
      taken = end;
    }
    next.set(entry, { ...entry, text: styled.slice(start, end) });
  }
  const again = entries.map((entry) => next.get(entry) ?? entry);
  return withoutWiring(styled, again) === user ? next : undefined;
}

/** Whole lines of `text` that `base` does not have, in runs. */
function insertedRuns(
  base: string,
  text: string,
): { readonly start: number; readonly end: number }[] {
  const lines = (all: string): string[] => all.split(/(?<=\n)/);
  const runs: { start: number; end: number }[] = [];
  let at = 0;
  const parts = diffArrays(lines(base), lines(text));
  for (const [index, { added, removed, value }] of parts.entries()) {
    if (removed) continue;
    const { length } = value.join('');
    // Beside a removal it is another form of a line.
    const isChange = parts[index - 1]?.removed === true || parts[index + 1]?.removed === true;
    if (added && !isChange) runs.push({ start: at, end: at + length });
    at += length;
  }
  return runs;
}
