/**
 * The page of a build: what decides on one screen, and below it panels with an address of their own. Without JavaScript the
 * style sheet shows the panel that the address names, the first one by default.
 */
import { advisoryFolder, buildFolder, ownerFolder } from '../../../format/index/site-path.ts';
import { sourceAddress } from '../../../format/index/source-address.ts';
import { INTEGRATION_FILE, README_FILE } from '../../../format/build/build-files.ts';
import {
  count,
  countOf,
  html,
  type Html,
  type Link,
  linkFrom,
  plain,
  rootFrom,
  trusted,
  when,
} from '../html.ts';
import { type Heading, ROOT_MARK } from '../markdown/clean-markup.ts';
import type { RenderedMarkdown } from '../markdown/render-markdown.ts';
import { renderPage } from '../page.ts';
import { publicUrl, type Site } from '../site.ts';
import { type BuildView, kindMark, versionsPanel } from './build-view.ts';
import { concernOf, type Decision, decisionOf, filesPanel } from './decision.ts';
import { detailsPanel } from './details.ts';
import { requirementCount, requirementsPanel } from './requirements.ts';
import { tarballPath, urlPath, waiversPath } from '../../../format/index/layout.ts';
import { FINDING_TEXTS } from '../../../format/finding/catalogue.ts';
import type { FindingText } from '../../../format/finding/texts/finding-text.ts';
import type { PackageRecord } from '../../../format/index/record.ts';
import { waiverOf } from '../../../format/index/waivers.ts';
import type { CapabilityLists } from '../../../format/index/capabilities.ts';
import { actionOf, commandTabs } from './install-command.ts';

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
  site: Site,
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
    panel(
      'safety',
      'Safety',
      concerns + findings.length,
      safetyPanel(view, decision, link, site.appeals),
    ),
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
    head: buildData(site, view),
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

/** Findings that a page lists; the record has all. */
const MAX_SHOWN = 200;

type Finding = PackageRecord['checks']['findings'][number];

/** @param appeal address of the form, where it is known */
export function safetyPanel(
  view: BuildView,
  decision: Decision,
  link: Link,
  appeal?: string,
): Html {
  const { latest: record, capabilities } = view;
  const { quality, checks } = record;
  const shown = checks.findings.slice(0, MAX_SHOWN);
  const rest = checks.findings.length - shown.length;
  return html`<div class="safety safety-${concernOf(decision)}">${decision.safety.map((one) => safetyLine(one, link))}</div>
<h3 id="checks">Checks</h3>
<p>The checks rate the risk of its code as <strong>${record.risk}</strong>. Quality is <strong>${quality}</strong> of 100: each point that is missing has a finding.</p>
<svg class="meter" viewBox="0 0 100 6" width="100%" height="6" preserveAspectRatio="none" aria-hidden="true"><rect width="${quality}" height="6"/></svg>
${shown.length === 0 ? html`<p class="quiet">There are no findings in version ${record.version}.</p>` : html`<ul class="finding-list">${shown.map((one) => findingItem(one, view, link))}</ul>`}
${rest > 0 ? html`<p class="quiet">And ${countOf(rest, 'finding')} more, in the package record.</p>` : ''}
${shown.length === 0 || appeal === undefined ? '' : html`<p class="quiet">Is a finding wrong? <a href="${appeal}">Appeal</a>: an admin looks at it.</p>`}
<h3 id="capabilities">What its code does</h3>
${capabilityList(capabilities)}`;
}

function findingItem(found: Finding, { latest, waivers }: BuildView, link: Link): Html {
  const { level, code, file, message } = found;
  const { id, version } = latest;
  const waived = waiverOf(waivers, version, found);
  const text: FindingText | undefined = Object.hasOwn(FINDING_TEXTS, code)
    ? FINDING_TEXTS[code as keyof typeof FINDING_TEXTS]
    : undefined;
  const line = / \(line (\d+)\)$/.exec(message)?.[1];
  const lines = line === undefined ? undefined : ([Number(line), Number(line)] as const);
  const place = html`<a href="${link('index.html')}${sourceAddress({ id, version, file, lines })}">${plain(file)}${line === undefined ? '' : `:${line}`}</a>`;
  return html`<li><div class="finding-head"><span class="mark mark-${level}">${level}</span><a href="${link('findings/index.html')}#${code}"><code>${code}</code></a>${file === '' ? '' : html`<span>${place}</span>`}</div>
<p class="bidi">${plain(message)}</p>${waived === undefined ? '' : html`<p>Accepted by ${waived.by} on ${waived.at}: <span class="bidi">${plain(waived.reason)}</span>. It does not count for the risk: <a href="${link(waiversPath(id))}">waivers.json</a>.</p>`}
${text === undefined ? '' : html`<p><span class="remedy">What to do:</span> ${text.remedy}</p>`}</li>
`;
}

/** What the code of a version does, in words. */
const KINDS = {
  hosts: ['Sends to', 'any address that it is given'],
  environment: ['Reads variables', 'variables by a name that is not constant'],
  reads: ['Reads files', 'any path'],
  writes: ['Writes files', 'any path'],
  processes: ['Starts programs', 'programs by a name that is not constant'],
  unread: ['Was not read', 'everything'],
} as const;
const MAX_NAMES = 30;

