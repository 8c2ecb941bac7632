import { expect, it } from 'vitest';
import { formatStep, progressLine, progressTo } from './progress.ts';

it('progressTo() shows each step at once, and advances ten times a second', () => {
  let time = 0;
  const shown: string[] = [];
  const progress = progressTo(
    (step) => shown.push(formatStep(step)),
    () => time,
  );
  progress.begin('building the client');
  progress.begin('reading commits', 500);
  for (let commit = 0; commit < 500; commit += 1) {
    time += 1;
    progress.advance();
  }
  progress.advance();
  const at = (done: number): string => `reading commits: ${done} of 500`;
  expect(shown).toEqual(['building the client', ...[0, 100, 200, 300, 400, 500].map(at)]);
});

it('progressLine() writes over its line, and leaves none behind', () => {
  let text = '';
  const line = progressLine((more) => (text += more));
  line.end();
  expect(text).toBe('');
  line.show({ what: 'a', done: 9, total: 4 });
  line.end();
  line.end();
  expect(text).toBe('\r\u001B[Ka: 4 of 4\r\u001B[K');
});
