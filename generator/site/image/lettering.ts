/**
 * Lines of text in the typeface of pages: how wide they are, where they break, and their shapes with smooth edges. Only
 * additions and multiplications, so that the same text gives the same pixels on every machine.
 */
import table from './glyphs.json' with { type: 'json' };

export interface Face {
  readonly weight: 'regular' | 'bold';
  /** Pixels. */
  readonly size: number;
  /** Between letters, as a part of the size. */
  readonly spacing?: number;
}

/** How much of each pixel a letter covers, 0 to 255; `left` and `top` from the start of the letter on its line. */
interface Mask {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly cover: Uint8Array;
}

const UNITS = 1000;
/** Places of a letter between two pixels. */
const STEPS = 4;
/** Straight pieces of one curve. */
const PIECES = 6;
const ELLIPSIS = '…';

const WEIGHTS = {
  regular: weightOf(table.regular),
  bold: weightOf(table.bold),
};
const masks = new Map<string, Mask>();

/** `text` without what the typeface has no letter for. */
export function drawable(text: string, { weight }: Face): string {
  return Array.from(text, (one) => (WEIGHTS[weight].outlines.has(one) ? one : '')).join('');
}

/** Width in pixels. */
export function widthOf(text: string, face: Face): number {
  return placesOf(text, face).end;
}

/**
 * The lines of `text`, each at most `width` pixels wide. It breaks between words, inside of a word only when that alone is
 * wider; text after the last line is left out, and an ellipsis shows it.
 */
export function wrap(text: string, face: Face, width: number, most: number): string[] {
  const lines: string[] = [];
  let left = text.split(' ').filter((word) => word !== '');
  while (left.length > 0) {
    let count = 1;
    while (count < left.length && fits(left.slice(0, count + 1).join(' '))) count += 1;
    const isLast = lines.length === most - 1;
    if (isLast && (count < left.length || !fits(left[0]!))) {
      lines.push(
        `${longest(left.join(' '), (part) => fits(part + ELLIPSIS)).trimEnd()}${ELLIPSIS}`,
      );
      break;
    }
    const [word] = left;
    if (count > 1 || fits(word!)) {
      lines.push(left.slice(0, count).join(' '));
      left = left.slice(count);
    } else {
      const part = longest(word!, fits);
      lines.push(part);
      left = [word!.slice(part.length), ...left.slice(1)];
    }
  }
  return lines;

  function fits(line: string): boolean {
    return widthOf(line, face) <= width;
  }
}

/** The first characters of `text`, at least one, as many as fit. */
function longest(text: string, fits: (part: string) => boolean): string {
  let [from, to] = [1, text.length];
  while (from < to) {
    const middle = (from + to + 1) >> 1;
    if (fits(text.slice(0, middle))) from = middle;
    else to = middle - 1;
  }
  return text.slice(0, from);
}

/** The letters of `text` from `x`, each with the pixel from which its mask counts. */
export function lettersOf(text: string, face: Face, x: number): { start: number; mask: Mask }[] {
  const { places } = placesOf(text, face);
  return Array.from(text, (character, at) => {
    const steps = Math.round((x + places[at]!) * STEPS);
    return { start: Math.floor(steps / STEPS), mask: maskOf(character, face, steps % STEPS) };
  });
}

/** Where letters start, in pixels from the first one. */
function placesOf(text: string, face: Face): { places: number[]; end: number } {
  const { outlines, kernOf } = WEIGHTS[face.weight];
  const places: number[] = [];
  const spacing = (face.spacing ?? 0) * face.size;
  let [end, before] = [0, ''];
  for (const character of text) {
    const outline = outlines.get(character);
    if (outline === undefined)
      throw new RangeError(`There is no letter ${JSON.stringify(character)}`);
    if (before !== '') end += (kernOf(before, character) * face.size) / UNITS + spacing;
    places.push(end);
    end += (Number.parseInt(outline, 10) * face.size) / UNITS;
    before = character;
  }
  return { places, end };
}

function weightOf(face: (typeof table)['regular' | 'bold']) {
  const kerns = face.kerns.map((row) => row.split(' ').map(Number));
  const [left, right] = [face.left, face.right].map(
    (classes) =>
      new Map(classes.flatMap((group, at) => Array.from(group, (one) => [one, at] as const))),
  );
  return {
    outlines: new Map<string, string>(Object.entries(face.glyphs)),
    kernOf: (before: string, after: string): number =>
      kerns[left!.get(before) ?? -1]?.[right!.get(after) ?? -1] ?? 0,
  };
}

