/** The feed of a build's versions. */
import { compareText } from '../../../format/compare-text.ts';
import { buildFolder } from '../../../format/index/site-path.ts';
import type { BuildView } from '../build/build-view.ts';
import { sourceAddress } from '../../../format/index/source-address.ts';
import { linkFrom } from '../link.ts';
import { publicUrl } from '../site.ts';
import type { Site } from '../site.ts';
import { FEED_ENTRIES, atomFeed } from './atom-feed.ts';

export function buildFeed(site: Site, { id, latest, head }: BuildView): string {
  const path = `${buildFolder(id)}feed.xml`;
  const relative = linkFrom(path);
  const toRoot = linkFrom('');
  const link = (to: string): string => publicUrl(site, toRoot(to).slice(2)) ?? relative(to);
  const newest = head.versions.toSorted((a, b) => compareText(b.published_at, a.published_at));
  const words = new Map(
    head.versions.flatMap(({ version, yanked, withdrawn }) =>
      yanked === false ? [] : [[version, withdrawn === true ? 'withdrawn' : 'yanked']],
    ),
  );
  const titleOf = (version: string): string => {
    const word = words.get(version);
    return word === undefined ? `${id} ${version}` : `${id} ${version} (${word})`;
  };
  return atomFeed(site.name, {
    name: id,
    title: `Versions of ${id}`,
    style: relative(site.assets.style),
    self: link(path),
    page: link(`${buildFolder(id)}index.html`),
    entries: newest.slice(0, FEED_ENTRIES).map((one) => ({
      name: `${id}@${one.version}`,
      title: titleOf(one.version),
      summary: latest.description,
      link: link('index.html') + sourceAddress({ id, version: one.version }),
      time: one.published_at,
      author: id.slice(0, id.indexOf('/')),
    })),
  });
}
