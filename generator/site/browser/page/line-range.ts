/** A range of lines in the hash of an address: `#L3` or `#L3-L9`. */

export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** `undefined` for another hash. */
export function tryParseLineRange(hash: string): LineRange | undefined {
  const match = /^#L(\d{1,7})(?:-L(\d{1,7}))?$/.exec(hash);
  if (match === null) return undefined;
  const [a, b] = [Number(match[1]), Number(match[2] ?? match[1])];
  return { from: Math.min(a, b), to: Math.max(a, b) };
}

/** The inverse of `tryParseLineRange`. */
export function formatLineRange({ from, to }: LineRange): string {
  return from === to ? `#L${from}` : `#L${from}-L${to}`;
}
