/** A head as the resolver gets it: without the versions that the user's rule on age hides. Pure. */
import type { Head, HeadVersion } from '../../format/index/head.ts';
import { firstPublications } from './first-publications.ts';

export interface KnownHead extends Head {
  /** The hidden versions, which only explain failures. */
  readonly hidden?: readonly HiddenVersion[];
}

export interface HiddenVersion {
  readonly version: HeadVersion;
  /** The reason, as text for a message. */
  readonly why: string;
}

/** `head` without versions that repeat an earlier publication, except those that `isNamed` admits. */
export function withoutRepetitions(
  head: KnownHead,
  isNamed: (version: HeadVersion) => boolean,
): KnownHead {
  const { versions, hidden = [] } = head;
  const firsts = new Set(firstPublications([...versions, ...hidden.map((one) => one.version)]));
  const isKept = (version: HeadVersion): boolean => firsts.has(version) || isNamed(version);
  return {
    ...head,
    versions: versions.filter(isKept),
    hidden: hidden.filter(({ version }) => isKept(version)),
  };
}
