/**
 * The one reader of Markdown: where the fences, headings and numbered items of a publisher's text are. It is the parser of the
 * pages, which follows CommonMark 0.31, without what is inside of paragraphs: what it calls a fence is what pages show as
 * one. Pure; slow to load, so programs load it where they have a guide.
 */
import MarkdownIt from 'markdown-it';
import type { Env, MarkdownIt as Parser, Token } from 'markdown-it';

/** A block of code in fences. */
interface Fence {
  /** What follows the marks of the opening line, trimmed, with its escapes and entities read. */
  readonly info: string;
  /** The content without the indentation of the fence, with LF; it ends with LF unless it is empty. */
  readonly text: string;
  /** Line of the opening marks, counted from 1. */
  readonly line: number;
  /** Line of the closing marks, or the last line before the end of the list item, quotation or text. */
  readonly endLine: number;
  /** False when what holds the fence ends before the closing marks. */
  readonly isClosed: boolean;
  readonly isQuoted: boolean;
  /** Why no page shows it as a block of code, as the end of "A fence is"; absent where pages show it. */
  readonly hidden?: string;
}

/** A block of code that is only indented. */
type IndentedCode = Pick<Fence, 'line' | 'endLine'>;

interface MarkdownBlocks {
  readonly fences: readonly Fence[];
  readonly indented: readonly IndentedCode[];
  /** Headings and numbered items outside of lists and quotations, in their order. */
  readonly marks: readonly (
    | {
        readonly kind: 'heading';
        readonly depth: number;
        readonly title: string;
        readonly line: number;
      }
    | { readonly kind: 'item'; readonly line: number }
  )[];
  /** The lines of paragraphs, as they are shown, by their number, counted from 1. */
  readonly prose: ReadonlyMap<number, string>;
}

/** Characters of a text that a page shows. */
export const MAX_SHOWN_CHARACTERS = 100_000;
/** Pages drop what is deeper in lists. */
const MAX_LEVEL = 20;
/** No paragraph with HTML is longer; reading one takes more than its length. */
const MAX_PROSE = 10_000;
/** NUL, and white space for some readers: characters that are a name such as "U+000B" on pages. */
// oxlint-disable-next-line no-control-regex
const UNCLEAR_SPACE = /[\0\v\f\u2028\u2029\uFEFF]/;

const parser = blockParser(true);
/** Reads what is in HTML as if it were none. */
const hiddenParser = blockParser(false);

function blockParser(html: boolean): Parser {
  const made = new MarkdownIt({ html });
  made.core.ruler.enableOnly(['normalize', 'block']);
  return made;
}

/** `text` without a byte order mark, up to where a page shows it. */
export function shownPart(text: string): string {
  const whole = text.replace(/^\uFEFF/, '');
  if (whole.length <= MAX_SHOWN_CHARACTERS) return whole;
  const end = whole.lastIndexOf('\n', MAX_SHOWN_CHARACTERS);
  return whole.slice(0, end > MAX_SHOWN_CHARACTERS / 2 ? end : MAX_SHOWN_CHARACTERS);
}

/** The lines of `text`, as all readers count them. */
export function markdownLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

/** The blocks of `text`; which fences are in open HTML is not looked at. */
export function readMarkdown(text: string): MarkdownBlocks {
  return read(text, undefined);
}

/** The blocks of a guide, with the reason for each fence that its page does not show. */
export function readGuide(text: string): MarkdownBlocks {
  const whole = text.replace(/^\uFEFF/, '');
  const shown = markdownLines(shownPart(whole)).length;
  const hasUnclear = UNCLEAR_SPACE.test(whole);
  const blocks = read(whole, new OpenHtml());
  const fences = blocks.fences.map((fence): Fence => {
    if (fence.hidden !== undefined) return fence;
    if (hasUnclear)
      return {
        ...fence,
        hidden: 'in a text with NUL, vertical tabs, form feeds or invisible separators of lines',
      };
    return fence.endLine < shown || whole.length <= MAX_SHOWN_CHARACTERS
      ? fence
      : { ...fence, hidden: `behind the first ${MAX_SHOWN_CHARACTERS} characters` };
  });
  return { ...blocks, fences };
}

function read(text: string, html: OpenHtml | undefined): MarkdownBlocks {
  const fences: Fence[] = [];
  const indented: IndentedCode[] = [];
  const marks: MarkdownBlocks['marks'][number][] = [];
  const prose = new Map<number, string>();
  const lists: string[] = [];
  let quotes = 0;
  const env: Env = {};
  const tokens = parser.parse(text, env);
  for (const [at, token] of tokens.entries()) {
    const { type, level, content } = token;
    const isOpen = html?.open() !== undefined;
    const [from = 0, to = 0] = token.map ?? [];
    if (type === 'blockquote_open') quotes += 1;
    else if (type === 'blockquote_close') quotes -= 1;
    else if (type === 'bullet_list_open' || type === 'ordered_list_open') lists.push(type);
    else if (type === 'bullet_list_close' || type === 'ordered_list_close') lists.pop();
    else if (type === 'list_item_open' && level === 1 && lists[0] === 'ordered_list_open') {
      if (!isOpen) marks.push({ kind: 'item', line: from + 1 });
    } else if (type === 'heading_open' && level === 0 && !isOpen) {
      const title = tokens[at + 1]?.content ?? '';
      marks.push({ kind: 'heading', depth: Number(token.tag.slice(1)), title, line: from + 1 });
    } else if (type === 'code_block') indented.push({ line: from + 1, endLine: to });
    else if (type === 'html_block') {
      fences.push(...fencesInHtml(content, from));
      html?.block(content, level, from + 1);
    } else if (type === 'inline') {
      const isShown = !isOpen && !content.includes('<!--');
      const shown = isShown ? content.split('\n') : [];
      for (const [index, line] of shown.entries()) prose.set(from + 1 + index, line);
      html?.prose(content, env, from + 1);
    } else if (type === 'fence') {
      const nested = level > MAX_LEVEL ? 'in too many lists inside of each other' : undefined;
      const hidden = html?.open() ?? nested;
      fences.push(fenceOf(token, quotes > 0, hidden));
    }
  }
  return { fences, indented, marks, prose };
}

