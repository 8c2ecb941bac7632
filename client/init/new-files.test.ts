import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, describe, it, onTestFinished } from 'vitest';
import { manifestProblems, writeFiles } from './new-files.ts';

const MANIFEST = {
  name: 'dates',
  version: '0.1.0',
  kind: 'module',
  description: 'Formats dates',
  license: 'MIT',
};

function problems(manifest: object, path = 'index.ts'): string[] {
  const bytes = Buffer.from('export {};\n');
  const file = { path, isUtf8Path: true, type: 'file' as const, size: bytes.length, bytes };
  const written = { name: 'stackyard.json', text: JSON.stringify(manifest), isReplacing: false };
  return manifestProblems('alice', 'dates', { files: [file], isCut: false }, [written]);
}

test('manifestProblems() is empty for a folder that the registry would accept', () => {
  expect(problems(MANIFEST)).toEqual([]);
});

test('manifestProblems() names the file and the error', () => {
  expect(problems({ ...MANIFEST, version: 'one' })).toEqual([
    expect.stringMatching(/^stackyard\.json: .*version/),
  ]);
});

test('manifestProblems() checks the written manifest and not the one in the folder', () => {
  const aboutManifest = problems(MANIFEST, 'stackyard.json').filter((p) => p.includes('.json'));
  expect(aboutManifest).toEqual([]);
});

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-write-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

function textsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

const NEW = { text: 'new\n', isReplacing: false };

describe('writeFiles()', () => {
  it('writes all of them, into a folder that it makes', () => {
    const folder = join(folderWith({}), 'a', 'b');
    writeFiles(folder, [
      { name: 'one', ...NEW },
      { name: 'two', ...NEW },
    ]);
    expect(textsOf(folder)).toEqual({ one: 'new\n', two: 'new\n' });
  });

  it('writes none of them when one is in the way, and leaves no trace', () => {
    const folder = folderWith({ old: 'old\n', two: 'mine\n' });
    const files = [
      { name: 'one', ...NEW },
      { name: 'old', text: 'new\n', isReplacing: true },
      { name: 'two', ...NEW },
    ];
    expect(() => writeFiles(folder, files)).toThrow(
      expect.objectContaining({ code: 'ERR_CONFLICT' }),
    );
    expect(textsOf(folder)).toEqual({ old: 'old\n', two: 'mine\n' });
  });

  it('reports an error of the file system', () => {
    const file = join(folderWith({ file: 'x' }), 'file');
    expect(() => writeFiles(file, [{ name: 'one', ...NEW }])).toThrow(
      expect.objectContaining({ code: 'ERR_CONFLICT' }),
    );
    const long = { name: 'x'.repeat(300), ...NEW };
    expect(() => writeFiles(folderWith({}), [long])).toThrow(
      expect.objectContaining({ code: 'ERR_WRITE' }),
    );
  });
});
