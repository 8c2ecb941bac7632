import { parseArgs } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { GeneratorError } from '../../errors.ts';
import { parseOrRefuse, reportError } from './report-error.ts';

function printed(error: unknown): { status: number; lines: unknown[] } {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => spy.mockRestore());
  const status = reportError(error);
  return { status, lines: spy.mock.calls.flat() };
}

test('reportError() prints error and hint, and returns the exit status', () => {
  expect(printed(new GeneratorError('ERR_GIT', 'No git', { hint: 'install it' }))).toEqual({
    status: 1,
    lines: ['error: No git [ERR_GIT]', 'hint: install it'],
  });
});

test('reportError() returns 2 for wrong usage', () => {
  expect(printed(new GeneratorError('ERR_USAGE', 'No folder'))).toEqual({
    status: 2,
    lines: ['error: No folder [ERR_USAGE]'],
  });
});

test('reportError() throws what is no error of ours', () => {
  expect(() => reportError(new TypeError('a defect'))).toThrow('a defect');
});

test('parseOrRefuse() refuses unknown options with the first sentence of the reason', () => {
  const usage = (problem: string): GeneratorError => new GeneratorError('ERR_USAGE', problem);
  expect(parseOrRefuse(() => 1, usage)).toBe(1);
  expect(() => parseOrRefuse(() => parseArgs({ args: ['--x'], options: {} }), usage)).toThrow(
    /^Unknown option '--x'/,
  );
});
