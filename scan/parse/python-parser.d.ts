import type { LRParser } from '@lezer/lr';

/** Python as of 3.14, with the node names of `@lezer/python`. */
export const parser: LRParser;
