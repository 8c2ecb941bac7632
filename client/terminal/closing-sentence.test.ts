import { expect, test } from 'vitest';
import type { Plan, PlannedBuild, PlannedFile } from '../plan/plan.ts';
import type { WiringEntry } from '../plan/planned-entries.ts';
import { formatDuration, planClosing } from './closing-sentence.ts';

function plan(
  command: Plan['command'],
  builds: Record<string, PlannedBuild['action']>,
  actions: PlannedFile['action'][] = [],
): Plan {
  const planned = Object.entries(builds).map(([id, action]) => ({ id, action }));
  const files = actions.map((action) => ({ action }));
  return { command, builds: planned, files } as unknown as Plan;
}

/** `made` with one entry for each step of a/b. */
function withSteps(made: Plan, actions: WiringEntry['action'][]): Plan {
  const wiring = actions.map((action, at) => ({ build: 'a/b', step: at + 1, action }));
  return { ...made, wiring } as unknown as Plan;
}

test.each<[Plan, string]>([
  [
    plan('add', { 'a/b': 'add', 'c/d': 'add' }, ['create', 'merge', 'keep', 'skip']),
    'Added a/b and c/d, 2 files written',
  ],
  [plan('add', { 'a/b': 'add' }, ['identical']), 'Added a/b'],
  [
    plan('update', { 'a/b': 'update', 'c/d': 'remove' }, ['replace', 'delete', 'delete']),
    'Updated a/b, removed 1 build, 1 file written, 2 files removed',
  ],
  [plan('remove', { 'a/b': 'remove' }, ['delete', 'orphan']), 'Removed a/b, 1 file removed'],
  [
    plan('new', { a: 'add', b: 'add', c: 'add', d: 'add' }, ['create']),
    'Started with 4 builds, 1 file written',
  ],
  [
    withSteps(plan('add', { 'a/b': 'add' }, ['create']), ['added', 'added', 'by_hand']),
    'Added a/b, 1 file written, 2 steps carried out',
  ],
  [withSteps(plan('wire', {}), ['added', 'kept']), 'Wired a/b, 1 step carried out'],
  [withSteps(plan('unwire', {}), ['removed', 'left']), 'Unwired a/b, 1 step taken out'],
])('planClosing() counts what was done: %#', (made, sentence) => {
  expect(planClosing(made)).toBe(sentence);
});

test.each([
  [0, '0.0 s'],
  [440, '0.4 s'],
  [59_940, '59.9 s'],
  [59_960, '1 min 0 s'],
  [125_400, '2 min 5 s'],
])('formatDuration(%i) is %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});
