/** The files at the root of a site that programs read: `llms.txt`, `robots.txt`, OpenSearch, sitemaps. */
import { buildFolder, ownerFolder, sitemapPath } from '../../../format/index/site-path.ts';
import { countOf } from '../figures.ts';
import { escapeMarkup, plain } from '../html.ts';
import { clientCommands } from '../build/install-command.ts';
import type { Site } from '../site.ts';

/** The text that agents find first. */
export function llmsText(
  site: Site,
  counts: { readonly builds: number; readonly versions: number },
): string {
  const [command = ''] = Object.values(clientCommands(site, 'add <owner>/<name>'));
  return `# ${plain(site.name)}

> A registry of builds: checked code that is added to a project and owned by it. It has ${countOf(counts.builds, 'build')} in ${countOf(counts.versions, 'version')}. Every page has a twin in Markdown: index.md beside index.html.

To add a build to a project: \`${command}\`. To find one: \`stackyard search <words>\`, or catalog.json. Read the integration guide of a build before and after its installation: it is in its page.

## Pages

- [Newest builds](index.md): what was published last
- [Stack tags](tags/index.md): builds by what they provide and require
- [Advisories](advisories/index.md): known faults of published versions
- [Publish a build](publish/index.md): from a folder to a version
- [Verify this registry](verify/index.md): the transparency log and how to check it
- [Findings](findings/index.md): what checks report, why, and what to do

## Data

- [registry.json](registry.json): the registry
- [catalog.json](catalog.json): summaries of all builds, in shards
- builds/<owner>/<name>/index.md: one build; builds/<owner>/<name>.json has its record
- [JSON Schema of the manifest](schema/manifest.schema.json): the fields of stackyard.json
- [feed.xml](feed.xml): the newest versions
`;
}

export function robotsText(site: Site): string {
  const sitemap = site.address === '' ? '' : `Sitemap: ${site.address}/sitemap.xml\n`;
  return `User-agent: *\nAllow: /\n${sitemap}`;
}

/** The description of the search for browsers; without an address it has none, which they refuse. */
export function openSearch(site: Site): string {
  const name = escapeMarkup(plain(site.name).slice(0, 16));
  const base = escapeMarkup(site.address);
  return `<?xml version="1.0" encoding="utf-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${name}</ShortName>
<Description>Builds of ${escapeMarkup(plain(site.name))}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Url type="text/html" template="${base}/search/?q={searchTerms}"/>
</OpenSearchDescription>
`;
}

/** The list of sitemaps. @param hashes `ownerHash()` of each owner, once */
export function sitemapIndex({ address }: Site, hashes: readonly string[]): string {
  const maps = hashes.map(
    (hash) => `<sitemap><loc>${escapeMarkup(`${address}/${sitemapPath(hash)}`)}</loc></sitemap>\n`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${maps.join('')}</sitemapindex>\n`;
}

/** The pages of the owners with one `ownerHash()`, and of their builds. */
export function sitemap(
  { address }: Site,
  builds: readonly { readonly id: string; readonly updated_at: string }[],
): string {
  const owners = [...new Set(builds.map(({ id }) => id.slice(0, id.indexOf('/'))))];
  const url = (path: string, time?: string): string =>
    `<url><loc>${escapeMarkup(`${address}/${path}`)}</loc>${time === undefined ? '' : `<lastmod>${time.slice(0, 10)}</lastmod>`}</url>\n`;
  const urls = [
    ...owners.map((owner) => url(ownerFolder(owner))),
    ...builds.map(({ id, updated_at }) => url(buildFolder(id), updated_at)),
  ];
  return `<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('')}</urlset>\n`;
}
