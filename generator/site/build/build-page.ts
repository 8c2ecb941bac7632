/** The page of a build, and that of each of its versions: the same parts, for one version. */
import type { PackageRecord } from '../../../format/index/record.ts';
import { buildFolder, rawPath, versionFolder } from '../../../format/index/site-path.ts';
import { INTEGRATION_FILE, README_FILE } from '../../../format/build/build-files.ts';
import { html, trusted } from '../html.ts';
import type { Html } from '../html.ts';
import { linkFrom, rootFrom } from '../link.ts';
import type { Link } from '../link.ts';
import type { Heading } from '../markdown/headings.ts';
import type { RenderedMarkdown } from '../markdown/render-markdown.ts';
import { ROOT_MARK } from '../markdown/resolve-link.ts';
import { renderPage } from '../shell/page.ts';
import type { Site } from '../site.ts';
import { buildHead, sectionLinks } from './build-head.ts';
import type { BuildView } from './build-view.ts';
import { compatibilitySection } from './compatibility.ts';
import { capabilityList } from './capability-list.ts';
import { checksSection } from './checks.ts';
import { environmentSection } from './environment.ts';
import { factsColumn } from './facts.ts';
import { integritySection } from './integrity.ts';
import { buildData } from './json-ld.ts';
import { dependentsSection, requirementsSection } from './requirements.ts';
import { versionsSection } from './versions.ts';

/** The texts of a version; absent where the build has none. */
export interface BuildTexts {
  readonly readme: RenderedMarkdown | undefined;
  readonly integration: RenderedMarkdown | undefined;
}

/** The page of a build, which shows its latest version. */
export function buildPage(site: Site, view: BuildView, texts: BuildTexts): string {
  const folder = buildFolder(view.id);
  return pageAt(site, view, view.latest, texts, folder);
}

/** The page of one version. Search engines are sent to the page of the build. */
export function versionPage(
  site: Site,
  view: BuildView,
  record: PackageRecord,
  texts: BuildTexts,
): string {
  return pageAt(site, view, record, texts, versionFolder(view.id, record.version));
}

function pageAt(
  site: Site,
  view: BuildView,
  record: PackageRecord,
  texts: BuildTexts,
  folder: string,
): string {
  const path = `${folder}index.html`;
  const link = linkFrom(path);
  const { id, version, description } = record;
  const isBuild = folder === buildFolder(id);
  const main = html`<main id="main">
${buildHead(site, view, record, link)}
${sectionLinks(record, link)}
<div class="with-side">
<div class="main-column">
${textSection('readme', 'README', README_FILE, record, texts.readme, path)}
${textSection('integration', 'Integration', INTEGRATION_FILE, record, texts.integration, path)}
${environmentSection(record)}
${requirementsSection(view, record, link, isBuild ? view.providers : {})}
${compatibilitySection(view, record, link)}
${isBuild ? dependentsSection(view, link) : ''}
${checksSection(record, link)}
<section class="section" id="capabilities" aria-labelledby="capabilities-title"><h2 id="capabilities-title">Capabilities</h2>
${capabilities(view, version)}
</section>
${versionsSection(view, link)}
${integritySection(site, view, record, link)}
</div>
${factsColumn(view, record, link, contentsOf(texts.readme, id))}
</div>
</main>`;
  return renderPage(site, {
    path,
    kind: isBuild ? 'build' : 'version',
    title: isBuild ? id : `${id} ${version}`,
    description,
    twin: `${folder}index.md`,
    canonical: `${buildFolder(id)}index.html`,
    isHidden: version !== view.latest.version,
    ...(site.hasImages ? { image: `${buildFolder(id)}image.png` } : {}),
    feed: { path: `${buildFolder(id)}feed.xml`, title: `Versions of ${id}` },
    head: isBuild ? buildData(site, view) : undefined,
    main,
  });
}

function capabilities(view: BuildView, version: string): Html | undefined {
  const lists = view.capabilities.get(version);
  return lists === undefined ? undefined : capabilityList(lists);
}

function textSection(
  id: string,
  title: string,
  file: string,
  record: PackageRecord,
  text: RenderedMarkdown | undefined,
  path: string,
): Html | undefined {
  if (text === undefined) {
    if (id !== 'readme') return undefined;
    return html`<section class="section" id="readme" aria-labelledby="readme-title"><h2 id="readme-title" class="visually-hidden">README</h2><p class="quiet">This version has no README.</p></section>`;
  }
  const link: Link = linkFrom(path);
  const markup = withoutTitle(text, record.id).replaceAll(ROOT_MARK, rootFrom(path));
  const shown = trusted(markup);
  const raw = rawPath(record.id, record.version, file);
  const rest =
    text.isCut && raw !== undefined
      ? html`<p class="note">The text is long: this is its beginning. <a href="${link(raw)}">Read all of it.</a></p>`
      : '';
  return html`<section class="section" id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title"${id === 'readme' ? html` class="visually-hidden"` : ''}>${title}</h2>
<div class="prose" dir="auto">
${shown}</div>${rest}
</section>`;
}

/** The headings that readers see. Those below a title that is hidden are the outermost. */
function contentsOf(text: RenderedMarkdown | undefined, id: string): readonly Heading[] {
  if (text === undefined || !hasName(text, id)) return text?.headings ?? [];
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
