/** The words that this project does not use, with what to write instead, and the places that may have them. */

interface WordGroup {
  readonly reason: string;
  /** A word or phrase in lower case to what replaces it. Word forms are listed one by one. */
  readonly words: Readonly<Record<string, string>>;
}

export const UNWANTED_WORDS: readonly WordGroup[] = [
  {
    reason: 'a program does not speak: name what it does',
    words: {
      tells: 'reports, shows, prints',
      told: 'reported, shown, printed',
      says: 'states, reports, prints',
      said: 'stated, reported, printed',
    },
  },
  {
    reason: 'literary phrase: use the everyday one',
    words: {
      'in its turn': 'then, also',
      'in their turn': 'then, also',
      'of former times': 'previous, earlier',
      'for ever': 'permanently, forever',
      'but for': 'except',
      'save for': 'except',
      'would fain': 'wants to',
      anew: 'again, from the start',
      unasked: 'automatically',
      besides: 'also, in addition to',
      whoever: 'anyone who, the one who',
      whosoever: 'anyone who',
      somebody: 'someone, a user, another process',
      likewise: 'in the same way, also',
      thereof: 'of it',
      therein: 'in it',
      herein: 'here',
      hither: 'here',
      lest: 'so that ... not',
      ere: 'before',
      amid: 'among',
      naught: 'nothing',
    },
  },
  {
    reason: 'the field has a verb for it',
    words: {
      'gives back': 'returns',
      'given back': 'returned',
      'give back': 'return',
      'takes back': 'reverts, removes',
      'taken back': 'reverted, removed',
      'take back': 'revert, remove',
      'asks of': 'requires of',
      'is asked': 'receives a request, is called',
      'are asked': 'receive requests, are called',
      'where it lacks': 'where it is missing',
      lacks: 'has no, is missing',
      lacking: 'missing, without',
      mends: 'fixes, corrects',
      mended: 'fixed, corrected',
      accuse: 'report',
      accused: 'reported',
      accuses: 'reports',
    },
  },
  {
    reason: 'the security field has a standard term',
    words: {
      guilty: 'malicious',
      innocent: 'benign',
    },
  },
];

/** Folders and files that keep such words, with the reason. */
export const EXEMPT: Readonly<Record<string, string>> = {
  builds: 'published versions never change',
  'CHANGELOG.md': 'history',
  'package-lock.json': 'written by npm',
  'tests/builds': 'test data: the content of builds',
  'tests/corpus': 'test data: the content of builds',
  'tests/scripts/check.txt': 'quotes findings whose text is in published records',
  schemas: 'generated from format/, which is checked',
  'docs/findings.md': 'generated from format/finding/texts/, which is checked',
  'docs/gate-reasons.md': 'generated from generator/gate/reasons.ts',
  'tests/client/spdx-2.3.schema.json': 'of the SPDX specification, unchanged',
  'tools/unwanted-words.ts': 'the list itself',
  'tools/check-words.test.ts': 'examples of unwanted words',
};
