/** How much of a material is tried: all of it in `test:deep` and `test:long`, a part of that in every run of the tests. */
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Set in the projects `deep` and `long`. */
    isLong?: boolean;
  }
}

const PART = 8;

/** True where the whole material is tried. */
export function isLong(): boolean {
  return inject('isLong') === true;
}

/** Of cases that differ only in a value: some of them, the first and the last included. */
export function some<T>(cases: readonly T[]): readonly T[] {
  if (isLong()) return cases;
  return cases.filter((_, at) => at % PART === 0 || at === cases.length - 1);
}

/** The number of runs of a property, or of parts of an input, that are `full` there. */
export function runs(full: number): number {
  return isLong() ? full : Math.ceil(full / PART);
}
