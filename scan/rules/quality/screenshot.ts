/**
 * `screenshot.png` or `screenshot.webp` at the root of a build: its page shows the picture where it is within bounds. The bytes come
 * from a publisher: only sizes in the header are read, and nothing is decoded.
 */
import { finding } from '../../../format/finding/finding.ts';
import { contentType } from '../../text/content-type.ts';
import { ruleOfFiles } from '../../rule.ts';

export const SCREENSHOT_FILES = ['screenshot.png', 'screenshot.webp'] as const;

const MAX_BYTES = 400_000;
const SIDE = { min: 200, max: 2_400 };

/** In pixels, or why the picture is not shown. */
export function readScreenshot(
  path: string,
  bytes: Uint8Array,
): { width: number; height: number } | string {
  if (bytes.length > MAX_BYTES) return `it has ${bytes.length} bytes, and may have ${MAX_BYTES}`;
  const type = contentType(bytes);
  if (!path.endsWith(`.${type}`)) return 'its content is of another type than its name';
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = type === 'png' ? sizeOfPng(view) : sizeOfWebp(view);
  if (size === undefined) return 'it is no whole picture, or moves';
  const isGood = size.every((side) => side >= SIDE.min && side <= SIDE.max);
  const [width, height] = size;
  return isGood
    ? { width, height }
    : `it has ${width} x ${height} pixels: ${SIDE.min} to ${SIDE.max} are shown`;
}

/** PNG, third edition: the first chunk is IHDR, the last IEND; acTL is in front of the data of pictures that move. */
function sizeOfPng(view: Buffer): [number, number] | undefined {
  const isWhole =
    view.toString('latin1', 12, 16) === 'IHDR' &&
    view.toString('latin1', view.length - 8, view.length - 4) === 'IEND';
  if (!isWhole || view.length < 57 || view.includes('acTL')) return undefined;
  return [view.readUInt32BE(16), view.readUInt32BE(20)];
}

/** RFC 9649: the first chunk is VP8 (lossy), VP8L (lossless) or VP8X, whose flag 2 is for pictures that move. */
function sizeOfWebp(view: Buffer): [number, number] | undefined {
  if (view.length < 30 || view.readUInt32LE(4) !== view.length - 8) return undefined;
  const chunk = view.toString('latin1', 12, 16);
  if (chunk === 'VP8 ' && view.readUIntBE(23, 3) === 0x9d012a) {
    return [view.readUInt16LE(26) & 0x3fff, view.readUInt16LE(28) & 0x3fff];
  }
  if (chunk === 'VP8L' && view[20] === 0x2f) {
    const bits = view.readUInt32LE(21);
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
  }
  if (chunk !== 'VP8X' || (view[20]! & 2) !== 0) return undefined;
  return [view.readUIntLE(24, 3) + 1, view.readUIntLE(27, 3) + 1];
}

export const screenshot = ruleOfFiles('screenshot', ({ path, bytes }) => {
  const isOne = SCREENSHOT_FILES.some((name) => name === path);
  const read = isOne ? readScreenshot(path, bytes) : undefined;
  return typeof read === 'string' ? [finding('screenshot-unusable', path, { why: read })] : [];
});
