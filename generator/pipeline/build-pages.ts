/** Makes and stages all pages of one build: the page of its latest version, its twin, feed and badge. */
import type { Advisory } from '../../format/advisory/advisory.ts';
import { buildFolder, ownerFolder } from '../../format/index/site-path.ts';
import { sourceAddress } from '../site/source-address.ts';
import type { PackageRecord } from '../../format/index/record.ts';
import { isGone, reasonOf, statusText } from '../../format/registry/status.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { sourcePaths } from '../git/source.ts';
import { readScreenshot, SCREENSHOT_FILES } from '../../scan/rules/quality/screenshot.ts';
import { buildPage, type BuildTexts, type Screenshot } from '../site/build/build-page.ts';
import { type BuildView, headVersion, statusIn } from '../site/build/build-view.ts';
import { versionsPanel } from '../site/build/versions-panel.ts';
import { statusMark } from '../site/build/build-list.ts';
import { type RenderedMarkdown, renderMarkdown } from '../site/markdown/render-markdown.ts';
import { linkResolver } from '../site/markdown/clean-markup.ts';
import type { PageSite } from '../site/site.ts';
import { buildTwin } from '../site/build-twin.ts';
import { record } from './record.ts';
import { factsOf, type StoredBuild } from './render.ts';
import type { Stage } from './emit.ts';
import { escapeMarkup, html } from '../site/html.ts';
import { linkFrom } from '../site/link.ts';
import { plain } from '../site/visible-text.ts';
import { when } from '../site/figures.ts';
import { compareText } from '../../format/compare-text.ts';
import { atomFeed, FEED_ENTRIES, versionEntry } from '../site/atom-feed.ts';
import { renderPage } from '../site/page.ts';
import { logPlace } from '../site/build/details.ts';

/** What a build's pages are made from. */
export interface PagedBuild {
  readonly build: StoredBuild;
  readonly advisories: readonly Advisory[];
  readonly dependents: BuildView['dependents'];
  readonly dependentCount: number;
  readonly providers: BuildView['providers'];
  readonly foundations: BuildView['foundations'];
  readonly modules: BuildView['modules'];
  readonly brings: BuildView['brings'];
  /** Only what other builds change: the page and its twin. */
  readonly isFrontOnly: boolean;
}

interface PageTools {
  readonly site: PageSite;
  readonly reader: ObjectReader;
  readonly stage: Stage;
}

/**
 * Stages the pages.
 * @returns how many files differ from those in the index
 */
export async function makeBuildPages(
  { build, isFrontOnly, ...rest }: PagedBuild,
  { site, reader, stage }: PageTools,
): Promise<number> {
  const facts = factsOf(build);
  const { latest, head, compatibility, waivers } = record(facts);
  const isLatest = ({ version }: { readonly version: string }): boolean =>
    version === latest.version;
  const { capabilities } = facts.versions.find(isLatest)!;
  const place = facts.places.find(isLatest);
  const sizes = Object.fromEntries(facts.versions.map(({ version, size }) => [version, size]));
  const documents = { latest, head, compatibility, waivers, capabilities, sizes, place };
  const view: BuildView = { id: build.id, ...documents, ...rest };
  const folder = buildFolder(view.id);
  let written = 0;
  let shown: string | undefined;
  const add = (path: string, content: string | Uint8Array): void => {
    if (stage.add(folder + path, content)) written += 1;
  };
  if (isGone(statusIn(view, latest.version))) {
    add('index.html', withdrawnPage(site, view));
    add('index.md', withdrawnTwin(view));
  } else {
    const tree = place?.tree;
    const paths = tree === undefined ? [] : await linkedPaths(latest, reader, tree);
    const found = tree === undefined ? undefined : await findScreenshot(reader, tree);
    if (found !== undefined) add(found.name, found.bytes);
    shown = found?.name;
    add('index.html', buildPage(site, view, textsOf(latest, paths), found));
    add('index.md', buildTwin(site, view));
  }
  // What an earlier version had is published no more, above all that of a version that was taken down.
  for (const name of SCREENSHOT_FILES) {
    if (name !== shown && stage.published(folder + name) !== undefined) add(name, '');
  }
  if (isFrontOnly) return written;
  add('feed.xml', buildFeed(site, view));
  add('badge.svg', badge(view));
  return written;
}

/** The picture of a version that its page may show. */
async function findScreenshot(
  reader: ObjectReader,
  tree: string,
): Promise<(Screenshot & { readonly bytes: Uint8Array }) | undefined> {
  for (const name of SCREENSHOT_FILES) {
    const bytes = (await reader.read(`${tree}:${name}`))?.bytes;
    const size = bytes && readScreenshot(name, bytes);
    if (typeof size === 'object') return { name, ...size, bytes: bytes! };
  }
  return undefined;
}

/** The files that a text may link to; it is not read where there are no links. */
async function linkedPaths(
  { readme, integration }: PackageRecord,
  reader: ObjectReader,
  tree: string,
): Promise<readonly string[]> {
  return /\]|href/i.test(readme + integration) ? sourcePaths(reader, tree) : [];
}

