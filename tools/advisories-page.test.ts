/** The example of `docs/trust.md` is an advisory. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Advisory } from '../format/advisory/advisory.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../docs/trust.md'), 'utf8');

test('docs/trust.md shows a valid advisory', () => {
  const [, text = ''] = /^```json advisory\n([^]*?)^```$/m.exec(PAGE) ?? [];
  expect(Advisory.parse(JSON.parse(text))).toMatchObject({ id: 'x_STACKYARD-2026-0001' });
});
