/** Writes the letters that images of builds are drawn with, from the typeface of pages; `--check` only compares. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runUpdate } from './generated-file.ts';

const require = createRequire(import.meta.url);

/** Names of builds are bold: no other text is. */
const WEIGHTS = { regular: { file: 400, only: /./ }, bold: { file: 600, only: /[a-z0-9-]/ } };
/** What an image shows of other text. */
const SHOWN = /[\u0020-\u007E\u00A0-\u00AC\u00AE-\u017F\u2010-\u2026]/;

/** What is used of the parser, which has no types. Coordinates go up, in font units. */
interface Font {
  readonly unitsPerEm: number;
  readonly tables: { readonly cmap: { readonly glyphIndexMap: Readonly<Record<string, number>> } };
  charToGlyph(character: string): Glyph;
  getKerningValue(left: Glyph, right: Glyph): number;
}

interface Glyph {
  readonly advanceWidth: number;
  readonly path: { readonly commands: readonly Command[] };
}

type Point = readonly [number, number];
interface Command {
  readonly type: 'M' | 'L' | 'Q' | 'Z';
  readonly x: number;
  readonly y: number;
  readonly x1: number;
  readonly y1: number;
}

function glyphsFile(): string {
  const { version } = require('@fontsource/geist/package.json') as { readonly version: string };
  const faces = Object.entries(WEIGHTS).map(([name, { file, only }]) => {
    return [name, faceOf(readFont(file), only)] as const;
  });
  const content = { origin: `@fontsource/geist ${version}`, ...Object.fromEntries(faces) };
  return `${JSON.stringify(content, null, 2)}\n`;
}

function readFont(weight: number): Font {
  const { parse } = require('@shuding/opentype.js') as {
    readonly parse: (bytes: ArrayBuffer) => Font;
  };
  const path = require.resolve(`@fontsource/geist/files/geist-latin-${weight}-normal.woff`);
  const font = parse(new Uint8Array(readFileSync(path)).buffer);
  if (font.unitsPerEm !== 1000) throw new RangeError(`Typeface ${path} has other units`);
  return font;
}

function faceOf(font: Font, only: RegExp): object {
  const characters = Object.keys(font.tables.cmap.glyphIndexMap)
    .map((point) => String.fromCodePoint(Number(point)))
    .filter((character) => SHOWN.test(character) && only.test(character));
  const glyphs = characters.map((character) => font.charToGlyph(character));
  const rows = glyphs.map((left) => glyphs.map((right) => font.getKerningValue(left, right)));
  const columns = glyphs.map((_, at) => rows.map((row) => row[at]!));
  const [left, right] = [rows, columns].map((lines) => classesOf(characters, lines));
  const first = (group: string): number => characters.indexOf(group[0]!);
  return {
    glyphs: Object.fromEntries(characters.map((one, at) => [one, outlineOf(glyphs[at]!)])),
    left,
    right,
    kerns: left!.map((row) => right!.map((column) => rows[first(row)]![first(column)]).join(' ')),
  };
}

/** Characters whose lines are equal, without those that are never moved. */
function classesOf(characters: readonly string[], lines: readonly (readonly number[])[]): string[] {
  const classes = new Map<string, string>();
  for (const [at, line] of lines.entries()) {
    if (line.every((value) => value === 0)) continue;
    classes.set(line.join(' '), (classes.get(line.join(' ')) ?? '') + characters[at]);
  }
  return [...classes.values()];
}

/** The advance, and the curves from point to point: in half units, because a point may lie between two. */
function outlineOf({ advanceWidth, path }: Glyph): string {
  let from: Point = [0, 0];
  const words: (string | number)[] = [advanceWidth];
  for (const { type, x, y, x1, y1 } of path.commands) {
    if (type === 'Z' || (type === 'L' && x === from[0] && y === from[1])) continue;
    const points: Point[] = type === 'Q' ? [[x1, y1], [x, y]] : [[x, y]]; // oxfmt-ignore
    words.push(type.toLowerCase());
    for (const [toX, toY] of points) words.push((toX - from[0]) * 2, (toY - from[1]) * 2);
    from = [x, y];
  }
  if (!words.slice(1).every((word) => typeof word === 'string' || Number.isInteger(word))) {
    throw new RangeError('A point is not at a half unit');
  }
  return words.join(' ');
}

if (import.meta.main) {
  runUpdate(
    [{ path: 'generator/site/image/glyphs.json', text: glyphsFile() }],
    'node tools/write-glyphs.ts',
  );
}
