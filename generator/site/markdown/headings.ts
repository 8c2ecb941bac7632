/** The headings of a rendered text: ids to link to, levels without gaps below those of the page, and the contents. */
import { escapeMarkup } from '../html.ts';
import { characterClass, lowerCase } from '../../../format/unicode.ts';

const UNANCHORED = new RegExp(`[^${characterClass('L', 'M', 'N', 'Pc')} -]`, 'gu');

export interface Heading {
  readonly id: string;
  /** Plain text, not escaped. */
  readonly text: string;
  /** 1 for the outermost headings of the text. */
  readonly depth: number;
}

const HEADING = /<h([1-6])>([\s\S]*?)<\/h\1>/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
};
const MAX_HEADINGS = 500;

/**
 * @param prefix begins every id, so that no id of a publisher can be a name of the page
 * @param level of the outermost headings, 1 to 6
 */
export function placeHeadings(
  markup: string,
  prefix: string,
  level: number,
): { markup: string; headings: readonly Heading[] } {
  const headings: Heading[] = [];
  const used = new Map<string, number>();
  const open: number[] = [];
  const placed = markup.replace(HEADING, (_, own: string, inner: string) => {
    while ((open.at(-1) ?? 0) >= Number(own)) open.pop();
    open.push(Number(own));
    const depth = open.length;
    const text = inner
      .replace(/<[^>]*>/g, '')
      .replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? '')
      .trim();
    const tag = `h${Math.min(6, level - 1 + depth)}`;
    const id = uniqueId(prefix + anchorOf(text), used);
    if (headings.length < MAX_HEADINGS && text !== '') headings.push({ id, text, depth });
    return `<${tag} id="${escapeMarkup(id)}">${inner}</${tag}>`;
  });
  return { markup: placed, headings };
}

/** The anchor of a heading, as code hosts write it: `Rate limits & 429` is `rate-limits--429`. */
export function anchorOf(text: string): string {
  return lowerCase(text).replace(UNANCHORED, '').replace(/ /g, '-');
}

function uniqueId(id: string, used: Map<string, number>): string {
  const count = used.get(id) ?? 0;
  used.set(id, count + 1);
  return count === 0 ? id : `${id}-${count}`;
}
