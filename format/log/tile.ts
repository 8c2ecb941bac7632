/**
 * Tiles: the hashes of a tree in files of 256, C2SP tlog-tiles. Tile `index` at `level` holds the hashes of the
 * complete subtrees of 256^level leaves from number 256 * index on. Entry bundles hold the entries of a tile at level 0.
 *
 *     tile/0/000         tile/1/x001/234.p/17         tile/entries/x001/x234/067
 */
import { isTreeSize } from './tree-size.ts';

export const TILE_WIDTH = 256;
/** Hashes of a full tile are leaves of a subtree of this height. */
export const TILE_HEIGHT = 8;
/** Above this level no tree of at most 2^53 - 1 leaves has a tile. */
const MAX_LEVEL = 63;

/** A tile; `width` is the number of its hashes, 1 to 256. */
export interface Tile {
  readonly level: number;
  readonly index: number;
  readonly width: number;
}

/** The entries of a tile at level 0. */
type Bundle = Omit<Tile, 'level'>;

/** The path of a tile below the log's prefix. */
export function tilePath({ level, index, width }: Tile): string {
  return `tile/${level}/${indexPath(index)}${partialEnding(width)}`;
}

/** The path of an entry bundle below the log's prefix. */
export function bundlePath({ index, width }: Bundle): string {
  return `tile/entries/${indexPath(index)}${partialEnding(width)}`;
}

/** A path below the log's prefix. */
export type LogPath =
  | { readonly kind: 'checkpoint' }
  | { readonly kind: 'tile'; readonly tile: Tile }
  | { readonly kind: 'bundle'; readonly bundle: Bundle };

/** The inverse of `tilePath` and `bundlePath`; `undefined` for a path that no log has. */
export function parseLogPath(path: string): LogPath | undefined {
  if (path === 'checkpoint') return { kind: 'checkpoint' };
  const match =
    /^tile\/(entries|0|[1-9][0-9]?)\/((?:x[0-9]{3}\/)*[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/.exec(
      path,
    );
  if (match === null) return undefined;
  const [, level = '', elements = '', partial] = match;
  const index = Number(elements.replaceAll(/[x/]/g, ''));
  const width = partial === undefined ? TILE_WIDTH : Number(partial);
  const isPlain = isTreeSize(index) && indexPath(index) === elements;
  if (!isPlain || (partial !== undefined && width >= TILE_WIDTH)) return undefined;
  if (level === 'entries') return { kind: 'bundle', bundle: { index, width } };
  if (Number(level) > MAX_LEVEL) return undefined;
  return { kind: 'tile', tile: { level: Number(level), index, width } };
}

/** How many hashes tile `index` at `level` has in a tree of `size` leaves: 0 to 256. */
export function tileWidth(size: number, level: number, index: number): number {
  const hashes = Math.floor(size / TILE_WIDTH ** level);
  return Math.min(TILE_WIDTH, Math.max(0, hashes - index * TILE_WIDTH));
}

function indexPath(index: number): string {
  if (!isTreeSize(index)) throw new RangeError(`${index} is no index of a tile`);
  const digits = String(index);
  const elements = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.{3}/g) ?? [];
  return elements.map((e, at) => (at < elements.length - 1 ? `x${e}` : e)).join('/');
}

function partialEnding(width: number): string {
  if (!Number.isInteger(width) || width < 1 || width > TILE_WIDTH) {
    throw new RangeError(`${width} is no width of a tile`);
  }
  return width === TILE_WIDTH ? '' : `.p/${width}`;
}
