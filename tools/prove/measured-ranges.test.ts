import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { measuredRanges, withMeasuredRanges } from './measured-ranges.ts';

const DAY = { date: '2026-11-23', since: '2026-11-23' };
const GOOD = {
  tag: 'express',
  version: '5.3.0',
  others: 'newest',
  with: {},
  outcome: 'ok',
  ...DAY,
};
const BAD = { ...GOOD, version: '4.10.0', outcome: 'failed', step: 'types', error: ['TS1: `x`'] };

function repository(files: Readonly<Record<string, unknown>>): string {
  const root = mkdtempSync(join(tmpdir(), 'stackyard-test-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(value));
  }
  return root;
}

it('measuredRanges() lists every build, range, version and failure', () => {
  const manifest = {
    name: 'web',
    version: '1.0.0',
    kind: 'module',
    description: 'A web',
    license: 'MIT',
    stack: { requires: { express: '>=4.10.0' } },
  };
  const text = measuredRanges(
    repository({
      'builds/stackyard/web/stackyard.json': manifest,
      'signals/stackyard/web.matrix.json': {
        versions: [{ version: '1.0.0', results: [BAD, GOOD] }],
      },
    }),
  );
  expect(text).toContain('### `stackyard/web` 1.0.0, 2026-11-23');
  expect(text).toContain('| `express` | `>=4.10.0` | 5.3.0 | 4.10.0 | 4.10.0 failed, 5.3.0 good |');
  expect(text).toContain(
    "- `express` 4.10.0 with the newest of the others fails at type check: `TS1: 'x'`",
  );
});

it('withMeasuredRanges() puts the section first, and replaces it', () => {
  const page = '# Page\n\nText.\n\n## Compilers\n\nOther.\n';
  const once = withMeasuredRanges(page, '## Measured ranges\n\nA');
  expect(once).toBe('# Page\n\nText.\n\n## Measured ranges\n\nA\n\n## Compilers\n\nOther.\n');
  expect(withMeasuredRanges(once, '## Measured ranges\n\nA')).toBe(once);
  expect(withMeasuredRanges(once, '## Measured ranges\n\nB')).toContain('\nB\n\n## Compilers');
});
