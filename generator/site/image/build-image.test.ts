import { createHash } from 'node:crypto';
import { crc32, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { SITE, buildView } from '../../../tests/site/build-view.ts';
import { buildImage } from './build-image.ts';

/** Checks the form of the file. @returns the drawn pixels, by colour */
function pixelsOf(image: Uint8Array): { colours: Buffer; at: (x: number, y: number) => number } {
  const bytes = Buffer.from(image);
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    expect(bytes.readUInt32BE(end)).toBe(crc32(bytes.subarray(at + 4, end)));
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, end));
    at = end + 4;
  }
  expect([...chunks.keys()]).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
  expect(chunks.get('IHDR')!.toString('hex')).toBe('000004b0000002760403000000');
  const rows = inflateSync(chunks.get('IDAT')!);
  expect(rows.length).toBe(601 * 630);
  const at = (x: number, y: number): number =>
    (rows[y * 601 + 1 + (x >> 1)]! >> (x % 2 === 0 ? 4 : 0)) & 15;
  return { colours: chunks.get('PLTE')!, at };
}

function inkIn(image: Uint8Array, [x0, y0, x1, y1]: number[]): Set<number> {
  const { at } = pixelsOf(image);
  const found = new Set<number>();
  for (let y = y0!; y < y1!; y += 1) for (let x = x0!; x < x1!; x += 1) found.add(at(x, y));
  return found;
}

const ALL = [0, 0, 1200, 630];
const MARGINS = [[0, 0, 75, 630], [1125, 0, 1200, 630], [0, 0, 1200, 70], [0, 570, 1200, 630]]; // oxfmt-ignore

test('buildImage() gives the same bytes for the same facts, on every machine', () => {
  const view = buildView({ description: 'Accounts — “sign-up”, Übergrößen' });
  const image = buildImage(SITE, view);
  const downloaded = { ...view, latest: { ...view.latest, downloads: 9 } };
  expect(Buffer.from(buildImage(SITE, downloaded))).toEqual(Buffer.from(image));
  expect(createHash('sha256').update(image).digest('hex')).toBe(
    '527e97f997f083f2931c02f468f7d390a9d3aba6fbd166f8bce9e2030f96a198',
  );
  expect(image.length).toBeLessThan(25_000);
});

test.each([
  ['hostile text', {}, '<script>\u202E \u{1F600} \u4e2d '.repeat(50)],
  ['one endless word', {}, 'W'.repeat(1000)],
  ['nothing that the typeface has', {}, '\u4e2d\u6587'],
  ['a name without an end', { id: `${'m'.repeat(39)}/${'w'.repeat(50)}` }, 'x'],
  ['a name of dashes', { id: `a/${'w-'.repeat(24)}w` }, 'x '.repeat(200)],
  ['a version without an end', { version: `1.0.0-${'w'.repeat(120)}` }, 'x'],
])('buildImage() draws %s inside of its margins', (_, changes, description) => {
  const view = buildView({ ...changes, description });
  const image = buildImage(SITE, { ...view, id: view.latest.id });
  for (const margin of MARGINS) expect(inkIn(image, margin)).toEqual(new Set([0]));
});

test.each(Array.from('abcdefghijklmnopqrstuvwxyz0123456789'))(
  'buildImage() has room for 50 times %s',
  (one) => {
    const view = buildView();
    const image = buildImage(SITE, { ...view, id: `${one.repeat(39)}/${one.repeat(50)}` });
    expect(inkIn(image, [1125, 0, 1200, 630])).toEqual(new Set([0]));
  },
);

test('buildImage() uses 16 colours: the background, grey and green with smooth edges', () => {
  const image = buildImage(SITE, buildView());
  expect(pixelsOf(image).colours.length).toBe(48);
  expect(inkIn(image, ALL).size).toBe(16);
  expect([...inkIn(image, [80, 515, 600, 560])].every((one) => one === 0 || one > 11)).toBe(true);
});
