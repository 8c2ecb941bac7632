/** The words of JavaScript and TypeScript that matter to how deeply a text is nested (`nesting.ts`). */

/** Words that open a statement or an operand: they can be nested without brackets. */
export const STACKING_WORDS = new Set(
  (
    'if else for while do with try new typeof void delete await yield async throw return case in of instanceof ' +
    'function class extends as satisfies keyof unique readonly infer is asserts let const var static get set export default import abstract declare'
  ).split(' '),
);
/** Words after which a "/" begins a regular expression. */
export const WORDS_BEFORE_REGEX = new Set(
  'return typeof case in of delete void throw new else do instanceof await yield extends default'.split(
    ' ',
  ),
);
/** Words with a head in parentheses that a statement follows. */
export const HEADS = new Set(['if', 'for', 'while', 'with']);
/** Names in sloppy code, operators elsewhere: what a "/" after them means is unknown. */
export const OPEN_WORDS = new Set(['of', 'await', 'yield']);

/** By first character: bit n is set where one of these words has n characters. */
const LENGTHS = new Uint16Array(128);
for (const word of [...STACKING_WORDS, ...WORDS_BEFORE_REGEX, ...HEADS]) {
  LENGTHS[word.charCodeAt(0)]! |= 1 << word.length;
}

/** Whether one of these words begins with the character code `first` and has `length` characters: few others do. */
export function isNestingWordLength(first: number, length: number): boolean {
  return first < 128 && length < 16 && ((LENGTHS[first]! >> length) & 1) === 1;
}