/** One line for each kind of capability; a sentence when there are none. */
export function capabilityList(lists: CapabilityLists): Html {
  const items = capabilityItems(lists);
  if (items.length === 0) {
    return html`<p class="quiet">Its code sends nothing, reads and writes no files and variables outside of the build, and starts no programs.</p>`;
  }
  return html`<ul class="capabilities">${items}</ul>`;
}

function capabilityItems(lists: CapabilityLists): Html[] {
  const items = Object.entries(KINDS).flatMap(([kind, [title, any]]) => {
    const names = lists[kind as keyof typeof KINDS];
    if (names.length === 0) return [];
    const more = names.length - MAX_NAMES;
    const shown = names
      .slice(0, MAX_NAMES)
      .map(
        (name, at) =>
          html`${at === 0 ? '' : ', '}${name === '*' ? any : html`<code>${plain(name)}</code>`}`,
      );
    return [
      html`<li><span>${title}</span><span>${shown}${more > 0 ? ` and ${more} more` : ''}</span></li>\n`,
    ];
  });
  const dynamic = html`<li><span>Runs</span><span>code that it makes while it runs</span></li>\n`;
  return lists.dynamic_code ? [...items, dynamic] : items;
}

/** The top of a build's page: what it is, everything that decides whether to install it, and the command. */
const SIGNS = { none: '✓', note: 'i', warn: '!', bad: '✕' } as const;
/** Lines of safety that the top shows; the panel has all. */
const MAX_LINES = 4;

export function buildHead(site: Site, view: BuildView, decision: Decision, link: Link): Html {
  const { id, latest } = view;
  const [owner = '', name = ''] = id.split('/');
  const { kind, version } = latest;
  return html`<div class="build-head">
<div class="title"><h1><a class="owner" href="${link(`${ownerFolder(owner)}index.html`)}">${owner}</a><span class="owner">/</span>${name}</h1> <a class="title-version" href="${link('index.html')}${sourceAddress({ id, version })}" data-permalink>${version}</a>${kindMark(kind)}</div>
<p class="lead bidi">${plain(latest.description)}</p>
<div class="decision">
${safety(decision, link)}
<dl class="answers">
${decision.fits.length === 0 ? '' : answer('Fits', lines(decision.fits))}${answer('Writes', writes(decision))}${decision.needs.length === 0 ? '' : answer('Needs', variables(decision.needs))}${starts(view, link)}${answer('By hand', html`${withCode(decision.byHand)}`)}${answer('From', html`<a href="${link(`${ownerFolder(owner)}index.html`)}">${owner}</a>, reputation ${latest.reputation} of 100 · ${plain(latest.license)} · ${when(latest.published_at)}`)}</dl>
</div>
${commandTabs(site, actionOf({ id, kind }), 'install')}
</div>`;
}

function safety(decision: Decision, link: Link): Html {
  const shown = decision.safety.slice(0, MAX_LINES);
  const rest = decision.safety.length - shown.length;
  return html`<div class="safety safety-${concernOf(decision)}" role="note" aria-label="Safety">${shown.map((one) => safetyLine(one, link))}${rest > 0 ? html`<p><a href="#safety">And ${rest} more</a></p>` : ''}</div>`;
}

function safetyLine(
  { concern, text, advisory, replacement }: Decision['safety'][number],
  link: Link,
): Html {
  const more =
    advisory !== undefined
      ? html` <a href="${link(`${advisoryFolder(advisory)}index.html`)}">${advisory}</a>`
      : replacement === undefined
        ? ''
        : html` Use <a href="${link(`${buildFolder(replacement)}index.html`)}">${replacement}</a> instead.`;
  return html`<p class="bidi"><span class="sign" aria-hidden="true">${SIGNS[concern]}</span><span><strong>${text}.</strong>${more}</span></p>\n`;
}

function answer(name: string, value: Html): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`;
}

/** A module is added to a new project at once; a foundation takes modules with it. */
function starts({ latest, foundations, modules }: BuildView, link: Link): Html | undefined {
  const links = (ids: readonly string[]): Html =>
    html`${ids.map((id, at) => html`${at === 0 ? '' : ', '}<a href="${link(`${buildFolder(id)}index.html`)}">${id}</a>`)}`;
  if (latest.kind === 'foundation') {
    return modules.length === 0 ? undefined : answer('Add next', links(modules));
  }
  if (foundations.length === 0) return undefined;
  return answer('Start', html`a new project for it: ${links(foundations)}`);
}

function lines(all: readonly string[]): Html {
  return html`${all.map((one, at) => html`${at === 0 ? '' : html`<br>`}${one}`)}`;
}

function writes({ writes: what, edits }: Decision): Html {
  const edited = edits.map((file, at) => html`${at === 0 ? '' : ', '}<code>${file}</code>`);
  return html`<a href="#files">${what}</a>${edits.length === 0 ? '' : html`, edits ${edited}`}`;
}

function variables(names: readonly string[]): Html {
  return html`${names.map((name, at) => html`${at === 0 ? '' : ', '}<a href="#requirements"><code>${name}</code></a>`)}`;
}

/** The one option in the line as code. */
function withCode(text: string): Html {
  const [before = '', after] = text.split('--wire');
  return after === undefined ? html`${text}` : html`${before}<code>--wire</code>${after}`;
}
