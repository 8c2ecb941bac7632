/**
 * A text of a publisher as markup: Markdown, then the allow list, then headings and code. The text is hostile until it
 * has passed `clean-markup.ts`.
 */
import MarkdownIt from 'markdown-it';
import { infoOf, shownPart } from '../../../format/wiring/markdown.ts';
import { codeLines } from '../code/highlighter.ts';
import { languageOfFence } from '../code/language.ts';
import { trusted, type Html } from '../html.ts';
import { decoded } from '../source-address.ts';
import { withUnixLines, replaceHidden } from '../visible-text.ts';
import { cleanMarkup, anchorOf, placeHeadings, type Heading } from './clean-markup.ts';

type ResolveLink = Parameters<typeof cleanMarkup>[1];

interface MarkdownOptions {
  /** Begins every id. */
  readonly prefix: string;
  /** Level of the outermost headings. */
  readonly level: number;
  /** What a link that is no anchor leads to. */
  readonly resolve: ResolveLink;
}

export interface RenderedMarkdown {
  readonly html: Html;
  readonly headings: readonly Heading[];
  /** Whether only the beginning is shown. */
  readonly isCut: boolean;
}

/** Fences of a text that get colours. */
const MAX_FENCES = 100;

const parser = new MarkdownIt({ html: true, linkify: true, typographer: false });
// Addresses without a scheme, such as `file.md`, are no links.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/** The text as markup. */
export function renderMarkdown(
  source: string,
  { prefix, level, resolve }: MarkdownOptions,
): RenderedMarkdown {
  const shown = shownPart(source);
  const isCut = shown.length < source.replace(/^\uFEFF/, '').length;
  const text = visibleMarkdown(shown);
  const tokens = parser.parse(text, {});
  let fences = 0;
  for (const token of tokens) {
    if (token.type !== 'fence' && token.type !== 'code_block') continue;
    const language = fences < MAX_FENCES ? languageOfFence(infoOf(token)) : undefined;
    fences += 1;
    const lines = codeLines(token.content.replace(/\n$/, ''), language);
    token.type = 'html_block';
    token.content = `<pre><code>${lines.join('\n')}\n</code></pre>\n`;
  }
  const anchored: ResolveLink = (href) =>
    href.startsWith('#')
      ? `#${prefix}${anchorOf(decoded(href.slice(1)) ?? href.slice(1))}`
      : resolve(href);
  const clean = cleanMarkup(parser.renderer.render(tokens, parser.options, {}), anchored);
  const { markup, headings } = placeHeadings(clean, prefix, level);
  return { html: trusted(withReachableCode(markup)), headings, isCut };
}

/** Blocks of code scroll: the keyboard must reach them. So must wide tables. */
function withReachableCode(markup: string): string {
  return markup
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<table tabindex="0">');
}

function visibleMarkdown(source: string): string {
  const text = withUnixLines(source);
  return replaceHidden(text, (name) => `\\[${name}\\]`);
}
