/** What the generator remembers of the search data between runs. */
import type { SearchBuild } from './search-build.ts';

/** A leaf without its terms. */
export interface LeafSize {
  readonly name: string;
  /** The sum of `sizeOf` its terms. */
  readonly size: number;
  /** How many terms it has. */
  readonly terms: number;
}

/** The tables of the state that belong to search. */
export interface SearchStore {
  /** All leaves, in any order. */
  leaves(): LeafSize[];
  leaf(name: string): Uint8Array | undefined;
  setLeaf(leaf: LeafSize, content: Uint8Array): void;
  dropLeaf(name: string): void;

  node(name: string): Uint8Array | undefined;
  setNode(name: string, content: Uint8Array): void;
  dropNode(name: string): void;

  /** Names of the pages of the order. */
  pages(): string[];
  page(name: string): Uint8Array | undefined;
  setPage(name: string, content: Uint8Array): void;
  dropPage(name: string): void;

  /** The number of a build and what search shows of it so far. */
  build(id: string): { number: number; build: SearchBuild } | undefined;
  setBuild(number: number, build: SearchBuild): void;
  /** How many builds have a number; the numbers are 0 to this. */
  count(): number;
  /** The numbers of the builds that searches show, in the order of `compareStanding`. */
  inOrder(): number[];
}