/** @param step how far right of a pixel the letter starts, in parts of it */
function maskOf(character: string, { weight, size }: Face, step: number): Mask {
  const key = `${weight} ${size} ${step} ${character}`;
  const known = masks.get(key);
  if (known !== undefined) return known;
  const lines = linesOf(WEIGHTS[weight].outlines.get(character)!, size / UNITS, step / STEPS);
  const mask = fill(lines);
  masks.set(key, mask);
  return mask;
}

/** The outline as straight lines `x, y, x, y`, in pixels, down. */
function linesOf(outline: string, scale: number, offset: number): number[] {
  const words = outline.split(' ');
  const lines: number[] = [];
  let [x, y, at] = [0, 0, 1];
  let start: readonly number[] | undefined;
  const next = (): number => Number(words[at++]) / 2;
  const lineTo = (toX: number, toY: number): void => {
    lines.push(x * scale + offset, -y * scale, toX * scale + offset, -toY * scale);
    [x, y] = [toX, toY];
  };
  while (at < words.length) {
    const kind = words[at++];
    const [firstX, firstY] = [x + next(), y + next()];
    if (kind === 'm') {
      if (start !== undefined) lineTo(start[0]!, start[1]!);
      start = [firstX, firstY];
      [x, y] = [firstX, firstY];
    } else if (kind === 'l') lineTo(firstX, firstY);
    else {
      const [fromX, fromY, endX, endY] = [x, y, x + next(), y + next()];
      for (let piece = 1; piece <= PIECES; piece += 1) {
        const [t, u] = [piece / PIECES, 1 - piece / PIECES];
        const [a, b, c] = [u * u, 2 * u * t, t * t];
        lineTo(a * fromX + b * firstX + c * endX, a * fromY + b * firstY + c * endY);
      }
    }
  }
  if (start !== undefined) lineTo(start[0]!, start[1]!);
  return lines;
}

/**
 * The pixels that closed lines enclose, by their signed areas: each line adds what it leaves free right of it, and the sum
 * from the left is the part that is covered.
 */
function fill(lines: readonly number[]): Mask {
  if (lines.length === 0) return { left: 0, top: 0, width: 0, height: 0, cover: new Uint8Array() };
  const xs = lines.filter((_, at) => at % 2 === 0);
  const ys = lines.filter((_, at) => at % 2 === 1);
  const [left, top] = [Math.floor(Math.min(...xs)), Math.floor(Math.min(...ys))];
  const width = Math.ceil(Math.max(...xs)) - left + 1;
  const height = Math.ceil(Math.max(...ys)) - top;
  const areas = new Float64Array(width * height + 1);
  for (let at = 0; at < lines.length; at += 4) {
    addLine(areas, width, [lines[at]! - left, lines[at + 1]! - top, lines[at + 2]! - left, lines[at + 3]! - top]); // oxfmt-ignore
  }
  const cover = new Uint8Array(width * height);
  for (let cell = 0, sum = 0; cell < cover.length; cell += 1) {
    sum = cell % width === 0 ? areas[cell]! : sum + areas[cell]!;
    cover[cell] = Math.round(Math.min(1, Math.abs(sum)) * 255);
  }
  return { left, top, width, height, cover };
}

function addLine(
  areas: Float64Array,
  width: number,
  [x0, y0, x1, y1]: [number, number, number, number],
): void {
  if (y0 === y1) return;
  const sign = y0 < y1 ? 1 : -1;
  const [topX, topY, endX, endY] = y0 < y1 ? [x0, y0, x1, y1] : [x1, y1, x0, y0];
  const slope = (endX - topX) / (endY - topY);
  for (let row = Math.floor(topY); row < endY; row += 1) {
    const [from, to] = [Math.max(row, topY), Math.min(row + 1, endY)];
    const [a, b] = [topX + (from - topY) * slope, topX + (to - topY) * slope];
    const [low, high] = a < b ? [a, b] : [b, a];
    const turn = sign * (to - from);
    const base = row * width;
    // Each column gets its share of the height of the line, less what lies left of the line in it.
    for (let column = Math.floor(low); column <= high; column += 1) {
      const [cut, end] = [Math.max(low, column), Math.min(high, column + 1)];
      const share = high === low ? turn : (turn * (end - cut)) / (high - low);
      const middle = (cut + end) / 2 - column;
      areas[base + column]! += share * (1 - middle);
      areas[base + column + 1]! += share * middle;
      if (high === low) break;
    }
  }
}
