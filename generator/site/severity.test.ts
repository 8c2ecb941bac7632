import { expect, it, test } from 'vitest';
import { cvss3Score, fixedVersion, severityOf } from './severity.ts';

/** Examples of https://www.first.org/cvss/v3.1/examples, with the scores that are given there. */
test.each([
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1],
  ['CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', 6.4],
  ['CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N', 3.1],
  ['CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H', 9.9],
  ['CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 8.8],
  ['CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H', 7.8],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', 7.5],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
  ['CVSS:3.1/AV:P/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 6.8],
  ['CVSS:3.1/AV:A/AC:L/PR:N/UI:N/S:C/C:H/I:N/A:H', 9.3],
  ['CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0],
])('cvss3Score() of %s is %d', (vector, score) => {
  expect(cvss3Score(vector)).toBe(score);
});

it('severityOf() has words, and none without a vector of CVSS 3', () => {
  const of = (score: string) => severityOf({ severity: [{ type: 'CVSS_V3', score }] });
  expect(of('CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:L/A:L')).toBe('medium');
  expect(of('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H')).toBe('critical');
  expect(of('CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N')).toBe('low');
  expect(severityOf({})).toBeUndefined();
});

it('fixedVersion() is the next one above, of the same build', () => {
  const affectedOf = (name: string, ...fixed: string[]) => ({
    database_specific: { build: name },
    ranges: fixed.map((one) => ({
      type: 'SEMVER' as const,
      events: [{ introduced: '0' }, { fixed: one }],
    })),
  });
  const advisory = { affected: [affectedOf('a/b', '2.0.1', '1.4.0'), affectedOf('a/c', '1.2.0')] };
  expect(fixedVersion('a/b', '1.0.0', advisory)).toBe('1.4.0');
  expect(fixedVersion('a/b', '1.4.0', advisory)).toBe('2.0.1');
  expect(fixedVersion('a/b', '3.0.0', advisory)).toBeUndefined();
});
