import { describe, expect, it } from 'vitest';
import type { ProofCommand } from './proof-commands.ts';
import { compareCopies, lintProblems, typeErrors, type Measured } from './proof.ts';

const COPY = '/state/proofs/1-a/after/project';

describe('typeErrors()', () => {
  it.each([
    ['src/a.ts(3,5): error TS2322: No', ['src/a.ts: error TS2322: No']],
    [`${COPY}/src/a.ts:3:5 - error TS2322: No`, ['src/a.ts: error TS2322: No']],
    ['app/a.py:3: error: No  [arg-type]', ['app/a.py: error: No [arg-type]']],
    ['Found 2 errors.', []],
  ])('%s', (output, expected) => {
    expect(typeErrors(output, COPY)).toEqual(expected);
  });
});

describe('lintProblems()', () => {
  it.each<[string, unknown, string[]]>([
    [
      'eslint',
      [{ filePath: `${COPY}/a.ts`, messages: [{ ruleId: 'quotes', message: '' }] }],
      ['a.ts: quotes'],
    ],
    ['ruff', [{ filename: `${COPY}/a.py`, code: 'F401', message: '' }], ['a.py: F401']],
    [
      'oxlint',
      { diagnostics: [{ filename: 'a.ts', code: 'eslint(no-var)' }] },
      ['a.ts: eslint(no-var)'],
    ],
    [
      'biome',
      { diagnostics: [{ category: 'lint/x', location: { path: { file: 'a.ts' } } }] },
      ['a.ts: lint/x'],
    ],
    [
      'biome 2',
      { diagnostics: [{ category: 'lint/x', location: { path: 'a.ts' } }] },
      ['a.ts: lint/x'],
    ],
    ['something else', { a: 1 }, []],
  ])('of %s', (_, value, expected) => {
    expect(lintProblems(JSON.stringify(value), COPY)).toEqual(expected);
  });

  it('is empty for what is no JSON', () => {
    expect(lintProblems('Oops', COPY)).toEqual([]);
  });
});

describe('compareCopies()', () => {
  const types: ProofCommand = { kind: 'types', command: 'tsc' };
  const measured = (...problems: string[]): Measured => ({
    results: new Map([[types, { state: 'failed', problems, tail: '' }]]),
    answers: [],
  });
  const plan = { files: [], scripts: [] };

  it('counts a problem as often as it is more', () => {
    const proof = compareCopies(measured('a', 'b'), measured('b', 'a', 'a'), plan, '.');
    expect(proof.problems).toEqual([{ text: 'a' }]);
    expect(proof.facts).toEqual(['type check: 1 new errors (it failed before the change as well)']);
  });

  it('is no proof where a copy is not complete', () => {
    const missing = { results: new Map(), answers: [], missing: 'it has more than 2 files' };
    const proof = compareCopies(missing, measured(), plan, '.');
    expect(proof.is_good).toBe(false);
    expect(proof.facts[0]).toBe(
      'not proved: the project is too large for a copy: it has more than 2 files',
    );
  });
});
