/** What previews of a page show elsewhere. They need the public address of the registry. */
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { linkFrom } from '../link.ts';
import { publicUrl } from '../site.ts';
import type { Site } from '../site.ts';

/** The page that is previewed. */
export interface Previewed {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly canonical?: string | undefined;
  readonly image?: string | undefined;
}

/** Nothing without an address. */
export function socialTags(site: Site, page: Previewed): Html | undefined {
  const url = publicUrl(site, linkFrom('')(page.canonical ?? page.path).slice(2));
  if (url === undefined) return undefined;
  const image = page.image === undefined ? undefined : publicUrl(site, page.image);
  return html`<meta property="og:type" content="website">
<meta property="og:site_name" content="${site.name}">
<meta property="og:title" content="${page.title}">
<meta property="og:description" content="${page.description}">
<meta property="og:url" content="${url}">
<meta name="twitter:card" content="${image === undefined ? 'summary' : 'summary_large_image'}">
${
  image === undefined
    ? ''
    : html`<meta property="og:image" content="${image}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${page.title}">
`
}`;
}
