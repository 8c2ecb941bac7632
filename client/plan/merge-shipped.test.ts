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

describe('mergeShipped() of what names a project', () => {
  const file = (name: string, version: string, zod: string): Uint8Array =>
    bytes(`{\n  "name": "${name}",\n  "version": "${version}",\n  "zod": "${zod}"\n}\n`);

  test.each([
    ['keeps the names where the build changes its own', file('starter', '2.0.0', '1'), undefined],
    ['takes other changes', file('starter', '2.0.0', '2'), file('shop', '0.1.0', '2')],
    ['keeps all where only the names of the build changed', file('kit', '3.0.0', '1'), undefined],
  ])('%s', (_, theirs, expected) => {
    const base = file('starter', '1.0.0', '1');
    const merge = mergeShipped('package.json', base, file('shop', '0.1.0', '1'), theirs, {});
    if (expected === undefined) expect(['keep', 'unchanged']).toContain(merge.kind);
    else expect(merge).toEqual({ kind: 'merged', bytes: expected });
  });

  test('in pyproject.toml, where the lines are adjacent', () => {
    const python = (name: string, version: string, rest: string): Uint8Array =>
      bytes(`[project]\nname = "${name}"\nversion = "${version}"\n${rest}\n`);
    const merge = mergeShipped(
      'pyproject.toml',
      python('starter', '1.0.0', 'x = 1'),
      python('shop', '0.1.0', 'x = 1'),
      python('starter', '2.0.0', 'x = 2'),
      {},
    );
    expect(merge).toEqual({ kind: 'merged', bytes: python('shop', '0.1.0', 'x = 2') });
  });
});
