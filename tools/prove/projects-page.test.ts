import { expect, test } from 'vitest';
import type { ProjectKind } from './projects.ts';
import { formatProjects } from './projects-page.ts';
import type { TrialProof } from './prove-trial.ts';

const WORKS: TrialProof = {
  build: 'a/b',
  commands: [],
  typeCheck: 'passed',
  test: '3 passed',
  seconds: 1.25,
  uses: [['it is used', 'passed']],
  removal: 'every byte as before',
  failures: [],
};
const REFUSED: TrialProof = {
  build: 'a/c',
  refusal: { code: 'ERR_STACK', message: 'it needs "x | y"', hint: 'add it' },
  commands: [],
  uses: [],
  removal: 'nothing was changed',
  failures: [],
};

function proof(
  name: string,
  ...trials: TrialProof[]
): Parameters<typeof formatProjects>[0][number] {
  const kind: ProjectKind = {
    name,
    made: 'by hand',
    create: [],
    files: {},
    isTimed: false,
    install: [],
    typeCheck: 'tsc',
    trials: [],
  };
  return { kind, typeCheck: 'passed', test: '3 passed', seconds: 1, trials, failures: [] };
}

test('formatProjects() numbers the same answers of the client once', () => {
  const other = { ...REFUSED, refusal: { ...REFUSED.refusal!, code: 'ERR_KIND' } };
  const page = formatProjects(
    [proof('One', WORKS, REFUSED), proof('Two', WORKS, REFUSED), proof('Three', WORKS, other)],
    [],
  );
  expect(page).toContain('| Project | `a/b` | `a/c` | A module of our own |');
  expect(page).toContain('| One | works | refused (1) |  |');
  expect(page).toContain('| Two | works | refused (1) |  |');
  expect(page).toContain('| Three | works | refused (2) |  |');
  expect(page).toContain('| (1) | `ERR_STACK`: it needs "x \\| y"<br>hint: add it |');
});

test.each<[string, Partial<TrialProof>, string]>([
  ['a failure', { failures: ['it failed'] }, 'FAILED'],
  ['a known limit of a use', { uses: [['it is used', 'fails: too old']] }, 'works in part'],
  ['a known limit of the types', { typeCheck: 'fails: too old' }, 'works in part'],
])('formatProjects() sums up %s', (_, change, expected) => {
  const page = formatProjects([proof('One', { ...WORKS, ...change })], []);
  expect(page).toContain(`| One | ${expected} |  |`);
});

test('formatProjects() gives the times of servers', () => {
  const page = formatProjects([], [proof('a-server', WORKS)]);
  expect(page).toContain(
    '| `a-server` | `a/b` | passed | passed | 3 passed | 3 passed | 1.0 s | 1.3 s | it is used: passed | every byte as before |',
  );
});
