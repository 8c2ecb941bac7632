import { expect, it } from 'vitest';
import type { Manifest } from '../format/build/manifest.ts';
import { publishFinding } from '../format/finding/finding.ts';
import { checkStackRanges } from './stack-range.ts';

it('checkStackRanges() names range, version and failure', () => {
  const manifest = { version: '1.1.0', dependencies: { npm: { zod: '>=3.0.0' } } };
  const day = '2026-11-23';
  const found = checkStackRanges(manifest as unknown as Manifest, undefined, [
    {
      version: '1.0.0',
      results: [
        {
          tag: 'zod',
          version: '3.1.0',
          others: 'newest',
          with: {},
          outcome: 'failed',
          step: 'load',
          error: ['TypeError: z.email is not a function'],
          date: day,
          since: day,
        },
      ],
    },
  ]);
  expect(found.map(publishFinding)).toEqual([
    {
      level: 'info',
      code: 'stack-range-unproven',
      file: 'stackyard.json',
      message:
        'Range ">=3.0.0" of "zod" admits 3.1.0, with which version 1.0.0 failed: loading the code: TypeError: z.email is not a function',
    },
  ]);
});
