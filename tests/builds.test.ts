/**
 * Runs the rules over every case in `tests/builds/`. A case is named `<rule>-<what>`. Its expected findings are all
 * safety findings at warn or error, and all findings of the rule that the case is named after. A case
 * without `stackyard.json` gets a plain one. The form is in `rule-case.ts`.
 */
import { describe, expect, test } from 'vitest';
import { findingGroup, sortFindings, type Finding } from '../format/finding/finding.ts';
import { allRules } from '../scan/rules/all.ts';
import { judgeCase } from './judge-case.ts';
import { readRuleCases } from './read-rule-cases.ts';
import type { ExpectedFinding } from './rule-case.ts';

const NAMES = allRules.map((rule) => rule.name);

describe('tests/builds', () => {
  test.each(readRuleCases())('$name', ({ name, expected, files }) => {
    const under = NAMES.filter((n) => name.startsWith(`${n}-`)).sort((a, b) => b.length - a.length);
    expect(under, 'the case is named after a rule').not.toEqual([]);
    const found = judgeCase(files).filter(
      (f) => f.code.startsWith(under[0]!) || (findingGroup(f) === 'safety' && f.level !== 'info'),
    );
    expect(sortFindings(found).map(brief)).toEqual(expected);
  });
});

function brief({ level, code, file, place }: Finding): ExpectedFinding {
  return { level, code, file, ...(place === undefined ? {} : { line: place.line }) };
}
