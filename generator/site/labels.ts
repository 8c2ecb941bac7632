/** Labels: links to the pages of tags, and to searches for keywords. */
import { tagFolder } from '../../format/index/site-path.ts';
import type { BuildView } from './build/build-view.ts';
import { html, type Html } from './html.ts';
import type { Link } from './link.ts';
import { plain } from './visible-text.ts';

type LabelKind = 'tag' | 'keyword';

/** Makes the link to a label, or its text alone where it has no page. */
export type LabelLink = (kind: LabelKind, name: string, text?: string) => Html;

const MAX_TEXT = 80;

/**
 * Where a label leads: a tag to its page, a keyword to a search for it.
 * @returns `undefined` for a tag whose name is too long for a page
 */
export function labelAddress(kind: LabelKind, name: string, link: Link): string | undefined {
  if (kind === 'keyword') {
    return `${link('search/index.html')}?${new URLSearchParams({ keyword: name }).toString()}`;
  }
  const folder = tagFolder(name);
  return folder === undefined ? undefined : link(`${folder}index.html`);
}

/** A build that cannot be installed is in no list: its labels may have no page. */
export function labelLinks({ head }: BuildView, link: Link): LabelLink {
  const isListed = head.versions.some((one) => one.status.is === 'open');
  return (kind, name, text) => {
    const key = kind === 'keyword' ? name.trim().toLowerCase() : name;
    const address = isListed ? labelAddress(kind, key, link) : undefined;
    const shown = text ?? plain(name.slice(0, MAX_TEXT));
    const style = text === undefined ? html` class="label"` : '';
    return address === undefined
      ? html`<span${style}>${shown}</span>`
      : html`<a${style} href="${address}">${shown}</a>`;
  };
}

export interface LabelCount {
  readonly name: string;
  readonly count: number;
}

/** Labels that the page of all of them shows. */
export const MAX_LABELS = 2_000;

/** Labels as links, each with its number. */
export function labelList(
  kind: Parameters<typeof labelAddress>[0],
  labels: readonly LabelCount[],
  link: Link,
): Html {
  const items = labels.flatMap(({ name, count }) => {
    const address = labelAddress(kind, name, link);
    if (address === undefined) return [];
    return [
      html`<a class="label" href="${address}">${plain(name.slice(0, 80))} <span class="label-count">${count}</span></a>\n`,
    ];
  });
  return html`<p class="labels">${items}</p>`;
}
