/** Makes and stages all pages of one build: its own, those of its versions, their files and changes. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { VersionFacts } from '../../examine/version-facts.ts';
import { buildFolder, filePagePath, versionFolder } from '../../format/index/site-path.ts';
import type { PackageRecord } from '../../format/index/record.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { readSource, sourcePaths } from '../git/source.ts';
import { buildPage, versionPage } from '../site/build/build-page.ts';
import type { BuildTexts } from '../site/build/build-page.ts';
import { isWithdrawn, previousOf } from '../site/build/build-view.ts';
import { withdrawnPage, withdrawnTwin } from '../site/build/withdrawn-page.ts';
import type { BuildView, Dependent, MonthDownloads } from '../site/build/build-view.ts';
import { diffPage } from '../site/diff/diff-page.ts';
import type { ComparedVersion } from '../site/diff/diff-page.ts';
import { badge } from '../site/feed/badge.ts';
import { buildFeed } from '../site/feed/build-feed.ts';
import { buildImage } from '../site/image/build-image.ts';
import type { Kept } from '../site/kept.ts';
import { renderMarkdown } from '../site/markdown/render-markdown.ts';
import type { RenderedMarkdown } from '../site/markdown/render-markdown.ts';
import { linkResolver } from '../site/markdown/resolve-link.ts';
import { filePage } from '../site/source/file-page.ts';
import { filesPage } from '../site/source/files-page.ts';
import { servedText, textOf } from '../site/source/source-file.ts';
import type { SourceFile } from '../site/source/source-file.ts';
import type { Site } from '../site/site.ts';
import { buildTwin } from '../site/twin/build-twin.ts';
import { record } from './record.ts';
import type { BuildFacts } from './record.ts';
import type { Stage } from './emit.ts';

/** What a build's pages are made from. */
export interface PagedBuild {
  readonly facts: BuildFacts;
  readonly months: readonly MonthDownloads[];
  readonly dependents: readonly Dependent[];
  readonly dependentCount: number;
  readonly providers: BuildView['providers'];
  /** Versions whose own files have no pages yet. */
  readonly fresh: readonly string[];
  /** Versions that are withdrawn from now on. */
  readonly gone: readonly string[];
  /** Only what other builds change: the page of the build and its twin. */
  readonly isFrontOnly: boolean;
}

export interface PageTools {
  readonly site: Site;
  readonly kept: Kept;
  readonly reader: ObjectReader;
  readonly stage: Stage;
  /** Folder of the index. */
  readonly out: string;
}

export interface MadePages {
  /** Files that differ from those in the index. */
  readonly written: number;
  /** Files in the index that are no page of these versions. */
  readonly stale: readonly string[];
}

/** Files of one version that get colours; those after them have none. */
const MAX_COLOURED_BYTES = 1_000_000;

/** Stages the pages. */
export async function makeBuildPages(build: PagedBuild, tools: PageTools): Promise<MadePages> {
  const pages = new BuildPages(build, tools);
  if (!build.isFrontOnly) {
    await pages.addSources();
    await pages.addVersions();
  }
  await pages.addFront();
  return { written: pages.written, stale: pages.stale };
}

class BuildPages {
  readonly #tools: PageTools;
  readonly #fresh: ReadonlySet<string>;
  readonly #gone: ReadonlySet<string>;
  readonly #trees: ReadonlyMap<string, string>;
  readonly #view: BuildView;
  readonly #texts = new Map<string, BuildTexts>();
  readonly stale: string[] = [];
  written = 0;

