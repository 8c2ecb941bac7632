import { expect, test } from 'vitest';
import { isSameLine, suggestVersions } from './build-proposal.ts';

test('suggestVersions() offers a fix, an addition and a break', () => {
  expect(suggestVersions('1.4.2')).toBe(
    'set "version" to "1.4.3" (a fix), "1.5.0" (an addition) or "2.0.0" (a break)',
  );
});

test('isSameLine() compares major versions', () => {
  expect(isSameLine('1.0.0', '1.9.9')).toBe(true);
  expect(isSameLine('1.9.9', '2.0.0-rc.1')).toBe(false);
});
