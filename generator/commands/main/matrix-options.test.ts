import { expect, it } from 'vitest';
import { parseMatrixOptions } from './matrix-options.ts';

it('parseMatrixOptions() has defaults', () => {
  expect(parseMatrixOptions([])).toMatchObject({
    builds: [],
    limit: 20,
    newest: 1,
    staleAfterDays: 30,
    again: false,
    isDryRun: false,
    minutes: undefined,
    repo: '.',
  });
  expect(parseMatrixOptions(['--help'])).toBeUndefined();
});

it('parseMatrixOptions() reads repeated options and an address', () => {
  const args = ['--build', 'a/b', '--build', 'c/d', '--registry', 'https://r.example/', '--again'];
  expect(parseMatrixOptions(args)).toMatchObject({
    builds: ['a/b', 'c/d'],
    registry: 'https://r.example',
    again: true,
  });
});

it.each([
  [['--build', 'web']],
  [['--newest', '0']],
  [['--newest', '1.5']],
  [['--stale-after', '-1']],
  [['--stale-after', '9999999']],
  [['--registry', 'index']],
  [['--unknown']],
  [['a/b']],
])('parseMatrixOptions() refuses %j', (args) => {
  expect(() => parseMatrixOptions(args)).toThrow(expect.objectContaining({ code: 'ERR_USAGE' }));
});
