/** The manifest of the search data, which a browser reads before the other files. */
import { canonicalJson } from '../../../format/document/canonical-json.ts';

export interface SearchManifest {
  /** The numbers of builds are 0 to this. */
  readonly builds: number;
  /** How many of them have a version that is not yanked. */
  readonly shown: number;
  /** Names of the leaves, sorted. */
  readonly leaves: readonly string[];
  /** Names of the pages of the order, best first. */
  readonly pages: readonly string[];
}

/** More shared characters than this are written again. */
const MAX_SHARED = 70;

/** A character for the count of shared characters, in the order of ASCII. */
const ZERO = 48;

/** The text of the manifest. The inverse of `readManifest`. */
export function formatManifest({ leaves, ...rest }: SearchManifest): string {
  const lines = leaves.map((leaf, at) => {
    const shared = sharedLength(leaves[at - 1] ?? '', leaf);
    return String.fromCharCode(ZERO + shared) + leaf.slice(shared);
  });
  return canonicalJson({ ...rest, leaves: lines.join('\n') });
}

/** @throws {SyntaxError} for what is no JSON */
export function readManifest(text: string): SearchManifest {
  const { leaves, ...rest } = JSON.parse(text) as Omit<SearchManifest, 'leaves'> & {
    leaves: string;
  };
  let before = '';
  const names =
    leaves === ''
      ? []
      : leaves.split('\n').map((line) => {
          before = before.slice(0, line.charCodeAt(0) - ZERO) + line.slice(1);
          return before;
        });
  return { ...rest, leaves: names };
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < MAX_SHARED && length < a.length && a[length] === b[length]) length += 1;
  // Half a character is no JSON.
  return /[\uD800-\uDBFF]$/.test(a.slice(0, length)) ? length - 1 : length;
}
