import { describe, expect, test, vi } from 'vitest';
import { ProgressBar, formatProgress, isProgressWanted } from './progress-bar.ts';

const screen = { isTTY: true, write: () => true };

test.each([
  [screen, {}, false, true],
  [screen, { CI: 'false' }, false, true],
  [screen, { CI: 'true' }, false, false],
  [screen, { CI: '1' }, false, false],
  [screen, { TERM: 'dumb' }, false, false],
  [screen, {}, true, false],
  [{ ...screen, isTTY: undefined }, {}, false, false],
])('isProgressWanted(%j, %j, %j) is %j', (stream, env, isQuiet, wanted) => {
  expect(isProgressWanted(stream, env, isQuiet)).toBe(wanted);
});

test.each([
  [0, 7, 0, '[>                       ] 0 of 7, 0.0 MB'],
  [3, 6, 1_234_567, '[============>           ] 3 of 6, 1.2 MB'],
  [6, 6, 99_000_000, '[========================] 6 of 6, 99.0 MB'],
])('formatProgress(%j, %j, %j) is %j', (done, all, bytes, line) => {
  expect(formatProgress(done, all, bytes)).toBe(line);
});

describe('ProgressBar', () => {
  test('shows what takes long, and is gone when nothing is on its way', () => {
    vi.useFakeTimers();
    try {
      let written = '';
      const bar = new ProgressBar({ isTTY: true, write: (text: string) => (written += text) });
      bar.begin();
      vi.advanceTimersByTime(200);
      bar.end();
      expect(written).toBe('');
      bar.begin();
      bar.begin();
      bar.bytes(500_000);
      vi.advanceTimersByTime(400);
      expect(written).toContain('1 of 3, 0.5 MB');
      bar.end();
      bar.end();
      const end = written;
      expect(end.endsWith('\r\u{1B}[K')).toBe(true);
      vi.advanceTimersByTime(1000);
      expect(written).toBe(end);
    } finally {
      vi.useRealTimers();
    }
  });
});
