import { expect, test } from 'vitest';
import type { StackFact } from '../../format/project/stack-fact.ts';
import { type Facts, headOf } from '../../tests/client/universe.ts';
import type { Movable } from '../resolve/candidates.ts';
import { KnownHeads } from './known-heads.ts';
import { passedOver } from './passed-over.ts';

const STACK = new Map<string, StackFact>([['express', { version: '4.1.0', source: 'here' }]]);
const [EXPRESS, NONE]: Facts[] = [
  { requires: { express: '^5.0.0' } },
  { builds: { 'x/none': '*' } },
];

test.each<[string, Record<string, Facts>, string | undefined, Movable | undefined, string[]]>([
  [
    'a tag',
    { '1.0.0': {}, '2.0.0': EXPRESS! },
    undefined,
    undefined,
    ['Chose "x/a" 1.0.0 instead of 2.0.0, which needs express ^5.0.0: found 4.1.0 in here'],
  ],
  [
    'a build',
    { '1.0.0': {}, '1.1.0': NONE! },
    undefined,
    undefined,
    [
      'Chose "x/a" 1.0.0 instead of 1.1.0, which needs "x/none" *, and the registry has no such build',
    ],
  ],
  ['the range of the user', { '1.0.0': {}, '2.0.0': EXPRESS! }, '^1.0.0', undefined, []],
  [
    'a recorded range',
    { '1.0.0': {}, '2.0.0': EXPRESS! },
    '^1.0.0',
    { version: '1.0.0', requirement: 'raise' },
    ['Kept "x/a" 1.0.0 instead of 2.0.0, which needs express ^5.0.0: found 4.1.0 in here'],
  ],
  [
    'only a recorded range',
    { '1.0.0': {}, '2.0.0': {} },
    '^1.0.0',
    { version: '1.0.0', requirement: 'raise' },
    ['Kept "x/a" 1.0.0 instead of 2.0.0, which "stackyard update x/a --latest" takes'],
  ],
  [
    'an exact version',
    { '1.0.0': {}, '2.0.0': {} },
    '1.0.0',
    { version: '1.0.0', requirement: 'raise' },
    [],
  ],
  [
    'a build that is not updated',
    { '1.0.0': {}, '2.0.0': {} },
    '^1.0.0',
    { version: '1.0.0', requirement: 'keep' },
    [],
  ],
  ['build metadata', { '1.0.0': {}, '1.0.0+b1': NONE! }, undefined, undefined, []],
  ['a prerelease', { '1.0.0': {}, '2.0.0-a': {} }, undefined, undefined, []],
])('passedOver(): %s', async (_, versions, range, installed, warnings) => {
  const head = headOf('x/a', versions);
  const registry = { head: async (id: string) => (id === 'x/a' ? head : undefined) };
  const known = new KnownHeads(registry, undefined, new Map());
  const movable = new Map(installed === undefined ? [] : [['x/a', installed]]);
  const asked = { requests: [{ id: 'x/a', range }], locked: new Map(), stack: STACK, movable };
  const solved = await known.resolve(asked);
  const chosen = solved.kind === 'solved' ? solved.versions : new Map();
  expect((await passedOver(asked, chosen, known)).map(({ message }) => message)).toEqual(warnings);
});
