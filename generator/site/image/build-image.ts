/**
 * The image of a build for previews elsewhere: what it is called, what it does, its facts. Downloads are not on it: they
 * would change it every day.
 */
import { crc32 } from 'node:zlib';
import type { BuildView } from '../build/build-view.ts';
import { plain } from '../html.ts';
import type { Site } from '../site.ts';
import { drawable, lettersOf, widthOf, wrap, type Face } from './lettering.ts';
import { deflateRows } from './deflate-rows.ts';

const [WIDTH, HEIGHT] = [1200, 630];
const LEFT = 80;
const TEXT_WIDTH = WIDTH - 2 * LEFT;

/** The colours: from the background to the brightest of each, in equal steps. */
const BACKGROUND = [0x0c, 0x10, 0x13];
const GREY = { colour: [0xe8, 0xed, 0xf0], steps: 11, first: 0 };
const GREEN = { colour: [0x5f, 0xd3, 0xb4], steps: 4, first: GREY.steps };
const COLOURS = [
  BACKGROUND,
  ...[GREY, GREEN].flatMap(({ colour, steps }) =>
    Array.from({ length: steps }, (_, step) => {
      return BACKGROUND.map((from, at) => {
        return Math.round(from + ((colour[at]! - from) * (step + 1)) / steps);
      });
    }),
  ),
];

/** How texts are written; `light` is how many of the steps of its colour a text uses. */
interface Style extends Face {
  readonly ramp: { readonly steps: number; readonly first: number };
  readonly light: number;
}

const OWNER: Style = { weight: 'regular', size: 38, ramp: GREY, light: 7 };
const DESCRIPTION: Style = { weight: 'regular', size: 36, ramp: GREY, light: 8 };
const FACTS: Style = { weight: 'regular', size: 30, ramp: GREEN, light: GREEN.steps };
const SITE_NAME: Style = { weight: 'regular', size: 30, ramp: GREY, light: 7 };
const NAME_SIZES = [92, 80, 70, 60];

/** The image as PNG, 1200 by 630 pixels. The same facts give the same bytes. */
export function buildImage(site: Site, { id, latest, head }: BuildView): Uint8Array {
  const rows = emptyRows(WIDTH, HEIGHT);
  const [owner = '', name = ''] = id.split('/');
  const [above = ''] = wrap(`${owner}\u00A0/`, OWNER, TEXT_WIDTH, 1);
  write(rows, above, OWNER, [LEFT, 110]);
  const { names, style } = nameLines(name);
  for (const [at, line] of names.entries()) {
    write(rows, line, style, [LEFT, 122 + style.size * (0.9 + 1.1 * at)]);
  }
  const description = drawable(plain(latest.description), DESCRIPTION);
  const top = 186 + 1.1 * style.size * names.length;
  for (const [at, line] of wrap(description, DESCRIPTION, TEXT_WIDTH, 3).entries()) {
    write(rows, line, DESCRIPTION, [LEFT, top + DESCRIPTION.size * 1.4 * at]);
  }
  const [shown = ''] = wrap(drawable(plain(site.name), SITE_NAME), SITE_NAME, 400, 1);
  const right = WIDTH - LEFT - widthOf(shown, SITE_NAME);
  write(rows, shown, SITE_NAME, [right, 549]);
  const state = head.deprecated === undefined ? `risk ${latest.risk}` : 'deprecated';
  const facts = [latest.version, latest.kind, `quality ${latest.quality}`, state].join(' · ');
  const [line = ''] = wrap(facts, FACTS, right - LEFT - 40, 1);
  write(rows, line, FACTS, [LEFT, 549]);
  return encodePng(rows, COLOURS, WIDTH);
}

/** On one line if a smaller size makes it fit; else on two, broken after a dash where there is one. */
function nameLines(name: string): { names: readonly string[]; style: Style } {
  const styles = NAME_SIZES.map((size): Style => ({
    weight: 'bold',
    size,
    spacing: -1 / 32,
    ramp: GREY,
    light: GREY.steps,
  }));
  const style = styles.find((one) => widthOf(name, one) <= TEXT_WIDTH);
  if (style !== undefined) return { names: [name], style };
  for (const one of [styles.at(-1)!, { ...styles.at(-1)!, size: 48 }]) {
    const parts = name.split(/(?<=-)/);
    const whole = parts.map((_, at) =>
      [parts.slice(0, at), parts.slice(at)].map((p) => p.join('')),
    );
    const broken = Array.from(name, (_, at) => [name.slice(0, at), name.slice(at)]);
    for (const names of [...whole.toReversed(), ...broken.toReversed()]) {
      if (names.every((line) => widthOf(line, one) <= TEXT_WIDTH)) return { names, style: one };
    }
  }
  throw new RangeError(`The name ${JSON.stringify(name)} is longer than names may be`);
}

function write(
  rows: Uint8Array,
  text: string,
  style: Style,
  [x, y]: readonly [number, number],
): void {
  const { ramp, light } = style;
  for (const { start, mask } of lettersOf(text, style, x)) {
    const { width, height, cover } = mask;
    const [left, top] = [start + mask.left, Math.round(y) + mask.top];
    for (let row = 0, cell = 0; row < height; row += 1) {
      for (let column = 0; column < width; column += 1, cell += 1) {
        const step = (cover[cell]! * light + 127) >> 8;
        if (step > 0) brighten(rows, WIDTH, left + column, top + row, ramp.first + step);
      }
    }
  }
}

/** PNG with up to 16 colours, four bits for each pixel (PNG, third edition, 11.2). */
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Rows of pixels in colour 0, each after the byte of its filter, which is none. @param width even */
function emptyRows(width: number, height: number): Uint8Array {
  return new Uint8Array((width / 2 + 1) * height);
}

/** Gives the pixel `x`, `y` the colour `colour` if that is a higher one than it has. */
function brighten(rows: Uint8Array, width: number, x: number, y: number, colour: number): void {
  const at = (width / 2 + 1) * y + 1 + (x >> 1);
  const shift = x % 2 === 0 ? 4 : 0;
  const old = rows[at]!;
  if (((old >> shift) & 15) < colour) rows[at] = (old & (240 >> shift)) | (colour << shift);
}

/** The file. @param colours red, green, blue of each colour */
function encodePng(
  rows: Uint8Array,
  colours: readonly (readonly number[])[],
  width: number,
): Uint8Array {
  const stride = width / 2 + 1;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(rows.length / stride, 4);
  header.set([4, 3], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colours.flat())),
    chunk('IDAT', deflateRows(rows, stride)),
    chunk('IEND', new Uint8Array()),
  ]);
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(name, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), data.length + 8);
  return bytes;
}
