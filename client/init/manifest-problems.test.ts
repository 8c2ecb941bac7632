import { expect, test } from 'vitest';
import { manifestProblems } from './manifest-problems.ts';

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
