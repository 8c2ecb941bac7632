/** Atom feeds (RFC 4287). Ids and links do not depend on the name and address of the registry, which may change. */
import { escapeMarkup } from './html.ts';
import { linkFrom } from './link.ts';
import { plain } from './visible-text.ts';
import { sourceAddress } from './source-address.ts';
import type { PageSite } from './site.ts';

interface FeedEntry {
  /** Such as `alice/web@1.0.0`. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** Path of the page. */
  readonly page: string;
  /** What follows it in the address. */
  readonly rest?: string;
  /** ISO 8601 in UTC. */
  readonly time: string;
  readonly author: string;
}

export interface Feed<Entry = FeedEntry> {
  /** Such as `alice/web` or `alice`; `""` for the whole registry. */
  readonly name: string;
  readonly title: string;
  /** Of the feed itself, and of the page that it belongs to. */
  readonly path: string;
  readonly page: string;
  /** Newest first. */
  readonly entries: readonly Entry[];
}

/** Entries that a feed has. */
export const FEED_ENTRIES = 50;
const EPOCH = '1970-01-01T00:00:00.000Z';

export function atomFeed(
  { assets }: Pick<PageSite, 'assets'>,
  { name, title, path, page, entries }: Feed,
): string {
  const link = linkFrom(path);
  const text = (value: string): string => escapeMarkup(plain(value));
  const urn = (what: string): string => `urn:stackyard:${encodeURI(what)}`;
  const items = entries.map(
    (entry) => `<entry>
<id>${text(urn(entry.name))}</id>
<title>${text(entry.title)}</title>
<link href="${text(link(entry.page) + (entry.rest ?? ''))}"/>
<updated>${entry.time}</updated>
<author><name>${text(entry.author)}</name></author>
<summary>${text(entry.summary)}</summary>
</entry>
`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<?xml-stylesheet type="text/css" href="${text(link(assets.style))}"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${text(urn(name === '' ? 'registry' : name))}</id>
<title>${text(title)}</title>
<link rel="self" href="${text(link(path))}"/>
<link href="${text(link(page))}"/>
<updated>${entries[0]?.time ?? EPOCH}</updated>
${items.join('')}</feed>
`;
}

/** A published version. */
export interface NewVersion {
  readonly id: string;
  readonly version: string;
  readonly published_at: string;
  readonly description: string;
}

/** The entry of a version, which leads to its source. */
export function versionEntry(
  { id, version, published_at: time, description }: NewVersion,
  title = `${id} ${version}`,
): FeedEntry {
  return {
    name: `${id}@${version}`,
    title,
    summary: description,
    page: 'index.html',
    rest: sourceAddress({ id, version }),
    time,
    author: id.slice(0, id.indexOf('/')),
  };
}

/** The feed of the newest versions of a registry or of an owner. */
export function newestFeed(site: Pick<PageSite, 'assets'>, feed: Feed<NewVersion>): string {
  return atomFeed(site, { ...feed, entries: feed.entries.map((one) => versionEntry(one)) });
}
