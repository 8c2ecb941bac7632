import { describe, expect, it } from 'vitest';
import { openBuild } from './open-build.ts';
import type { ScannedFile } from './scanned-file.ts';

const MANIFEST = {
  name: 'x',
  version: '1.0.0',
  kind: 'module',
  description: 'd',
  license: 'MIT',
} as const;

function opened(path: string, bytes: Uint8Array): ScannedFile {
  const files = [{ path, bytes, executable: false }];
  return openBuild({ id: 'a/x', manifest: MANIFEST, files }).files[0]!;
}

describe('openBuild()', () => {
  it.each([
    ['text', Buffer.from('é'), 'é'],
    ['a byte order mark', Buffer.from('\ufeffa'), 'a'],
    ['UTF-16', Buffer.from('\ufeffé', 'utf16le'), 'é'],
    ['bytes that are not text', Buffer.from([0xff, 0x80, 0x90]), undefined],
    ['a NUL among much text', Buffer.from('abc\0def'), 'abcdef'],
    ['a NUL in a few characters', Buffer.from('a\0b'), undefined],
    ['nothing', Buffer.alloc(0), ''],
  ])('decodes %s', (_, bytes, text) => {
    expect(opened('a.txt', bytes).text).toBe(text);
  });

  it('parses and analyses once', () => {
    const files = [{ path: 'a.js', bytes: Buffer.from("eval('a')"), executable: false }];
    const build = openBuild({ id: 'a/x', manifest: MANIFEST, files });
    expect(build.files[0]?.syntax.language).toBe('javascript');
    expect(build.files[0]?.syntax).toBe(build.files[0]?.syntax);
    expect(build.taint.facts.map((f) => f.api)).toEqual(['eval']);
    expect(build.taint).toBe(build.taint);
  });

  it('has a place for an offset of the text', () => {
    expect(opened('a.txt', Buffer.from('a\nbc')).place(3, 1)).toMatchObject({ line: 2, column: 2 });
  });

  it('keeps the path, the bytes and the mode of a file', () => {
    const file = { path: 'a.sh', bytes: Buffer.from('a'), executable: true };
    const build = openBuild({ id: 'a/x', manifest: MANIFEST, files: [file] });
    expect(build.files[0]).toMatchObject(file);
    expect(build).toMatchObject({ id: 'a/x', manifest: MANIFEST });
  });
});
