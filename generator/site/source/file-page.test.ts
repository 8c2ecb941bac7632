import { expect, it } from 'vitest';
import { SITE } from '../../../tests/site/build-view.ts';
import { filePage } from './file-page.ts';

const NAME = { id: 'alice/web', version: '1.0.0' };

async function pageOf(path: string, bytes: Uint8Array | string): Promise<string> {
  const file = { path, bytes: Buffer.from(bytes) };
  return (await filePage(SITE, { ...NAME, file }, undefined))?.page ?? '';
}

it('filePage() has a place for each line, and shows markup as text', async () => {
  const page = await pageOf('src/a.svg', '<svg onload="x">\r\n</svg>\n');
  expect(page).toContain('id="L2"');
  expect(page).not.toContain('id="L3"');
  expect(page).toContain('&lt;svg onload=&quot;x&quot;&gt;');
  expect(page).toContain('2 lines, ');
  expect(page).toContain('/raw/src/a.svg.txt">Plain text</a>');
});

it('filePage() shows the beginning of a long file, and of one with a very long line', async () => {
  for (const text of ['x\n'.repeat(5_000), 'x'.repeat(300_000)]) {
    const page = await pageOf('a.txt', text);
    expect(page.length).toBeLessThan(400_000);
    expect(page).toContain('The file is long');
  }
});

it('filePage() does not show what is not text, and has no page for a path that is too long', async () => {
  expect(await pageOf('a.bin', Uint8Array.of(0, 255, 254))).toContain('This file is not text.');
  expect(await pageOf(`${'x'.repeat(300)}.ts`, '')).toBe('');
});
