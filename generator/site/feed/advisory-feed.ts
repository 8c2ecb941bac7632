/** The feed of the advisories of a registry: those that changed last. */
import type { Advisory } from '../../../format/advisory/advisory.ts';
import { buildsOf } from '../../../format/advisory/advisory.ts';
import { tryParseTime } from '../../../format/advisory/utc-time.ts';
import { compareText } from '../../../format/compare-text.ts';
import { advisoryFolder } from '../../../format/index/site-path.ts';
import { linkFrom } from '../link.ts';
import { publicUrl } from '../site.ts';
import type { Site } from '../site.ts';
import { FEED_ENTRIES, atomFeed } from './atom-feed.ts';

export const ADVISORY_FEED = 'advisories.xml';

/** @param advisories all of them */
export function advisoryFeed(
  site: Pick<Site, 'name' | 'address' | 'assets'>,
  advisories: readonly Advisory[],
): string {
  const relative = linkFrom(ADVISORY_FEED);
  const link = (path: string): string => publicUrl(site, relative(path).slice(2)) ?? relative(path);
  const timeOf = ({ modified }: Advisory): number => tryParseTime(modified) ?? 0;
  const newest = advisories
    .toSorted((a, b) => timeOf(b) - timeOf(a) || compareText(a.id, b.id))
    .slice(0, FEED_ENTRIES);
  return atomFeed(site.name, {
    name: 'advisories',
    title: `Advisories of ${site.name}`,
    style: relative(site.assets.style),
    self: link(ADVISORY_FEED),
    page: link('advisories/index.html'),
    entries: newest.map((advisory) => {
      const { id, modified, withdrawn, summary } = advisory;
      const builds = buildsOf(advisory);
      return {
        name: `advisories/${id}`,
        title: `${id}: ${builds.join(', ')}${withdrawn === undefined ? '' : ' (withdrawn)'}`,
        summary,
        link: link(`${advisoryFolder(id)}index.html`),
        time: modified,
        author: builds[0]?.split('/')[0] ?? '',
      };
    }),
  });
}
