/** Makes and stages all pages of one build: the page of its latest version, its twin, feed, badge and image. */
import type { Advisory } from '../../format/advisory/advisory.ts';
import { sourceAddress } from '../../format/index/source-address.ts';
import { buildFolder } from '../../format/index/site-path.ts';
import type { PackageRecord } from '../../format/index/record.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { sourcePaths } from '../git/source.ts';
import { buildPage } from '../site/build/build-page.ts';
import type { BuildTexts } from '../site/build/build-page.ts';
import type { BuildView, MonthDownloads, NamedBuild } from '../site/build/build-view.ts';
import { headVersion } from '../site/build/build-view.ts';
import { withdrawnPage, withdrawnTwin } from '../site/build/withdrawn-page.ts';
import { badge } from '../site/feed/badge.ts';
import { buildFeed } from '../site/feed/build-feed.ts';
import { buildImage } from '../site/image/build-image.ts';
import { renderMarkdown } from '../site/markdown/render-markdown.ts';
import type { RenderedMarkdown } from '../site/markdown/render-markdown.ts';
import { linkResolver } from '../site/markdown/resolve-link.ts';
import type { Site } from '../site/site.ts';
import { buildTwin } from '../site/twin/build-twin.ts';
import { record } from './record.ts';
import { factsOf } from './render.ts';
import type { StoredBuild } from './render.ts';
import type { Stage } from './emit.ts';

/** What a build's pages are made from. */
export interface PagedBuild {
  readonly build: StoredBuild;
  readonly advisories: readonly Advisory[];
  readonly months: readonly MonthDownloads[];
  readonly dependents: readonly NamedBuild[];
  readonly dependentCount: number;
  readonly providers: BuildView['providers'];
  readonly foundations: BuildView['foundations'];
  readonly modules: BuildView['modules'];
  readonly brings: BuildView['brings'];
  /** Only what other builds change: the page and its twin. */
  readonly isFrontOnly: boolean;
}

export interface PageTools {
  readonly site: Site;
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
  const { latest, head, compatibility } = record(facts);
  const { capabilities } = facts.versions.find(({ version }) => version === latest.version)!;
  const view: BuildView = { id: build.id, latest, head, compatibility, capabilities, ...rest };
  const folder = buildFolder(view.id);
  let written = 0;
  const add = (path: string, content: string | Uint8Array): void => {
    if (stage.add(folder + path, content)) written += 1;
  };
  if (headVersion(view, latest.version)?.withdrawn === true) {
    add('index.html', withdrawnPage(site, view));
    add('index.md', withdrawnTwin(view));
  } else {
    const tree = facts.places.find(({ version }) => version === latest.version)?.tree;
    const paths = tree === undefined ? [] : await linkedPaths(latest, reader, tree);
    add('index.html', buildPage(site, view, textsOf(site, latest, paths)));
    add('index.md', buildTwin(site, view));
  }
  if (isFrontOnly) return written;
  add('feed.xml', buildFeed(site, view));
  add('badge.svg', badge(view));
  if (site.hasImages) add('image.png', buildImage(site, view));
  return written;
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
  { hasHighlighting: hasColours }: Site,
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
    text.trim() === ''
      ? undefined
      : renderMarkdown(text, { hasColours, prefix, level: 3, resolve });
  return { readme: render(readme, 'readme-'), integration: render(integration, 'guide-') };
}
