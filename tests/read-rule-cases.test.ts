import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRuleCases } from './read-rule-cases.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rule-cases-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

describe('readRuleCases()', () => {
  it('adds the files of the folder beside a case', () => {
    write({
      'b.txt': '# B\nwarn x y:1\n\n-- y (executable) --\n1\n',
      'b/sub/a.bin': Buffer.of(0, 255),
      'b/z.bin': Buffer.of(1),
      'a.txt': '# A\n\n-- x --\n',
    });
    expect(readRuleCases(root)).toEqual([
      { name: 'a', expected: [], files: [{ path: 'x', bytes: Buffer.of(), executable: false }] },
      {
        name: 'b',
        expected: [{ level: 'warn', code: 'x', file: 'y', line: 1 }],
        files: [
          { path: 'sub/a.bin', bytes: Buffer.of(0, 255), executable: false },
          { path: 'y', bytes: Buffer.from('1\n'), executable: true },
          { path: 'z.bin', bytes: Buffer.of(1), executable: false },
        ],
      },
    ]);
  });

  it.each([
    ['a folder without a case', { 'a/x.bin': '' }, /a\/ has no a\.txt/],
    ['a case without a file', { 'a.txt': '# A\n' }, /a holds no file/],
    ['a file twice', { 'a.txt': '# A\n\n-- x --\n', 'a/x': '' }, /a holds x twice/],
    ['what is no case', { 'a.txt': 'A\n' }, /Cannot read .*a\.txt/],
  ])('rejects %s', (_, files, message) => {
    write(files);
    expect(() => readRuleCases(root)).toThrow(message);
  });
});