function fenceOf(token: Token, isQuoted: boolean, hidden: string | undefined): Fence {
  const [from, to] = token.map ?? [0, 0];
  const { content } = token;
  const text = content === '' || content.endsWith('\n') ? content : `${content}\n`;
  const lines = text.split('\n').length - 1;
  return {
    info: infoOf(token),
    text,
    line: from + 1,
    endLine: to,
    isClosed: to - from - 1 > lines,
    isQuoted,
    ...(hidden === undefined ? {} : { hidden }),
  };
}

/** What is behind the marks that open a fence. */
export function infoOf({ info }: Pick<Token, 'info'>): string {
  return parser.utils.unescapeAll(info).trim();
}

/** What would be fences without the HTML around them; `from` is the line of `html`, from 0. */
function fencesInHtml(html: string, from: number): Fence[] {
  if (!html.includes('```') && !html.includes('~~~')) return [];
  const lines = html
    .split('\n')
    .map((line) => line.replace(/^(?:\s|<!--|<\/?[a-zA-Z][^<>]*>)+/, ''));
  return hiddenParser.parse(lines.join('\n'), {}).flatMap((token) => {
    if (token.type !== 'fence') return [];
    const fence = fenceOf(token, false, `inside the HTML of line ${from + 1}`);
    return [{ ...fence, line: fence.line + from, endLine: fence.endLine + from }];
  });
}

const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Elements whose content browsers read in another way. */
const OTHER_CONTENT = new Set(
  'frameset iframe math noembed noframes noscript object plaintext script select style svg template textarea title xmp'.split(
    ' ',
  ),
);
const END_TAG = /<\/([a-z][a-z0-9-]*)\s*>/iy;
const START_TAG =
  /<([a-z][a-z0-9-]*)(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>/iy;

/** The elements of HTML that are open. Whatever is not clear stays open: what follows is then taken as hidden. */
class OpenHtml {
  readonly #open: { readonly name: string; readonly level: number; readonly line: number }[] = [];
  #unclear: number | undefined;

  /** Why what follows is hidden. */
  open(): string | undefined {
    if (this.#unclear !== undefined) {
      return `behind HTML in line ${this.#unclear} of which it is not clear where it ends`;
    }
    const inner = this.#open.at(-1);
    return inner && `inside the HTML element <${inner.name}> of line ${inner.line}`;
  }

  block(html: string, level: number, line: number): void {
    // An element ends where it began: inside of the same list item.
    for (let at = html.indexOf('<'); at !== -1 && this.#unclear === undefined;) {
      const end = this.#tag(html, at, level, line);
      if (end === undefined) this.#unclear = line;
      at = html.indexOf('<', end);
    }
  }

  /** What a paragraph opens, it closes. */
  prose(content: string, env: Env, line: number): void {
    if (this.#unclear !== undefined || !/<[a-z!?/]/i.test(content)) return;
    const tokens: Token[] = [];
    if (content.length > MAX_PROSE) this.#unclear = line;
    else parser.inline.parse(content, parser, env, tokens);
    const before = this.#open.length;
    for (const token of tokens)
      if (token.type === 'html_inline') this.block(token.content, -line, line);
    if (this.#open.length !== before) this.#unclear ??= line;
  }

  /** The end of the tag or comment at `at`; `undefined` where it has none, or does not belong there. */
  #tag(html: string, at: number, level: number, line: number): number | undefined {
    if (!/[a-z!?/]/i.test(html[at + 1] ?? '')) return at + 1;
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at + 4);
      // Browsers end a comment here as well, and an empty one before.
      const isOther =
        end === -1 || html.slice(at, end).includes('--!>') || /^-?>/.test(html.slice(at + 4));
      return isOther ? undefined : end + 3;
    }
    END_TAG.lastIndex = at;
    const [ended, closing = ''] = END_TAG.exec(html) ?? [];
    if (ended !== undefined) {
      const inner = this.#open.pop();
      return inner?.name === closing.toLowerCase() && inner.level === level
        ? at + ended.length
        : undefined;
    }
    START_TAG.lastIndex = at;
    const [started, opening = ''] = START_TAG.exec(html) ?? [];
    const name = opening.toLowerCase();
    if (started === undefined || OTHER_CONTENT.has(name)) return undefined;
    if (!VOID.has(name)) this.#open.push({ name, level, line });
    return at + started.length;
  }
}
