/** Pull requests with objects that git itself does not write: each has a verdict within seconds, wherever the base branch is. */
import { describe, expect, it } from 'vitest';
import type { GitFixture } from '../generate/git-fixture.ts';
import {
  commitObject,
  treeBomb,
  treeOf,
  withFolder,
  writeObject,
  writeTree,
} from '../generate/odd-objects.ts';
import { GateFixture, build, codes } from './gate-fixture.ts';

const BUILD = 'builds/alice/web-forms';
const NEVER = 'ab'.repeat(20);
const UPDATE = build('alice/web-forms', '1.1.0');
const NOW = Date.parse('2026-03-01T00:00:00Z') / 1000;

type Made = (git: GitFixture) => { readonly folder?: string; readonly committer?: string };

const CASES: readonly (readonly [name: string, made: Made, code: string])[] = [
  [
    'a tree bomb',
    (git) => ({
      folder: treeBomb(git, { width: 60, depth: 40, file: writeObject(git, 'blob', 'x') }),
    }),
    'gate-size',
  ],
  [
    'a tree bomb without files',
    (git) => ({ folder: treeBomb(git, { width: 1000, depth: 6 }) }),
    'gate-size',
  ],
  ['a deep tree', (git) => ({ folder: treeBomb(git, { width: 1, depth: 70 }) }), 'gate-unreadable'],
  ['a damaged folder', (git) => ({ folder: writeObject(git, 'tree', 'x') }), 'gate-unreadable'],
  ['a folder that is missing', () => ({ folder: NEVER }), 'gate-unreadable'],
  [
    'a folder below that is damaged',
    (git) => ({ folder: writeTree(git, [['40000', 'src', writeObject(git, 'tree', '1')]]) }),
    'gate-unreadable',
  ],
  ['a time after the year 9999', () => ({ committer: '253402300800 +0000' }), 'gate-commit-time'],
  ['a time in two days', () => ({ committer: `${NOW + 172_800} +0000` }), 'gate-commit-time'],
  ['no time', () => ({ committer: '' }), 'gate-commit-time'],
];

describe('judgePullRequest() refuses', () => {
  it.each(CASES.flatMap((one) => [false, true].map((isMoved) => [...one, isMoved] as const)))(
    '%s',
    async (_, made, code, isMoved) => {
      const gate = new GateFixture();
      const branch = gate.pull(UPDATE);
      const { folder, committer = `${NOW} +0000` } = made(gate.git);
      const own = treeOf(gate.git, gate.git.git('rev-parse', branch));
      const tree = folder === undefined ? own : withFolder(gate.git, own, BUILD, folder);
      commitObject(gate.git, tree, { branch, committer });
      if (isMoved) gate.git.commit(build('carol/mail-queue', '1.1.0'));
      const started = performance.now();
      const verdict = await gate.judge(branch);
      expect(performance.now() - started).toBeLessThan(20_000);
      expect([verdict.verdict, codes(verdict)]).toEqual(['refuse', [code]]);
    },
  );

  it('a file that is missing', async () => {
    const gate = new GateFixture();
    const branch = gate.pull(UPDATE);
    const folder = writeTree(gate.git, [['100644', 'stackyard.json', NEVER]]);
    const own = treeOf(gate.git, gate.git.git('rev-parse', branch));
    const committer = `${NOW} +0000`;
    commitObject(gate.git, withFolder(gate.git, own, BUILD, folder), { branch, committer });
    expect(codes(await gate.judge(branch))).toContain('build-files-unreadable');
  });
});

it('judgePullRequest() reads a commit in another encoding', async () => {
  const gate = new GateFixture();
  const branch = gate.pull(UPDATE);
  const tree = treeOf(gate.git, gate.git.git('rev-parse', branch));
  commitObject(gate.git, tree, { branch, committer: `${NOW} +0000`, header: 'encoding UTF-16' });
  expect((await gate.judge(branch)).verdict).toBe('merge');
});
