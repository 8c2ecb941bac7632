/** The words of JavaScript and TypeScript that matter to how deeply a text is nested (`nesting.ts`). */

/** It opens a statement or an operand: such words can be nested without brackets. */
export const STACKS = 1;
/** It has a head in parentheses that a statement follows. */
export const HAS_HEAD = 2;
/** After it a "/" begins a regular expression. */
export const BEFORE_REGEX = 4;
/** A name in sloppy code or a type, an operator elsewhere: what a "/" after it means is unknown. */
export const IS_OPEN = 8;
/** It is `else`, which belongs to the `if` before it, across semicolons. */
export const IS_ELSE = 16;
/** A type follows it in an expression. */
export const IS_CAST = 32;

const WORDS: readonly (readonly [role: number, words: string])[] = [
  [
    STACKS,
    'if else for while do with try new typeof void delete await yield async throw return case in of instanceof ' +
      'function class extends as satisfies keyof unique readonly infer is asserts let const var static get set export default import abstract declare',
  ],
  [HAS_HEAD, 'if for while with'],
  [
    BEFORE_REGEX,
    'return typeof case in of delete void throw new else do instanceof await yield extends default',
  ],
  [IS_OPEN, 'of await yield void'],
  [IS_ELSE, 'else'],
  [IS_CAST, 'as satisfies'],
];

interface Word {
  readonly codes: Uint8Array;
  readonly role: number;
}

/** Longer than the longest of the words. */
const MAX_LENGTH = 16;
/** By first character and length: the words, mostly none and rarely more than one. */
const byShape: (readonly Word[] | undefined)[] = Array.from({ length: 128 * MAX_LENGTH });
for (const word of new Set(WORDS.flatMap(([, words]) => words.split(' ')))) {
  const role = WORDS.reduce(
    (all, [one, words]) => (words.split(' ').includes(word) ? all | one : all),
    0,
  );
  const codes = Uint8Array.from(word, (c) => c.charCodeAt(0));
  const shape = codes[0]! * MAX_LENGTH + codes.length;
  byShape[shape] = [...(byShape[shape] ?? []), { codes, role }];
}

/** The role of the word in `codes` from `start` to `end`, the sum of the above; 0 for all other words. */
export function nestingRole(codes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  const first = codes[start]!;
  if (length >= MAX_LENGTH || first >= 128) return 0;
  const words = byShape[first * MAX_LENGTH + length];
  if (words === undefined) return 0;
  for (const word of words) {
    let at = 1;
    while (at < length && word.codes[at] === codes[start + at]) at += 1;
    if (at === length) return word.role;
  }
  return 0;
}
