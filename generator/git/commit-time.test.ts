import fc from 'fast-check';
import { expect, test } from 'vitest';
import { committerSeconds } from './commit-time.ts';

const TREE = `tree ${'a'.repeat(40)}\nauthor A <a@example.org> 1 +0000\n`;

test.each([
  ['committer B <b@example.org> 1767225600 +0200', 1_767_225_600],
  ['committer B <b@example.org> 0 -0730', 0],
  ['committer  <> 12 +0000', 12],
  ['committer B > 5 <b@example.org> 12 +0000', 12],
  ['committer B <b@example.org>', undefined],
  ['committer B <b@example.org> soon +0000', undefined],
  ['', undefined],
])('committerSeconds() of "%s" is %s', (line, wanted) => {
  expect(committerSeconds(`${TREE}${line}\ngpgsig x\n\nA title\n`)).toBe(wanted);
});

test('committerSeconds() does not read the message', () => {
  const message = 'committer C <c@example.org> 7 +0000';
  expect(committerSeconds(`${TREE}\n${message}\n`)).toBeUndefined();
});

test('committerSeconds() reads what git writes', () => {
  const name = fc.stringMatching(/^[^\n<>\0]*$/);
  fc.assert(
    fc.property(name, fc.nat(), (who, seconds) => {
      const line = `committer ${who} <${who}> ${seconds} +0100`;
      expect(committerSeconds(`${TREE}${line}\n\n`)).toBe(seconds);
    }),
  );
});
