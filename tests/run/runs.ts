/** How often a property is tried: often in `test:long`, a part of that in every run of the tests. */
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Set in the project `long`. */
    isLong?: boolean;
  }
}

const PART = 4;

/** True where the whole material is tried. */
export function isLong(): boolean {
  return inject('isLong') === true;
}

/** The number of runs of a property that has `full` runs in `test:long`. */
export function runs(full: number): number {
  return isLong() ? full : Math.ceil(full / PART);
}
