import { expect, it } from 'vitest';
import { failedCheck } from './measure-combination.ts';

const TESTS = [
  { command: 'npx tsc --noEmit', status: 0 },
  { command: 'npm test', status: 1 },
  { command: 'npm run lint', status: 0 },
];

it('failedCheck() finds the output of the first command that failed', () => {
  const stderr =
    'a/b: npx tsc --noEmit\na/b: npm test\nFAIL src/a.test.ts\n1 failed\na/b: npm run lint\n';
  expect(failedCheck({ stdout: JSON.stringify({ data: { tests: TESTS } }), stderr })).toBe(
    'npm test ended with status 1\nFAIL src/a.test.ts\n1 failed',
  );
});

it('failedCheck() names files that differ where no command failed', () => {
  const differences = [{ path: 'src/a.ts', state: 'missing' }];
  const stdout = JSON.stringify({ data: { tests: [], differences } });
  expect(failedCheck({ stdout, stderr: 'x' })).toBe('Error: src/a.ts is missing');
});

it('failedCheck() passes on what is no answer of the client', () => {
  expect(failedCheck({ stdout: '', stderr: 'error: no [ERR_LOCK]' })).toBe('error: no [ERR_LOCK]');
});
