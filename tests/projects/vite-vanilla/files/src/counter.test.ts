import { expect, test } from 'vitest';
import { setupCounter } from './counter';

test('counts clicks', () => {
  const clicks: (() => void)[] = [];
  const button = { innerHTML: '', addEventListener: (_: string, on: () => void) => clicks.push(on) };
  setupCounter(button as unknown as HTMLButtonElement);
  for (const click of clicks) click();
  expect(button.innerHTML).toBe('Count is 1');
});
