import { expect, test } from 'vitest';
import { isStackTag } from './stack-tag.ts';

test.each(['express', 'auth', 'node', '@types/node', 'a.b_c-d', 'a'.repeat(100)])(
  'isStackTag() accepts %s',
  (text) => {
    expect(isStackTag(text)).toBe(true);
  },
);

test.each(['', 'Express', '-a', '.a', 'a b', 'a/b', '@a', '@/a', 'é', 'a\n', 'a'.repeat(101)])(
  'isStackTag() rejects %j',
  (text) => {
    expect(isStackTag(text)).toBe(false);
  },
);
