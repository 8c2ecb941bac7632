import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finding } from '../../format/finding.ts';
import { FINDING_TEXTS } from '../../format/finding-text.ts';
import { CRITERIA, qualityOf } from './quality.ts';
import { reputationOf, wilsonLowerBound } from './reputation.ts';
import { riskOf } from './risk.ts';

const NEW_OWNER = { versions: 1, yanked: 0, risky: 0, success: 0, failure: 0, flags: 0 };

describe('wilsonLowerBound()', () => {
  it.each([
    [0, 0, 0],
    [3, 3, 0.4385],
    [95, 100, 0.8882],
    [0, 10, 0],
  ])('%i of %i is %f', (successes, reports, expected) => {
    expect(wilsonLowerBound(successes, reports)).toBeCloseTo(expected, 4);
  });
});

describe('reputationOf()', () => {
  it('starts new owners at 50, and volume changes nothing', () => {
    expect(reputationOf(NEW_OWNER).score).toBe(50);
    expect(reputationOf({ ...NEW_OWNER, versions: 10_000 }).score).toBe(50);
  });

  it.each([
    ['good reports raise', { success: 100 }, 98],
    ['bad reports lower', { failure: 100 }, 2],
    ['yanks lower', { versions: 4, yanked: 2 }, 40],
    ['risk lowers', { versions: 2, risky: 2 }, 30],
    ['flags lower, up to a point', { flags: 9 }, 20],
  ])('%s', (_, facts, score) => {
    expect(reputationOf({ ...NEW_OWNER, ...facts }).score).toBe(score);
  });

  it('stays within 0 and 100, and its parts add up to it', () => {
    const count = fc.nat(1000);
    const facts = fc.record({
      versions: count,
      yanked: count,
      risky: count,
      success: count,
      failure: count,
      flags: count,
    });
    fc.assert(
      fc.property(facts, (f) => {
        const { score, parts } = reputationOf(f);
        const sum = Object.values(parts).reduce((a, b) => a + b, 0);
        expect(score).toBe(Math.round(Math.min(100, Math.max(0, sum))));
      }),
    );
  });
});

describe('riskOf()', () => {
  it('looks at safety findings alone', () => {
    expect(riskOf([])).toBe('ok');
    expect(riskOf([finding('license-file-missing', '')])).toBe('ok');
    expect(riskOf([finding('file-executable', 'x')])).toBe('ok');
    expect(riskOf([finding('check-failed', '')])).toBe('caution');
    expect(riskOf([finding('check-failed', '', {}, 'error')])).toBe('danger');
  });
});

describe('qualityOf()', () => {
  it('takes the points of a criterion once', () => {
    expect(qualityOf([])).toBe(100);
    expect(qualityOf([finding('license-file-missing', '')])).toBe(88);
    const twice = [finding('license-file-empty', 'a'), finding('license-file-empty', 'b')];
    expect(qualityOf(twice)).toBe(88);
    expect(qualityOf([finding('packed-code', 'a', {}, 'info')])).toBe(100);
  });

  it('has 100 points in all, and reaches 0', () => {
    expect(CRITERIA.reduce((sum, { points }) => sum + points, 0)).toBe(100);
    expect(qualityOf(CRITERIA.map(({ codes }) => finding(codes[0]!, '', {}, 'warn')))).toBe(0);
  });

  it('takes points for the findings of the group quality, and for no others', () => {
    const quality = Object.entries(FINDING_TEXTS).filter(([, text]) => text.group === 'quality');
    const codes = new Set<string>(CRITERIA.flatMap((criterion) => criterion.codes));
    expect([...codes].sort()).toEqual(quality.map(([code]) => code).sort());
  });

  it('is documented as it is', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/scoring.md'), 'utf8');
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
