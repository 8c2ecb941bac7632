import { expect, test } from 'vitest';
import type { Plan } from '../plan/plan.ts';
import { BUILD_DANGER, confirmDanger, isUnattended, wantsColor } from './ask.ts';

function planWith(...codes: string[]): Plan {
  return { warnings: codes.map((code) => ({ code, message: `about ${code}`, path: '' })) } as never;
}

test('confirmDanger() asks once about all dangerous builds, and names them', async () => {
  const questions: string[] = [];
  await confirmDanger(planWith(BUILD_DANGER, 'build-risk', BUILD_DANGER), async ({ text }) => {
    questions.push(text);
  });
  expect(questions).toEqual(['about build-danger; about build-danger. Install it all the same?']);
});

test('confirmDanger() asks nothing without a dangerous build', async () => {
  const ask = async (): Promise<void> => {
    throw new Error('asked');
  };
  await expect(confirmDanger(planWith('build-risk'), ask)).resolves.toBeUndefined();
  await expect(confirmDanger(planWith(BUILD_DANGER), ask)).rejects.toThrow('asked');
});

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
