import { expect, it } from 'vitest';
import { examineProposal } from './examine-proposal.ts';
import type { SourceBuild } from './validate.ts';

function sourceOf(texts: Readonly<Record<string, string>>): SourceBuild {
  const files = Object.entries(texts).map(([path, text]) => {
    const bytes = Buffer.from(text);
    return { path, isUtf8Path: true, type: 'file' as const, size: bytes.length, bytes };
  });
  return { owner: 'alice', name: 'parts', source: { files, isCut: false } };
}

const MANIFEST = {
  name: 'parts',
  version: '1.0.0',
  kind: 'module',
  description: 'Parts of an application',
  license: 'MIT',
};

it.each([
  ['src/[slug]/a b~.ts', []],
  ['src/\u00fc.ts', ['file-path-ascii']],
  ['src/\u65e5\u672c.ts', ['file-path-ascii']],
])('examineProposal() judges the path %j', (path, wanted) => {
  const { faults } = examineProposal(
    sourceOf({ [path]: 'export {};\n', 'stackyard.json': JSON.stringify(MANIFEST) }),
  );
  expect(faults.map(({ code }) => code)).toEqual(wanted);
});

it.each([
  { description: '\u2800\uFE0F' },
  { keywords: ['\u3164'] },
  { env: { KEY: { description: 'A\uFE0F', required: false } } },
  { env: { KEY: { description: 'A', required: false, example: '\u2800' } } },
  { homepage: 'https://example.org/\u2800' },
])('examineProposal() refuses a text that nobody sees: %j', (more) => {
  const manifest = JSON.stringify({ ...MANIFEST, ...more });
  const { faults } = examineProposal(
    sourceOf({ 'a.ts': 'export {};\n', 'stackyard.json': manifest }),
  );
  expect(faults.map(({ code }) => code)).toEqual(['manifest-text']);
});
