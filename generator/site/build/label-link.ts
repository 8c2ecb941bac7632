/** Links from a build to the pages of its tags, and to searches for its keywords. */
import { tagFolder } from '../../../format/index/site-path.ts';
import { lowerCase } from '../../../format/unicode.ts';
import { html, plain } from '../html.ts';
import type { Html } from '../html.ts';
import type { Link } from '../link.ts';
import type { BuildView } from './build-view.ts';

export type LabelKind = 'tag' | 'keyword';

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
  const isListed = head.versions.some((one) => one.yanked === false);
  return (kind, name, text) => {
    const key = kind === 'keyword' ? lowerCase(name.trim()) : name;
    const address = isListed ? labelAddress(kind, key, link) : undefined;
    const shown = text ?? plain(name.slice(0, MAX_TEXT));
    const style = text === undefined ? html` class="label"` : '';
    return address === undefined
      ? html`<span${style}>${shown}</span>`
      : html`<a${style} href="${address}">${shown}</a>`;
  };
}
