import { expect, it } from 'vitest';
import { SITE } from '../../../tests/site/build-view.ts';
import { filePage } from './file-page.ts';

const NAME = { id: 'alice/web', version: '1.0.0' };

function pageOf(path: string, bytes: Uint8Array | string): string {
  const file = { path, bytes: Buffer.from(bytes) };
  return filePage(SITE, { ...NAME, file }, false)?.page ?? '';
}

it('filePage() has a place for each line, and shows markup as text', () => {
  const page = pageOf('src/a.svg', '<svg onload="x">\r\n</svg>\n');
  expect(page).toContain('id="L2"');
  expect(page).not.toContain('id="L3"');
  expect(page).toContain('&lt;svg onload=&quot;x&quot;&gt;');
  expect(page).toContain('2 lines, ');
  expect(page).toContain('/raw/src/a.svg.txt">Plain text</a>');
});

it('filePage() shows the beginning of a long file, and of one with a very long line', () => {
  for (const text of ['x\n'.repeat(5_000), 'x'.repeat(300_000)]) {
    const page = pageOf('a.txt', text);
    expect(page.length).toBeLessThan(400_000);
    expect(page).toContain('The file is long');
  }
});

it('filePage() does not show what is not text, and has no page for a path that is too long', () => {
  expect(pageOf('a.bin', Uint8Array.of(0, 255, 254))).toContain('This file is not text.');
  expect(pageOf(`${'x'.repeat(300)}.ts`, '')).toBe('');
});
