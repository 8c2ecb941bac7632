/** Atom feeds (RFC 4287). Ids do not depend on the address of the registry, which may change. */
import { escapeMarkup, plain } from '../html.ts';

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
