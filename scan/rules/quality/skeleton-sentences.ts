/** The sentences of the texts that `stackyard init` writes, which a publisher replaces. */
import { byPath } from '../../parse/by-path.ts';

/** In README.md. */
export const README_SENTENCES = {
  about:
    'Describe here what the build does for an application, what it does not do, and when not to use it.',
  example: 'Show the smallest use that works.',
} as const;

/** In INTEGRATION.md. */
export const INTEGRATION_SENTENCES = {
  steps: 'Say which file is edited, where in it, and give the lines to add.',
  verify: 'Give commands with the output that is expected.',
  use: 'List what the build exports, with types.',
  failures: 'List messages with cause and fix.',
} as const;

/** The start of the description in the manifest. */
export const DESCRIPTION_START = 'Describes in one sentence what ';

/** Those of `sentences` that `text` still has, whatever its line breaks. */
export function unfilledSentences(
  text: string,
  sentences: Readonly<Record<string, string>>,
): string[] {
  return Object.values(sentences).filter((sentence) => patternOf(sentence).test(text));
}

const patternOf = byPath((sentence) => {
  const words = sentence.split(' ').map((word) => word.replaceAll(/\W/g, String.raw`\$&`));
  return new RegExp(words.join(String.raw`\s+`));
});
