/** The headings of a README that a search finds a build by. */
import { wordsOf } from '../../format/index/word-forms.ts';
import { readMarkdown } from '../../format/wiring/markdown.ts';

/** Each summary of the catalog has them. */
const MAX_HEADINGS = 12;
const MAX_HEADING_CHARACTERS = 80;

/** Headings of most READMEs, which tell nothing about a build. */
const USUAL = new Set(
  'about api changelog commands configuration contents contributing credits development documentation environment errors example examples faq features getting started how it works install installation installing introduction license licence limits notes options overview packages prerequisites quick start quickstart requirements scripts setup support table of contents tests testing usage use why'.split(
    ' ',
  ),
);

/** Titles below the first one of the text, which is the name. @param readme untrusted */
export function readmeHeadings(readme: string): string[] {
  const titles = readMarkdown(readme).marks.flatMap((mark) =>
    mark.kind === 'heading' && mark.depth > 1 ? mark.title.trim() : [],
  );
  const telling = titles.filter((title) => wordsOf(title).some((word) => !USUAL.has(word)));
  const short = telling.map((title) => Array.from(title).slice(0, MAX_HEADING_CHARACTERS).join(''));
  return [...new Set(short)].slice(0, MAX_HEADINGS);
}
