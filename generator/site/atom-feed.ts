/** Atom feeds (RFC 4287). Ids do not depend on the address of the registry, which may change. */
import { escapeMarkup } from './html.ts';
import { linkFrom } from './link.ts';
import { plain } from './visible-text.ts';
import { sourceAddress } from '../../format/index/source-address.ts';
import { publicUrl, type Site } from './site.ts';

interface FeedEntry {
  /** Such as `alice/web@1.0.0`. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** Path of the page, relative to the feed or absolute. */
  readonly link: string;
  /** ISO 8601 in UTC. */
  readonly time: string;
  readonly author: string;
}

export interface Feed {
  /** Such as `alice/web`; `""` for the whole registry. */
  readonly name: string;
  readonly title: string;
  /** The style sheet of the pages, where there are any: browsers show the feed with it. */
  readonly style?: string;
  /** The feed itself and the page that it belongs to. */
  readonly self: string;
  readonly page: string;
  /** Newest first. */
  readonly entries: readonly FeedEntry[];
}

/** Entries that a feed has. */
export const FEED_ENTRIES = 50;
const EPOCH = '1970-01-01T00:00:00.000Z';

/** @param origin the name of the registry */
export function atomFeed(
  origin: string,
  { name, title, style, self, page, entries }: Feed,
): string {
  const text = (value: string): string => escapeMarkup(plain(value));
  const urn = (what: string): string => `urn:stackyard:${encodeURI(origin)}:${encodeURI(what)}`;
  const items = entries.map(
    (entry) => `<entry>
<id>${text(urn(entry.name))}</id>
<title>${text(entry.title)}</title>
<link href="${text(entry.link)}"/>
<updated>${entry.time}</updated>
<author><name>${text(entry.author)}</name></author>
<summary>${text(entry.summary)}</summary>
</entry>
`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
${style === undefined ? '' : `<?xml-stylesheet type="text/css" href="${text(style)}"?>\n`}<feed xmlns="http://www.w3.org/2005/Atom">
<id>${text(urn(name === '' ? 'registry' : name))}</id>
<title>${text(title)}</title>
<link rel="self" href="${text(self)}"/>
<link href="${text(page)}"/>
<updated>${entries[0]?.time ?? EPOCH}</updated>
${items.join('')}</feed>
`;
}

/** The feed of the newest versions of a registry or of an owner. */
export interface NewVersion {
  readonly id: string;
  readonly version: string;
  readonly published_at: string;
  readonly description: string;
}

interface NewestFeed {
  /** The owner; `""` for the whole registry. */
  readonly name: string;
  readonly title: string;
  readonly path: string;
  readonly page: string;
  /** Newest first. */
  readonly entries: readonly NewVersion[];
}

export function newestFeed(site: Site, { name, title, path, page, entries }: NewestFeed): string {
  const relative = linkFrom(path);
  const toRoot = linkFrom('');
  const link = (to: string): string => publicUrl(site, toRoot(to).slice(2)) ?? relative(to);
  return atomFeed(site.name, {
    name,
    title,
    style: relative(site.assets.style),
    self: link(path),
    page: link(page),
    entries: entries.map(({ id, version, published_at, description }) => ({
      name: `${id}@${version}`,
      title: `${id} ${version}`,
      summary: description,
      link: link('index.html') + sourceAddress({ id, version }),
      time: published_at,
      author: id.slice(0, id.indexOf('/')),
    })),
  });
}
