/** What search engines read about a build, as JSON-LD in the page. */
import { tarballPath, urlPath } from '../../../format/index/layout.ts';
import { buildFolder } from '../../../format/index/site-path.ts';
import { html, plain, trusted } from '../html.ts';
import type { Html } from '../html.ts';
import { publicUrl } from '../site.ts';
import type { Site } from '../site.ts';
import type { BuildView } from './build-view.ts';

/** Nothing without a public address. A block of data is no script: the policy of pages lets it be read. */
export function buildData(site: Site, { id, latest, head }: BuildView): Html | undefined {
  const url = publicUrl(site, buildFolder(id));
  if (url === undefined) return undefined;
  const [owner = ''] = id.split('/');
  const data = {
    '@context': 'https://schema.org',
    '@type': 'SoftwareSourceCode',
    name: id,
    description: plain(latest.description),
    url,
    version: latest.version,
    author: { '@type': 'Organization', name: owner },
    dateCreated: head.versions.at(-1)?.published_at,
    dateModified: latest.published_at,
    keywords: latest.keywords.map(plain),
    license: latest.license,
    ...(/^https?:/.test(latest.repository) ? { codeRepository: latest.repository } : {}),
    downloadUrl: publicUrl(site, urlPath(tarballPath(id, latest.version))),
  };
  return html`<script type="application/ld+json">${trusted(scriptJson(data))}</script>
`;
}

/** JSON that cannot end the element that holds it. */
function scriptJson(data: unknown): string {
  return JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
