/** What the reader of guides calls a fence is what a page shows as one. */
import fc from 'fast-check';
import { readFileSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readGuide, readMarkdown } from '../../../format/wiring/markdown.ts';
import { replaceHidden } from '../visible-text.ts';
import { renderMarkdown } from './render-markdown.ts';
import { runs } from '../../../tests/run/runs.ts';

/** The blocks of code on the page of `text`. */
function codeOnPage(text: string): string[] {
  const { html } = renderMarkdown(text, {
    prefix: 'p-',
    level: 3,
    resolve: () => undefined,
  });
  const blocks = html.toString().matchAll(/<pre tabindex="0"><code>([^]*?)\n<\/code><\/pre>/g);
  return Array.from(blocks, ([, code = '']) => code.replace(/<\/?span[^>]*>/g, ''));
}

/** As it is on a page. */
function asShown(code: string): string {
  const text = replaceHidden(code.replace(/\n$/, ''), (name) => `\\[${name}\\]`);
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function expectShown(text: string): void {
  const page = codeOnPage(text);
  const { fences, indented } = readMarkdown(text);
  const visible = fences
    .filter(({ hidden }) => hidden === undefined)
    .map((one) => asShown(one.text));
  // HTML may swallow what is behind it; nothing else becomes a block of code, except where white space is unclear: nothing of
  // such a text is carried out.
  const isUnclear = readGuide(text).fences.every(({ hidden }) => hidden !== undefined);
  if (!isUnclear) expect(page.length).toBeLessThanOrEqual(visible.length + indented.length);
  let at = 0;
  for (const fence of readGuide(text).fences) {
    if (fence.hidden !== undefined) continue;
    const found = page.indexOf(asShown(fence.text), at);
    expect(found).toBeGreaterThanOrEqual(at);
    at = found + 1;
  }
}

test('a page shows every fence that the reader calls shown, in order', () => {
  const part = fc.constantFrom(
    ...'```\n|~~~\n|```ts wire import @express\n|~~~text wire lines a\n|````md\n|\n|\n\n|\t|    |   |  |- |1. |2) |> |a|a | b|-|=|<!--|-->|<div hidden>|</div>|<div>|<table><tr><td>|</td></tr></table>|<details>|</details>|<summary>|</summary>|<a title="|">|<b>|</b>|<br>|<!--->|--!>|<?|?>|[a]: b|"|## Steps|\\|`|&#96;|\u200b|\v|\f|\u2028|\u0000|<|>|<x-y |/>'.split(
      '|',
    ),
    ' | ',
    '\n|-|-|\n',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      expect(() => expectShown(parts.join(''))).not.toThrow();
    }),
    { numRuns: runs(3000) },
  );
});

test.each(
  globSync('builds/stackyard/*/{README,INTEGRATION}.md', {
    cwd: join(import.meta.dirname, '../../..'),
  }),
)('the page of %s shows its fences and no other', (path) => {
  const text = readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');
  const { fences, indented } = readGuide(text);
  expect(fences.every(({ hidden }) => hidden === undefined)).toBe(true);
  expect(fences.length).toBeGreaterThan(0);
  expect(codeOnPage(text)).toHaveLength(fences.length + indented.length);
  expectShown(text);
});
