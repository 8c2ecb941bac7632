import { describe, expect, it } from 'vitest';
import { finding } from '../format/finding/finding.ts';
import { openBuild } from './open-build.ts';
import type { Rule } from './rule.ts';
import { scan } from './scan.ts';

const BUILD = openBuild({
  id: 'a/x',
  manifest: { name: 'x', version: '1.0.0', kind: 'module', description: 'd', license: 'MIT' },
  files: [],
});

function failing(error: unknown): Rule {
  return {
    name: 'broken',
    run: () => {
      throw error;
    },
  };
}

describe('scan()', () => {
  it('returns the findings of all rules in order', () => {
    const one = finding('check-failed', 'a', { check: 'a', problem: 'p' });
    const two = finding('check-failed', 'b', { check: 'b', problem: 'p' });
    const rules: Rule[] = [
      { name: 'a', run: () => [one] },
      { name: 'none', run: () => [] },
      { name: 'b', run: () => [two] },
    ];
    expect(scan(BUILD, rules)).toEqual([one, two]);
  });

  it.each([
    [new Error('message'), 'message'],
    ['text', 'text'],
  ])('reports a rule that throws %s, and runs the others', (error, problem) => {
    const other = finding('check-failed', 'b', { check: 'b', problem: 'p' });
    const found = scan(BUILD, [failing(error), { name: 'b', run: () => [other] }]);
    expect(found).toMatchObject([
      { code: 'check-failed', args: { check: 'broken', problem } },
      other,
    ]);
  });
});
