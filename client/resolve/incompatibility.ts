/**
 * A set of terms that are not all true of any solution, with the reason. One term forbids versions of a build;
 * `{ a 1.0.0, not b ^2.0.0 }` is a requirement; no terms mean that there is no solution.
 */
import type { Term } from './term.ts';
import { conjunction, isTautology } from './term.ts';

export interface Incompatibility {
  /** At most one for each build; the search keeps those that it watches in the first two places. */
  readonly terms: Term[];
  readonly cause: Cause;
  /** Ascending in the order in which incompatibilities were found. */
  readonly serial: number;
}

/** A range that a build must lie in, and its source: a version of a build, or the user. */
export interface Origin {
  /** The number of the build whose versions require it; `undefined` for the user and installed builds. */
  readonly build: number | undefined;
  /** The id of the build that requires it; `undefined` for the user. */
  readonly by: string | undefined;
  /** The version for which the requirement was first found, or the installed one. */
  readonly version: string;
  readonly required: string;
  readonly range: string | undefined;
}

/** A fact of the registry, the project or the request, or a conclusion from two others. */
export type Cause =
  | { readonly kind: 'requirement'; readonly origin: Origin }
  /** No version of the required build can be chosen for the range. */
  | { readonly kind: 'no-version'; readonly origin: Origin }
  | { readonly kind: 'missing'; readonly origin: Origin }
  | { readonly kind: 'locked'; readonly origin: Origin; readonly installed: string }
  | { readonly kind: 'self'; readonly origin: Origin }
  | {
      readonly kind: 'stack';
      readonly build: number;
      readonly version: string;
      readonly tag: string;
      readonly range: string;
      /** Chosen builds that provide the tag, at versions outside the range. */
      readonly found: readonly { readonly id: string; readonly version: string }[];
    }
  | Resolvent;

interface Resolvent {
  readonly kind: 'derived';
  readonly conflict: Incompatibility;
  readonly other: Incompatibility;
}

/** Every cause except a conclusion. */
export type ExternalCause = Exclude<Cause, Resolvent>;

/** Joins terms about the same build, and leaves out those that are always true. */
export function normalizeTerms(terms: readonly Term[]): Term[] {
  const joined: Term[] = [];
  for (const term of terms) {
    const at = joined.findIndex(({ build }) => build === term.build);
    if (at === -1) joined.push(term);
    else joined[at] = conjunction(joined[at]!, term);
  }
  return joined.filter((term) => !isTautology(term));
}

/** `root` and all incompatibilities that it was concluded from, each once, lowest serial first. */
export function nodesBelow(root: Incompatibility): Incompatibility[] {
  const found = new Set([root]);
  for (const { cause } of found) {
    if (cause.kind === 'derived') found.add(cause.conflict).add(cause.other);
  }
  return [...found].sort((a, b) => a.serial - b.serial);
}
