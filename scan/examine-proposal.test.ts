import { parser } from '@lezer/python';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { examineWithin } from './examine-proposal.ts';
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

describe('examineWithin()', () => {
  it('ends a scan that does not end, with a finding', () => {
    vi.spyOn(parser, 'startParse').mockImplementation(() => {
      for (;;);
    });
    const manifest = {
      name: 'parts',
      version: '1.0.0',
      kind: 'module',
      description: 'Parts of an application',
      license: 'MIT',
    };
    const { valid, faults, findings, isPublishable } = examineWithin(
      sourceOf({ 'src/a.py': 'import os\n', 'stackyard.json': JSON.stringify(manifest) }),
      1,
    );
    expect([valid?.risk, isPublishable]).toEqual(['danger', false]);
    expect(faults).toEqual([]);
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'scan-ended', level: 'error', file: 'src/a.py' }),
    );
  });
});
