/** Links from a build to the pages of its tags, and to searches for its keywords. */
import { lowerCase } from '../../../format/unicode.ts';
import { html, plain } from '../html.ts';
import type { Html } from '../html.ts';
import type { Link } from '../link.ts';
import { labelAddress } from '../list/label-list.ts';
import type { LabelKind } from '../list/label-list.ts';
import type { BuildView } from './build-view.ts';

/** Makes the link to a label, or its text alone where it has no page. */
export type LabelLink = (kind: LabelKind, name: string, text?: string) => Html;

const MAX_TEXT = 80;

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
