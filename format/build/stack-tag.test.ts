import { expect, test } from 'vitest';
import { isStackTag, tagOfImport } from './stack-tag.ts';

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

test('tagOfImport() takes the tag of an import, and nothing else', () => {
  expect(tagOfImport('tag:database')).toBe('database');
  for (const other of ['database', 'tag:', 'tag:A', './tag:database', 'tag:a b']) {
    expect(tagOfImport(other)).toBeUndefined();
  }
});
