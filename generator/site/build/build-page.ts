/**
 * The page of a build: what decides on one screen, and below it panels with an address of their own. Without JavaScript the
 * style sheet shows the panel that the address names, the first one by default.
 */
import { buildFolder } from '../../../format/index/site-path.ts';
import { sourceAddress } from '../source-address.ts';
import { INTEGRATION_FILE, README_FILE } from '../../../format/build/build-files.ts';
import { html, type Html, trusted } from '../html.ts';
import { count } from '../figures.ts';
import { linkFrom, rootFrom } from '../link.ts';
import { type Heading, ROOT_MARK } from '../markdown/clean-markup.ts';
import type { RenderedMarkdown } from '../markdown/render-markdown.ts';
import { renderPage } from '../page.ts';
import type { PageSite } from '../site.ts';
import type { BuildView } from './build-view.ts';
import { versionsPanel } from './versions-panel.ts';
import { buildHead } from './build-head.ts';
import { safetyPanel } from './safety-panel.ts';
import { concernOf, decisionOf } from './decision.ts';
import { filesPanel } from './files-panel.ts';
import { detailsPanel } from './details.ts';
import { requirementCount, requirementsPanel } from './requirements.ts';

/** The texts of a version; absent where the build has none. */
export interface BuildTexts {
  readonly readme: RenderedMarkdown | undefined;
  readonly integration: RenderedMarkdown | undefined;
}

/** A picture beside the page, with its size in pixels. */
export interface Screenshot {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

interface Panel {
  /** Its address on the page. */
  readonly id: string;
  readonly title: string;
  /** Shown behind the title. */
  readonly count?: number | undefined;
  readonly content: Html;
}

/** The page of a build, which shows its latest version. */
export function buildPage(
  site: PageSite,
  view: BuildView,
  texts: BuildTexts,
  screenshot?: Screenshot,
): string {
  const { id, latest } = view;
  const folder = buildFolder(id);
  const path = `${folder}index.html`;
  const link = linkFrom(path);
  const decision = decisionOf(view);
  const { findings } = latest.checks;
  const concerns = concernOf(decision) === 'none' ? 0 : decision.safety.length;
  const panels: (Panel | undefined)[] = [
    textPanel('readme', 'README', README_FILE, view, texts.readme, path) ?? {
      id: 'readme',
      title: 'README',
      content: html`<p class="quiet">This version has no README.</p>`,
    },
    textPanel('guide', 'Guide', INTEGRATION_FILE, view, texts.integration, path),
    panel('files', 'Files', latest.files.length, filesPanel(view, decision, link)),
    panel('versions', 'Versions', view.head.versions.length, versionsPanel(view, link)),
    panel(
      'requirements',
      'Requirements',
      requirementCount(view),
      requirementsPanel(site, view, link),
    ),
    panel('safety', 'Safety', concerns + findings.length, safetyPanel(view, decision, link)),
    panel('details', 'Details', undefined, detailsPanel(site, view, link)),
  ];
  const shown = panels.filter((one) => one !== undefined);
  const first = shown[0]!;
  if (screenshot !== undefined) {
    shown[0] = { ...first, content: html`${picture(id, screenshot)}${first.content}` };
  }
  const main = html`<main id="main">
${buildHead(site, view, decision, link)}
<nav class="sections" aria-label="Parts of this page">${shown.map(
    ({ id: name, title, count: number }) =>
      html`<a href="#${name}">${title}${number === undefined || number === 0 ? '' : html` <span class="tab-count">${count(number)}</span>`}</a>`,
  )}</nav>
<div class="panels">${shown.map(
    ({ id: name, title, content }) =>
      html`<section class="panel" id="${name}" aria-labelledby="${name}-title"><h2 id="${name}-title">${title}</h2>
${content}
</section>
`,
  )}</div>
</main>`;
  return renderPage(site, {
    path,
    kind: 'build',
    title: id,
    description: latest.description,
    twin: `${folder}index.md`,
    feed: { path: `${folder}feed.xml`, title: `Versions of ${id}` },
    main,
  });
}

/** Its size keeps its place before it is there. */
function picture(id: string, { name, width, height }: Screenshot): Html {
  return html`<a class="screenshot" href="${name}"><img src="${name}" alt="Screenshot of ${id}" width="${width}" height="${height}" loading="lazy" decoding="async"></a>
`;
}

function panel(id: string, title: string, number: number | undefined, content: Html): Panel {
  return { id, title, count: number, content };
}

/** A text of the publisher; nothing where there is none. */
function textPanel(
  id: string,
  title: string,
  file: string,
  { latest }: BuildView,
  text: RenderedMarkdown | undefined,
  path: string,
): Panel | undefined {
  if (text === undefined) return undefined;
  const markup = withoutTitle(text, latest.id).replaceAll(ROOT_MARK, rootFrom(path));
  const all = linkFrom(path)('index.html') + sourceAddress({ ...latest, file });
  const rest = text.isCut
    ? html`<p class="note">The text is long: this is its beginning. <a href="${all}">Read all of it.</a></p>`
    : '';
  const content = html`<div class="with-contents">
<div class="prose" dir="auto">
${trusted(markup)}</div>
${contents(title, contentsOf(text, latest.id))}
</div>${rest}`;
  return { id, title, content };
}

/** Headings that a list of contents has. */
const MAX_CONTENTS = 40;

function contents(title: string, headings: readonly Heading[]): Html | undefined {
  if (headings.length < 3) return undefined;
  const shown = headings.filter((one) => one.depth <= 2).slice(0, MAX_CONTENTS);
  return html`<nav class="contents" aria-label="Contents: ${title}"><ul>${shown.map(
    ({ id, text, depth }) =>
      html`<li><a${depth > 1 ? html` class="deeper"` : ''} href="#${id}">${text}</a></li>\n`,
  )}</ul></nav>`;
}

/** The headings that readers see. Those below a title that is hidden are the outermost. */
function contentsOf(text: RenderedMarkdown, id: string): readonly Heading[] {
  if (!hasName(text, id)) return text.headings;
  return text.headings.slice(1).map((one) => ({ ...one, depth: Math.max(1, one.depth - 1) }));
}

/** Guides begin with the name as well, and often with the version behind it. */
function hasName({ headings: [first] }: RenderedMarkdown, id: string): boolean {
  if (first === undefined) return false;
  const title = first.text.replace(/^Integrate /, '').replace(/ \d+\.\d+\.\d+\S*$/, '');
  return [id, id.split('/')[1]].includes(title);
}

/** Most texts begin with the name of the build, which the page shows as its title already. */
function withoutTitle(text: RenderedMarkdown, id: string): string {
  const markup = text.html.toString();
  if (!hasName(text, id)) return markup;
  // The headings below it take its level. Text and attributes have no `<`.
  return markup
    .replace(/<h3 (id="[^"]*")>[\s\S]*?<\/h3>/, '<div $1></div>')
    .replaceAll(/<(\/?)h([4-6])(?=[ >])/g, (_, slash: string, level: string) => {
      return `<${slash}h${Number(level) - 1}`;
    });
}
