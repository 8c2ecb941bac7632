import { expect, test } from 'vitest';
import { isUnattended, wantsColor } from './environment.ts';

const TERMINAL = { isTTY: true };
const FILE = { isTTY: false };

test.each([
  [TERMINAL, {}, true],
  [TERMINAL, { TERM: 'dumb' }, false],
  [TERMINAL, { NO_COLOR: '1' }, false],
  [TERMINAL, { NO_COLOR: '' }, true],
  [TERMINAL, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  [TERMINAL, { FORCE_COLOR: '0' }, false],
  [FILE, {}, false],
  [FILE, { CI: 'true' }, false],
  [FILE, { FORCE_COLOR: '1' }, true],
  [FILE, { FORCE_COLOR: '', TERM: 'dumb' }, true],
])('wantsColor() on %j with %j is %s', (stream, env, wanted) => {
  expect(wantsColor(stream, env, false)).toBe(wanted);
  expect(wantsColor(stream, env, true)).toBe(false);
});

test.each([
  [{}, false],
  [{ CI: '' }, false],
  [{ CI: 'false' }, false],
  [{ CI: 'true' }, true],
  [{ CI: '1' }, true],
])('isUnattended() with %j is %s', (env, expected) => {
  expect(isUnattended(env)).toBe(expected);
});
