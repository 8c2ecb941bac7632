/** Links from a build to the pages of its tags and keywords. */
import type { PackageRecord } from '../../../format/index/record.ts';
import { labelFolder } from '../../../format/index/site-path.ts';
import { html, plain } from '../html.ts';
import type { Html } from '../html.ts';
import type { Link } from '../link.ts';
import type { BuildView } from './build-view.ts';
import { lowerCase } from '../../../format/unicode.ts';

/** Makes the link to a label, or its text alone where it has no page. */
export type LabelLink = (kind: 'tag' | 'keyword', name: string, text?: string) => Html;

const MAX_TEXT = 80;

/** Only the latest version of a build that can be installed is in lists: the labels of others may have no page. */
export function labelLinks(
  { latest, head }: BuildView,
  record: PackageRecord,
  link: Link,
): LabelLink {
  const isListed =
    record.version === latest.version && head.versions.some((one) => one.yanked === false);
  return (kind, name, text) => {
    const key = kind === 'keyword' ? lowerCase(name.trim()) : name;
    const folder = isListed ? labelFolder(kind, key) : undefined;
    const shown = text ?? plain(name.slice(0, MAX_TEXT));
    const style = text === undefined ? html` class="label"` : '';
    return folder === undefined
      ? html`<span${style}>${shown}</span>`
      : html`<a${style} href="${link(`${folder}index.html`)}">${shown}</a>`;
  };
}
