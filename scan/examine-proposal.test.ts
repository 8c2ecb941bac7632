import { parser } from '@lezer/python';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { examineProposal, examineWithin } from './examine-proposal.ts';
import type { SourceBuild } from './validate.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function sourceOf(texts: Readonly<Record<string, string>>): SourceBuild {
  const files = Object.entries(texts).map(([path, text]) => {
    const bytes = Buffer.from(text);
    return { path, isUtf8Path: true, type: 'file' as const, size: bytes.length, bytes };
  });
  return { owner: 'alice', name: 'parts', source: { files, isCut: false } };
}

const MANIFEST = JSON.stringify({
  name: 'parts',
  version: '1.0.0',
  kind: 'module',
  description: 'Parts of an application',
  license: 'MIT',
});

describe('examineProposal()', () => {
  it.each([
    ['src/[slug]/a b~.ts', []],
    ['src/\u00fc.ts', ['file-path-ascii']],
    ['src/\u65e5\u672c.ts', ['file-path-ascii']],
  ])('judges the path %j', (path, wanted) => {
    const { faults } = examineProposal(
      sourceOf({ [path]: 'export {};\n', 'stackyard.json': MANIFEST }),
    );
    expect(faults.map(({ code }) => code)).toEqual(wanted);
  });
});

describe('examineWithin()', () => {
  it('ends a scan that does not end, with a finding', () => {
    vi.spyOn(parser, 'startParse').mockImplementation(() => {
      for (;;);
    });
    const { valid, faults, findings, isPublishable } = examineWithin(
      sourceOf({ 'src/a.py': 'import os\n', 'stackyard.json': MANIFEST }),
      1,
    );
    expect([valid?.risk, isPublishable]).toEqual(['danger', false]);
    expect(faults).toEqual([]);
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'scan-ended', level: 'error', file: 'src/a.py' }),
    );
  });
});