function textsOf(
  { id, version, readme, integration }: PackageRecord,
  paths: readonly string[],
): BuildTexts {
  const files = new Set(paths);
  const resolve = linkResolver({
    pageOf: (file) => (files.has(file) ? sourceAddress({ id, version, file }) : undefined),
    list: sourceAddress({ id, version }),
    hasFolder: (folder) => paths.some((path) => path.startsWith(`${folder}/`)),
  });
  const render = (text: string, prefix: string): RenderedMarkdown | undefined =>
    text.trim() === '' ? undefined : renderMarkdown(text, { prefix, level: 3, resolve });
  return { readme: render(readme, 'readme-'), integration: render(integration, 'guide-') };
}

/** Pixels of an average character at this size. */
const WIDTH = 6.6;
const COLOURS = { ok: '#0b6b57', caution: '#8a5300', danger: '#b3261e', grey: '#5d6a73' } as const;

export function badge({ id, latest, head }: BuildView): string {
  const isYanked = head.versions.every(({ status }) => status.is !== 'open');
  const hasFault = (headVersion({ head }, latest.version)?.advisories ?? []).length > 0;
  const isBad = isYanked || hasFault;
  const isPlain = !isBad && head.deprecated === undefined && latest.risk === 'ok';
  const word = isYanked
    ? 'yanked'
    : hasFault
      ? 'known fault'
      : head.deprecated === undefined
        ? latest.risk
        : 'deprecated';
  const value = isPlain ? latest.version : `${latest.version} ${word}`;
  const colour = isBad
    ? COLOURS.danger
    : head.deprecated === undefined
      ? COLOURS[latest.risk]
      : COLOURS.grey;
  const [left, right] = [widthOf(id), widthOf(value)];
  const all = left + right;
  const text = (x: number, content: string): string =>
    `<text x="${x}" y="14" text-anchor="middle">${escapeMarkup(content)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${all}" height="20" viewBox="0 0 ${all} 20" role="img" aria-label="${escapeMarkup(`${id}: ${value}`)}"><title>${escapeMarkup(`${id}: ${value}`)}</title><rect width="${all}" height="20" rx="4" fill="#22292e"/><path d="M${left} 0h${right - 4}a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H${left}z" fill="${colour}"/><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(left / 2, id)}${text(left + right / 2, value)}</g></svg>
`;
}

function widthOf(text: string): number {
  return Math.round(text.length * WIDTH) + 14;
}

/** The feed of a build's versions. */
export function buildFeed(site: PageSite, { id, latest, head }: BuildView): string {
  const newest = head.versions.toSorted((a, b) => compareText(b.published_at, a.published_at));
  const words = new Map(
    head.versions.flatMap(({ version, status: { is } }) => (is === 'open' ? [] : [[version, is]])),
  );
  const titleOf = (version: string): string => {
    const word = words.get(version);
    return word === undefined ? `${id} ${version}` : `${id} ${version} (${word})`;
  };
  return atomFeed(site, {
    name: id,
    title: `Versions of ${id}`,
    path: `${buildFolder(id)}feed.xml`,
    page: `${buildFolder(id)}index.html`,
    entries: newest.slice(0, FEED_ENTRIES).map(({ version, published_at }) => {
      const { description } = latest;
      return versionEntry({ id, version, published_at, description }, titleOf(version));
    }),
  });
}

/** The page of a build whose every version is gone: why, the digest, and the versions. Nothing of its content is shown. */
function withdrawnPage(site: PageSite, view: BuildView): string {
  const { id, latest } = view;
  const { version, integrity, published_at } = latest;
  const status = statusIn(view, version);
  const word = statusText(status);
  const folder = buildFolder(id);
  const path = `${folder}index.html`;
  const link = linkFrom(path);
  const [owner = '', name = ''] = id.split('/');
  const main = html`<main id="main">
<div class="build-head">
<div class="title"><h1><a class="owner" href="${link(`${ownerFolder(owner)}index.html`)}">${owner}</a><span class="owner">/</span>${name}</h1> <span class="title-version">${version}</span>${statusMark(status)}</div>
<div class="safety safety-bad"><p class="bidi"><strong>Version ${version} was ${plain(word)}:</strong> ${plain(reasonOf(status))}</p></div>
</div>
<p>It was published ${when(published_at)}. The tarball is gone, and no other content will ever have this number.</p>
<section class="section" id="versions" aria-labelledby="versions-title"><h2 id="versions-title">Versions</h2>
${versionsPanel(view, link)}
</section>
<section class="section" id="integrity" aria-labelledby="integrity-title"><h2 id="integrity-title">Integrity</h2>
<p>The SHA-256 of the tarball that is gone.</p>
<code class="digest">${integrity}</code>
${logPlace(view, link)}
</section>
</main>`;
  return renderPage(site, {
    path,
    kind: 'build',
    title: id,
    description: `Version ${version} of ${id} was ${word}.`,
    twin: `${folder}index.md`,
    isHidden: true,
    feed: { path: `${folder}feed.xml`, title: `Versions of ${id}` },
    main,
  });
}

/** The same for agents. */
function withdrawnTwin(view: BuildView): string {
  const { id, version, integrity, published_at } = view.latest;
  const status = statusIn(view, version);
  return `# ${id} ${version}

**It was ${plain(statusText(status))}: ${plain(reasonOf(status))}**

The tarball is gone. No other version can be installed.

- Published: ${published_at}
- Integrity: ${integrity}
`;
}
