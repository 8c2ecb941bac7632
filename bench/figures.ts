/** Figures of measurements: their middle, ratios in pairs, and lines of a report. */
import { loadavg } from 'node:os';

/** Failures by name, with their number. */
export function describe(failures: ReadonlyMap<string, number>): string {
  return [...failures].map(([name, count]) => `${count} x ${name}`).join(', ');
}

/** With one decimal below 100, otherwise a whole number. */
export function figure(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0);
}

/** The load average of the last minute. */
export function readLoadAverage(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}

/** One line of the report. */
export function print(name: string, value: string): void {
  console.log(`${name.padEnd(44)} ${value}`);
}

/** The measurements of one slice and of the slice of the floor next to it. */
export interface Pair {
  readonly perSecond: number;
  readonly cpuMs: number;
}

/** The medians over all pairs. */
interface PairedRatio {
  /** Responses per second, relative to the floor: 0.9 is 90 %. */
  readonly perSecond: number;
  /** Processor time per response, relative to the floor: 1.25 is a quarter more. */
  readonly cpu: number;
  readonly pairs: number;
}

/**
 * Compares slice by slice, of measurements that alternate, A B A B ...: other work on the machine affects both halves of a pair
 * alike, and the median excludes the pairs in which it affected only one.
 * @throws {RangeError} when the numbers of slices differ or are 0
 */
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
