import { expect, test } from 'vitest';
import type { Plan } from '../plan/plan.ts';
import { BUILD_DANGER, confirmDanger } from './ask.ts';

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
