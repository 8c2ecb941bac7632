/** The frame of the pages that explain something. Each is written once, in Markdown, which is also its twin. */
import type { SiteSection } from '../../../format/index/site-path.ts';
import { UNKNOWN_ADDRESS, registryMark } from '../build/install-command.ts';
import { html, trusted } from '../html.ts';
import type { Html } from '../html.ts';
import { renderMarkdown } from '../markdown/render-markdown.ts';
import { renderPage } from '../shell/page.ts';
import type { Site } from '../site.ts';

export interface Guide {
  readonly section: SiteSection;
  readonly title: string;
  /** One sentence. */
  readonly lead: string;
  /** Markdown without the title. Its links are those of the page. */
  readonly text: string;
}

/** The page and its twin, by path. */
export function guidePages(
  site: Site,
  { section, title, lead, text }: Guide,
): Readonly<Record<string, string>> {
  const resolve = (href: string): string => href;
  const options = { hasColours: site.hasHighlighting, prefix: '', level: 2, resolve };
  const { html: markup, headings } = renderMarkdown(withWrittenAddress(text), options);
  const shown = withAddressMarks(markup);
  const main = html`<main id="main">
<h1>${title}</h1>
<p class="lead">${lead}</p>
<div class="with-side"><div class="main-column"><div class="prose">
${shown}</div></div>
<aside class="facts" aria-label="Contents"><nav class="contents" aria-label="Contents"><h2>Contents</h2><ul>${headings.map((one) => html`<li><a${one.depth > 1 ? html` class="deeper"` : ''} href="#${one.id}">${one.text}</a></li>\n`)}</ul></nav></aside></div>
</main>`;
  const path = `${section}/index.html`;
  const twin = `${section}/index.md`;
  return {
    [path]: renderPage(site, { path, kind: 'guide', title, description: lead, twin, main }),
    [twin]: `# ${title}\n\n> ${lead}\n\n${text.trim()}\n`,
  };
}

/** Stands for the address while the text is rendered, as one word that no highlighter divides. */
const WRITTEN_ADDRESS = 'https://registry.invalid';

function withWrittenAddress(text: string): string {
  return text.replaceAll(UNKNOWN_ADDRESS, WRITTEN_ADDRESS);
}

/** The browser module puts the address in. */
function withAddressMarks(markup: Html): Html {
  const mark = registryMark().toString();
  return trusted(markup.toString().replaceAll(WRITTEN_ADDRESS, () => mark));
}
