import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { finding } from '../format/finding/finding.ts';
import { FINDING_TEXTS, type FindingCode } from '../format/finding/catalogue.ts';
import type { FindingLevel } from '../format/finding/texts/finding-text.ts';
import { CRITERIA, qualityOf } from './quality.ts';
import { addUp, riskOf, sumOf } from './risk.ts';

describe('riskOf()', () => {
  it('depends only on safety findings', () => {
    expect(riskOf([])).toBe('ok');
    expect(riskOf([finding('license-file-missing', '')])).toBe('ok');
    expect(riskOf([finding('file-executable', 'x')])).toBe('ok');
    expect(riskOf([finding('check-failed', '')])).toBe('caution');
    expect(riskOf([finding('check-failed', '', {}, 'error')])).toBe('danger');
  });
});

describe('addUp()', () => {
  it.each([
    [['error decode-execute-command', 'warn dependency-name-own'], 11.5, 'danger'],
    // One kind of evidence, and what starts by itself alone.
    [['error reverse-shell-command'], 2.8, 'caution'],
    [['warn auto-run-file'], 2.2, 'ok'],
  ])('%j: %d, %s', (texts, weight, risk) => {
    const found = texts.map((text) => {
      const [level, code] = text.split(' ') as [FindingLevel, FindingCode];
      return finding(code, 'x', {}, level);
    });
    expect(sumOf(found).weight).toBeCloseTo(weight);
    expect(riskOf(addUp(found))).toBe(risk);
  });

  it('has its findings in docs/checks.md', () => {
    const page = readFileSync(join(import.meta.dirname, '../docs/checks.md'), 'utf8');
    const codes = Array.from(page.matchAll(/^\|`([\w-]+)`(?:\|\d+){4}\|$/gm), ([, code]) => code!);
    expect(codes.length).toBeGreaterThan(20);
    for (const code of codes)
      expect(FINDING_TEXTS[code as FindingCode]).toMatchObject({ group: 'safety' });
  });

  it('leaves what shows no intent as it is', () => {
    const unread = finding('source-unread', 'x', {}, 'warn');
    expect(addUp([unread])).toEqual([unread]);
  });
});

describe('qualityOf()', () => {
  it('deducts the points of a criterion once', () => {
    expect(qualityOf([])).toBe(100);
    expect(qualityOf([finding('license-file-missing', '')])).toBe(90);
    const twice = [finding('license-file-empty', 'a'), finding('license-file-empty', 'b')];
    expect(qualityOf(twice)).toBe(90);
    expect(qualityOf([finding('packed-code', 'a', {}, 'info')])).toBe(100);
  });

  it('has 100 points in all, and reaches 0', () => {
    expect(CRITERIA.reduce((sum, { points }) => sum + points, 0)).toBe(100);
    expect(qualityOf(CRITERIA.map(({ codes }) => finding(codes[0]!, '', {}, 'warn')))).toBe(0);
  });

  it('deducts points only for the findings of the group quality', () => {
    const quality = Object.entries(FINDING_TEXTS).filter(([, text]) => text.group === 'quality');
    const codes = new Set<string>(CRITERIA.flatMap((criterion) => criterion.codes));
    // An info deducts nothing, and needs no criterion.
    const graded = quality.filter(([code, { level }]) => level !== 'info' || codes.has(code));
    expect([...codes].sort()).toEqual(graded.map(([code]) => code).sort());
  });

  it('has the criteria that docs/checks.md documents', () => {
    const page = readFileSync(join(import.meta.dirname, '../docs/checks.md'), 'utf8');
    const section = page.slice(page.indexOf('## Quality'), page.indexOf('## Reports'));
    const rows = Array.from(section.matchAll(/^\| ([^|`]+?) +\| +(\d+) \| (.+?) +\|$/gm));
    const codesOf = (cell: string): string[] =>
      Array.from(cell.matchAll(/`([\w-]+)`/g), ([, code]) => code!);
    expect(
      rows.map(([, name, points, cell]) => ({
        name,
        points: Number(points),
        codes: codesOf(cell!),
      })),
    ).toEqual(CRITERIA);
  });
});
