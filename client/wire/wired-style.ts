/**
 * Lines that wiring puts into files of the user, in the style of the project: only where the file had that style before and every
 * other line stays, as a removal must find the user's file again. Pure.
 */
import { diffArrays } from 'diff';
import type { Lock, LockedWiring } from '../../format/project/lock.ts';
import type { Warning } from '../plan/plan.ts';
import type { PlannedWiring } from '../plan/planned-entries.ts';
import type { WiringStyle } from '../plan/project-view.ts';
import { findWired } from './find-wired.ts';
import { withoutWiring } from './take-out-entries.ts';

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
