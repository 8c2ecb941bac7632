import { describe, expect, it } from 'vitest';
import { finding } from '../../format/finding.ts';
import { FINDING_TEXTS } from '../../format/finding-text.ts';
import { LOST_POINTS, qualityOf } from './quality.ts';
import { riskOf } from './risk.ts';

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
  it('takes the points of a code once', () => {
    expect(qualityOf([])).toBe(100);
    expect(qualityOf([finding('license-file-missing', '')])).toBe(80);
    const twice = [finding('license-file-empty', 'a'), finding('license-file-empty', 'b')];
    expect(qualityOf(twice)).toBe(80);
  });

  it('takes points only for findings of the group quality', () => {
    for (const code of Object.keys(LOST_POINTS)) {
      expect(FINDING_TEXTS[code as keyof typeof FINDING_TEXTS].group).toBe('quality');
    }
  });
});
