/** Offsets in a text to lines and columns. */
import type { FindingPlace } from '../../format/finding/finding.ts';

/** Finds the line and column of an offset; the lines are counted once. */
export class LineTable {
  readonly #starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      starts.push(at + 1);
    }
    this.#starts = starts;
  }

  /** @param offset in UTF-16 units */
  place(offset: number, length: number): FindingPlace {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - this.#starts[low]! + 1, length };
  }
}
