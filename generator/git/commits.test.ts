import fc from 'fast-check';
import { expect, test } from 'vitest';
import { latestTime, NO_TIME, parseCommit, timeProblem } from './commits.ts';

const HEAD = `tree ${'a'.repeat(40)}\nauthor A <a@example.org> 1 +0000\n`;

test.each([
  ['committer B <b@example.org> 1767225600 +0200', '2026-01-01T00:00:00.000Z'],
  ['committer B <b@example.org> 0 -0730', '1970-01-01T00:00:00.000Z'],
  ['committer B <b@example.org> 253402300799 +0000', '9999-12-31T23:59:59.000Z'],
  ['committer B <b@example.org> 253402300800 +0000', undefined],
  ['committer B <b@example.org> 99999999999999999999 +0000', undefined],
  ['committer B <b@example.org> -1 +0000', undefined],
  ['committer  <> 12 +0000', '1970-01-01T00:00:12.000Z'],
  ['committer B > 5 <b@example.org> 12 +0000', '1970-01-01T00:00:12.000Z'],
  ['committer B <b@example.org>', undefined],
  ['committer B <b@example.org> soon +0000', undefined],
  ['', undefined],
])('parseCommit() takes "%s" for %s', (line, time) => {
  const bytes = Buffer.from(`${HEAD}${line}\nencoding UTF-16\n\nA title\n`);
  expect(parseCommit(bytes)).toEqual({ tree: 'a'.repeat(40), time });
});

test('parseCommit() does not read the message', () => {
  const message = 'committer C <c@example.org> 7 +0000\ntree b';
  expect(parseCommit(Buffer.from(`${HEAD}\n${message}\n`)).time).toBeUndefined();
  expect(parseCommit(undefined)).toEqual({ tree: undefined, time: undefined });
});

test('parseCommit() reads what git writes, in any encoding', () => {
  const name = fc
    .uint8Array()
    .map((bytes) => bytes.filter((one) => ![0, 10, 60, 62].includes(one)));
  fc.assert(
    fc.property(name, fc.nat(), (who, seconds) => {
      const line = Buffer.concat([
        Buffer.from(`${HEAD}committer `),
        who,
        Buffer.from(` <a> ${seconds} +0100\n\n`),
      ]);
      expect(parseCommit(line).time).toBe(new Date(seconds * 1000).toISOString());
    }),
  );
});

test('timeProblem() allows clocks a day ahead', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  expect(latestTime(now)).toBe('2026-01-02T00:00:00.000Z');
  expect(timeProblem('2026-01-02T00:00:00.000Z', now)).toBeUndefined();
  expect(timeProblem('2026-01-02T00:00:01.000Z', now)).toMatch(/more than a day in the future/);
  expect(timeProblem(undefined, now)).toBe(NO_TIME);
});
