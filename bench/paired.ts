// Ratios of two things that were measured in turn, A B A B ...: what else the machine does in the meantime disturbs both
// halves of a pair alike, and the median leaves out the pairs of which it hit only one.

/** What was measured in one slice, and in the slice of the floor next to it. */
export interface Pair {
  readonly perSecond: number;
  readonly cpuMs: number;
}

/** The medians over all pairs. */
export interface PairedRatio {
  /** Answers per second, of those of the floor: 0.9 is 90 %. */
  readonly perSecond: number;
  /** Processor time for one answer, of that of the floor: 1.25 is a quarter more. */
  readonly cpu: number;
  readonly pairs: number;
}

/** Compares slice by slice. Throws `RangeError` when they are not as many, or none. */
export function comparePairs(slices: readonly Pair[], floors: readonly Pair[]): PairedRatio {
  if (slices.length !== floors.length || slices.length === 0) {
    throw new RangeError(`Cannot pair ${slices.length} slices with ${floors.length}`);
  }
  const ratios = (value: (pair: Pair) => number): number[] =>
    slices.map((slice, index) => value(slice) / value(floors[index]!));
  return {
    perSecond: median(ratios(({ perSecond }) => perSecond)),
    cpu: median(ratios(({ cpuMs }) => cpuMs)),
    pairs: slices.length,
  };
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[Math.ceil(middle) - 1],
    sorted[Math.floor(middle)],
  ];
  return (low + high) / 2;
}
