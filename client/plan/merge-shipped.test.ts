import { describe, expect, test } from 'vitest';
import { mergeShipped } from './merge-shipped.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('mergeShipped()', () => {
  const BASE = bytes('{\n  "scripts": {\n    "a": "1",\n    "b": "1"\n  }\n}\n');
  const OURS = bytes('{\n  "scripts": {\n    "a": "2",\n    "b": "1"\n  }\n}\n');
  const THEIRS = bytes('{\n  "scripts": {\n    "a": "1",\n    "b": "2"\n  }\n}\n');

  test('merges adjacent lines of a package.json by entry', () => {
    const merge = mergeShipped('app/package.json', BASE, OURS, THEIRS, {});
    expect(merge.kind === 'merged' && Buffer.from(merge.bytes).toString()).toBe(
      '{\n  "scripts": {\n    "a": "2",\n    "b": "2"\n  }\n}\n',
    );
  });

  test('merges other files by lines, so that adjacent lines conflict', () => {
    expect(mergeShipped('app/data.json', BASE, OURS, THEIRS, {}).kind).toBe('conflict');
  });

  test('falls back to lines for a package.json with a conflicting entry', () => {
    const theirs = bytes('{\n  "scripts": {\n    "a": "3",\n    "b": "1"\n  }\n}\n');
    expect(mergeShipped('package.json', BASE, OURS, theirs, {}).kind).toBe('conflict');
  });

  test('marks both files where neither has a base', () => {
    const merge = mergeShipped('a.ts', undefined, bytes('ours\n'), bytes('theirs\n'), {});
    expect(merge).toMatchObject({ kind: 'conflict', reason: 'added-by-both' });
    const marked = merge.kind === 'conflict' ? merge.marked?.bytes : undefined;
    expect(Buffer.from(marked ?? []).toString()).toContain('<<<<<<< yours\nours\n');
  });
});
