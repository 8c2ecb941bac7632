import { describe, expect, it } from 'vitest';
import type { Advisory } from '../../../format/advisory/advisory.ts';
import { ADVISORY, affects } from '../../../tests/advisories/advisory-fixture.ts';
import { isReduced } from './advisories.ts';

const FILED: Advisory = {
  ...ADVISORY,
  aliases: ['CVE-2026-1'],
  details: 'Text',
  severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N' }],
  affected: affects('a/x', '0'),
  references: [{ type: 'FIX', url: 'https://example.org/' }],
  credits: [{ name: 'Eve' }],
  database_specific: { filer: { login: 'bob', account_id: 22 } },
};
const LATER = '2026-02-02T09:00:00Z';

describe('isReduced()', () => {
  it.each<[string, Partial<Advisory>]>([
    ['nothing', {}],
    ['a later time', { modified: LATER }],
    ['another build', { affected: [...affects('a/y', '0'), ...FILED.affected] }],
    ['another id', { aliases: ['GHSA-1', 'CVE-2026-1'], related: ['CVE-2026-2'] }],
    ['a reference', { references: [...FILED.references!, { type: 'WEB', url: 'https://a.org/' }] }],
  ])('is false for %s', (_, changes) => {
    expect(isReduced(FILED, { ...FILED, ...changes })).toBe(false);
  });

  it.each<[string, Partial<Advisory>]>([
    ['a withdrawal', { withdrawn: LATER }],
    ['an end of the range', { affected: affects('a/x', '0', '1.1.0') }],
    ['a later beginning', { affected: affects('a/x', '1.0.0') }],
    ['another build instead', { affected: affects('a/y', '0') }],
    ['another summary', { summary: 'Nothing much' }],
    ['another text', { details: 'Not true' }],
    ['no severity', { severity: [] }],
    ['no alias', { aliases: [] }],
    ['no reference', { references: [] }],
    ['other credits', { credits: [{ name: 'Mallory' }] }],
    ['a later publication', { published: LATER }],
  ])('is true for %s', (_, changes) => {
    expect(isReduced(FILED, { ...FILED, ...changes })).toBe(true);
  });

  it('is true for each field that goes, for texts that come, and for a later withdrawal', () => {
    for (const field of Object.keys(FILED)) {
      if (field === 'modified') continue;
      const { [field as keyof Advisory]: _, ...rest } = FILED;
      expect([field, isReduced(FILED, rest as Advisory)]).toEqual([field, true]);
    }
    expect(isReduced(ADVISORY, { ...ADVISORY, details: 'Not true' })).toBe(true);
    const withdrawn = { ...FILED, withdrawn: LATER };
    expect(isReduced(withdrawn, FILED)).toBe(false);
    expect(isReduced(withdrawn, { ...FILED, withdrawn: '2026-02-03T09:00:00Z' })).toBe(true);
  });
});
