/** The feed of the newest versions of a registry or of an owner. */
import { sourceAddress } from '../../../format/index/source-address.ts';
import { linkFrom } from '../link.ts';
import { publicUrl } from '../site.ts';
import type { Site } from '../site.ts';
import { atomFeed } from './atom-feed.ts';

export interface NewVersion {
  readonly id: string;
  readonly version: string;
  readonly published_at: string;
  readonly description: string;
}

export interface NewestFeed {
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
