/** How much of a material is tried: all of it in `test:deep`, a part of that in every run of the tests. */
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Set in the project `deep`. */
    isDeep?: boolean;
  }
}

const PART = 8;

/** True where the whole material is tried. */
export function isDeep(): boolean {
  return inject('isDeep') === true;
}

/** Of cases that differ only in a value: some of them, the first and the last included. */
export function some<T>(cases: readonly T[]): readonly T[] {
  if (isDeep()) return cases;
  return cases.filter((_, at) => at % PART === 0 || at === cases.length - 1);
}

/** The number of runs of a property, or of parts of an input, that are `full` in `test:deep`. */
export function runs(full: number): number {
  return isDeep() ? full : Math.ceil(full / PART);
}
