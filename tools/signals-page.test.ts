/** The examples of `docs/signals.md` are read by the schemas that they show, and its codes are all there are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseDocument } from '../format/document/document.ts';
import { Moderation } from '../format/registry/moderation.ts';
import { Report } from '../format/statement/statement.ts';
import { Signals } from '../format/registry/signals.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGE = readFileSync(join(ROOT, 'docs/signals.md'), 'utf8');

test.each([
  ['signals', Signals],
  ['report', Report],
  ['moderation', Moderation],
] as const)('docs/signals.md shows a valid document "%s"', (name, schema) => {
  const [, text = ''] = new RegExp(`^\`\`\`json ${name}\\n([^]*?)^\`\`\`$`, 'm').exec(PAGE) ?? [];
  const written: unknown = JSON.parse(text);
  expect(parseDocument(schema, new TextEncoder().encode(text), name)).toEqual(written);
});

test('docs/signals.md explains every refusal', () => {
  const source = readFileSync(join(ROOT, 'generator/statements.ts'), 'utf8');
  const codes = [...source.matchAll(/'(statement-[a-z-]+)'/g)].map(([, code = '']) => code);
  expect(codes.length).toBeGreaterThan(0);
  for (const code of codes) expect(PAGE).toContain(`\`${code}\``);
});