  constructor(build: PagedBuild, tools: PageTools) {
    this.#tools = tools;
    this.#fresh = new Set(build.fresh);
    this.#gone = new Set(build.gone);
    this.#trees = new Map(build.facts.places.map(({ version, tree }) => [version, tree]));
    const { records, latest, head, compatibility } = record(build.facts);
    this.#view = {
      id: build.facts.id,
      records,
      latest,
      head,
      compatibility,
      capabilities: new Map(
        build.facts.versions.map((v: VersionFacts) => [v.version, v.capabilities]),
      ),
      months: build.months,
      dependents: build.dependents,
      dependentCount: build.dependentCount,
      providers: build.providers,
    };
  }

  /** Files, and the changes between neighbours of which one is new. Each version is read once. */
  async addSources(): Promise<void> {
    const view = this.#view;
    for (const version of this.#gone) this.#findGone(version);
    const shown = view.records.filter(({ version }) => !isWithdrawn(view, version)).toReversed();
    let before: { version: string; files: readonly SourceFile[] } | undefined;
    for (const [at, { version }] of shown.entries()) {
      const previous = previousOf(view, version);
      const isFresh = this.#fresh.has(version);
      const isExposed = this.#isExposed(version);
      if (isExposed && previous === undefined) this.stale.push(this.#changesPath(version));
      const hasNewChanges =
        previous !== undefined && (isFresh || isExposed || this.#fresh.has(previous));
      const next = shown[at + 1]?.version ?? '';
      if (!isFresh && !hasNewChanges && !this.#fresh.has(next) && !this.#isExposed(next)) {
        before = undefined;
        continue;
      }
      const files = await this.#read(version);
      if (isFresh) await this.#addFiles(version, files);
      if (hasNewChanges) {
        const old = before?.version === previous ? before.files : await this.#read(previous);
        this.#addChanges(this.#compared(previous, old), this.#compared(version, files));
      }
      before = { version, files };
    }
  }

  async addVersions(): Promise<void> {
    const { site } = this.#tools;
    const view = this.#view;
    for (const one of view.records) {
      const folder = versionFolder(view.id, one.version);
      if (isWithdrawn(view, one.version)) {
        this.#addWithdrawn(one, folder);
        continue;
      }
      const texts = await this.#textsOf(one);
      this.#add(`${folder}index.html`, versionPage(site, view, one, texts));
      this.#add(`${folder}index.md`, buildTwin(site, view, one));
    }
    const folder = buildFolder(view.id);
    this.#add(`${folder}feed.xml`, buildFeed(site, view));
    this.#add(`${folder}badge.svg`, badge(view));
    if (site.hasImages) {
      this.#add(`${folder}image.png`, await buildImage(site, view, this.#tools.kept));
    }
  }

  async addFront(): Promise<void> {
    const { site } = this.#tools;
    const view = this.#view;
    const folder = buildFolder(view.id);
    if (isWithdrawn(view, view.latest.version)) return this.#addWithdrawn(view.latest, folder);
    const texts = await this.#textsOf(view.latest);
    this.#add(`${folder}index.html`, buildPage(site, view, texts));
    this.#add(`${folder}index.md`, buildTwin(site, view, view.latest, view.providers));
  }

  #addWithdrawn(one: PackageRecord, folder: string): void {
    const { site } = this.#tools;
    this.#add(`${folder}index.html`, withdrawnPage(site, this.#view, one, folder));
    this.#add(`${folder}index.md`, withdrawnTwin(this.#view, one));
  }

  #add(path: string, content: string | Uint8Array): void {
    if (this.#tools.stage.add(path, content)) this.written += 1;
  }

  async #read(version: string): Promise<readonly SourceFile[]> {
    const tree = this.#trees.get(version);
    if (tree === undefined) return [];
    const { files } = await readSource(this.#tools.reader, tree, true);
    return files.flatMap(({ path, bytes }) => (bytes === undefined ? [] : [{ path, bytes }]));
  }

  async #addFiles(version: string, files: readonly SourceFile[]): Promise<void> {
    const { site } = this.#tools;
    const { id } = this.#view;
    const made = new Set<string>();
    const add = (path: string, content: string | Uint8Array): void => {
      made.add(path);
      this.#add(path, content);
    };
    const own = this.#view.records.find((one) => one.version === version);
    const installed = new Set(own?.files.map((file) => file.path));
    const list = filesPage(site, { id, version }, { files, installed });
    add(list.path, list.page);
    let left = site.hasHighlighting ? MAX_COLOURED_BYTES : 0;
    for (const file of files) {
      const hasColours = file.bytes.length <= left;
      if (hasColours) left -= file.bytes.length;
      const page = filePage(site, { id, version, file }, hasColours);
      if (page !== undefined) add(page.path, page.page);
      const raw = servedText(id, version, file, textOf(file));
      if (raw !== undefined) add(raw, file.bytes);
    }
    this.#findStale(version, made);
  }

  /** A full run over an older index may leave pages of another form. */
  #findStale(version: string, made: ReadonlySet<string>): void {
    const folder = versionFolder(this.#view.id, version);
    for (const part of ['file', 'raw']) {
      const root = join(this.#tools.out, folder, part);
      if (!existsSync(root)) continue;
      for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name).slice(this.#tools.out.length + 1);
        if (!made.has(path)) this.stale.push(path);
      }
    }
  }

  /** A withdrawn version keeps its own page only. */
  #findGone(version: string): void {
    this.stale.push(`${versionFolder(this.#view.id, version)}files/index.html`);
    this.stale.push(this.#changesPath(version));
    this.#findStale(version, new Set());
  }

  #changesPath(version: string): string {
    return `${versionFolder(this.#view.id, version)}diff/index.html`;
  }

  /** Whether a version between this one and the one before it is withdrawn from now on. */
  #isExposed(version: string): boolean {
    const { versions } = this.#view.head;
    const at = versions.findIndex((one) => one.version === version);
    const below = at < 0 ? [] : versions.slice(at + 1);
    const end = below.findIndex((one) => one.withdrawn !== true);
    return (end < 0 ? below : below.slice(0, end)).some((one) => this.#gone.has(one.version));
  }

  #compared(version: string, files: readonly SourceFile[]): ComparedVersion {
    const capabilities = this.#view.capabilities.get(version);
    if (capabilities === undefined) throw new TypeError(`Version ${version} has no capabilities`);
    return { version, capabilities, files };
  }

  #addChanges(before: ComparedVersion, after: ComparedVersion): void {
    const { path, page } = diffPage(this.#tools.site, this.#view.id, before, after);
    this.#add(path, page);
  }

  async #textsOf(one: PackageRecord): Promise<BuildTexts> {
    const known = this.#texts.get(one.version);
    if (known !== undefined) return known;
    const texts = {
      readme: await this.#text(one, one.readme, 'readme-'),
      integration: await this.#text(one, one.integration, 'integration-'),
    };
    this.#texts.set(one.version, texts);
    return texts;
  }

  async #text(
    { id, version }: PackageRecord,
    text: string,
    prefix: string,
  ): Promise<RenderedMarkdown | undefined> {
    if (text.trim() === '') return undefined;
    const tree = this.#trees.get(version);
    const hasLinks = /\]|href/i.test(text);
    const paths = hasLinks && tree !== undefined ? await sourcePaths(this.#tools.reader, tree) : [];
    const files = new Set(paths);
    const resolve = linkResolver({
      pageOf: (file) => (files.has(file) ? filePagePath(id, version, file) : undefined),
      list: `${versionFolder(id, version)}files/`,
      hasFolder: (folder) => paths.some((path) => path.startsWith(`${folder}/`)),
    });
    const hasColours = this.#tools.site.hasHighlighting;
    return renderMarkdown(text, { hasColours, prefix, level: 3, resolve });
  }
}
