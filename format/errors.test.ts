import { expect, test } from 'vitest';
import { FormatError, InternalError, StackyardError } from './errors.ts';

test('FormatError carries a code, a hint and a cause', () => {
  const cause = new Error('why');
  const error = new FormatError('ERR_DOCUMENT', 'Cannot read it', { hint: 'do so', cause });
  expect(error).toBeInstanceOf(StackyardError);
  expect(error).toMatchObject({ name: 'FormatError', code: 'ERR_DOCUMENT', hint: 'do so', cause });
});

test('FormatError without details has neither hint nor cause', () => {
  const error = new FormatError('ERR_DOCUMENT', 'Cannot read it');
  expect(error.hint).toBeUndefined();
  expect('cause' in error).toBe(false);
});

test('InternalError is no StackyardError: it is a bug of ours', () => {
  expect(new InternalError('x')).not.toBeInstanceOf(StackyardError);
  expect(new InternalError('x').name).toBe('InternalError');
});
