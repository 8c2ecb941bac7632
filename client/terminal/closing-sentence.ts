/** The sentence that ends the output of a command on a terminal: what happened, and how long it took. */
import type { Plan, PlannedFile } from '../plan/plan.ts';
import type { WiringEntry } from '../plan/planned-entries.ts';

const VERBS: Readonly<Record<Plan['command'], string>> = {
  add: 'Added',
  new: 'Started with',
  update: 'Updated',
  remove: 'Removed',
  wire: 'Wired',
  unwire: 'Unwired',
};

/** More builds are counted. */
const MAX_NAMED = 3;

/** What the plan did, without an end: `Added a/web and b/db, 12 files written`. */
export function planClosing({ command, builds, files, wiring = [] }: Plan): string {
  const main = builds.filter(({ action }) => command === 'remove' || action !== 'remove');
  const gone = builds.length - main.length;
  const count = (...actions: PlannedFile['action'][]): number =>
    files.filter(({ action }) => actions.includes(action)).length;
  const isWiring = command === 'wire' || command === 'unwire';
  const ids = isWiring ? wiring.map(({ build }) => build) : main.map(({ id }) => id);
  const steps = (...actions: WiringEntry['action'][]): number => {
    const done = wiring.filter(({ action }) => actions.includes(action));
    return new Set(done.map(({ build, step }) => `${build} ${step}`)).size;
  };
  const parts = [
    `${VERBS[command]} ${named([...new Set(ids)])}`,
    ...(gone === 0 ? [] : [`removed ${counted(gone, 'build')}`]),
    ...doneCount(count('create', 'replace', 'merge', 'conflict'), 'file', 'written'),
    ...doneCount(count('delete'), 'file', 'removed'),
    ...doneCount(steps('added', 'replaced'), 'step', 'carried out'),
    ...doneCount(steps('removed'), 'step', 'taken out'),
  ];
  return parts.join(', ');
}

/** `1 file`, `2 files`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `0.4 s`, `1 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function named(ids: readonly string[]): string {
  if (ids.length > MAX_NAMED) return counted(ids.length, 'build');
  const last = ids.at(-1) ?? 'nothing';
  return ids.length < 2 ? last : `${ids.slice(0, -1).join(', ')} and ${last}`;
}

function doneCount(count: number, noun: string, what: string): string[] {
  return count === 0 ? [] : [`${counted(count, noun)} ${what}`];
}
