/** The pages that depend on the software and the configuration alone. */
import type { Site } from '../site.ts';
import { countOf, html, type Html, linkFrom, trusted } from '../html.ts';
import { renderPage, searchForm } from '../page.ts';
import { clientCommands, registryMark, UNKNOWN_ADDRESS } from '../build/install-command.ts';
import { CHECKPOINT_PATH } from '../../../format/index/layout.ts';
import type { SiteSection } from '../../../format/index/site-path.ts';
import { renderMarkdown } from '../markdown/render-markdown.ts';
import { FINDING_TEXTS } from '../../../format/finding/catalogue.ts';
import type { FindingGroup, FindingText } from '../../../format/finding/texts/finding-text.ts';
import { compareText } from '../../../format/compare-text.ts';

/** Path to content. */
export function fixedPages(site: Site): Readonly<Record<string, string>> {
  const pages: Record<string, string> = {
    '404.html': notFoundPage(site),
    [SOURCE_PAGE]: sourcePage(site),
    ...findingsPages(site),
  };
  for (const guide of [publishGuide(site), runGuide(site), verifyGuide(site)]) {
    Object.assign(pages, guidePages(site, guide));
  }
  return pages;
}

/** Its path in the index; `format/index/site-path.ts` has its address. */
const SOURCE_PAGE = 'source/index.html';

export function sourcePage(site: Site): string {
  const main = html`<main id="main" class="source-page" data-source-page>
<h1>Source</h1>
<p class="lead loading">Fetching the files, and checking their digest …</p>
<noscript><div class="note"><p><strong>This page unpacks a tarball in the browser, which needs JavaScript.</strong></p>
<p>Without it, <code>stackyard info &lt;owner&gt;/&lt;name&gt;@&lt;version&gt; --files</code> prints the list of files, and with the path of a file instead of <code>--files</code>, that file. The tarball itself is at <code>builds/&lt;owner&gt;/&lt;name&gt;/&lt;version&gt;.tgz</code> below the address of this registry; its SHA-256 is in <code>heads/&lt;owner&gt;/&lt;name&gt;.json</code>.</p></div></noscript>
</main>`;
  return renderPage(site, {
    path: SOURCE_PAGE,
    kind: 'source',
    title: 'Source',
    description: `The files of every version of every build of ${site.name}, and what changed between versions.`,
    main,
  });
}

/** `404.html`, which hosts send for any address: its links begin at the root of the site. */
export function notFoundPage(site: Site): string {
  const root = site.address === '' ? '/' : new URL(`${site.address}/`).pathname;
  const relative = linkFrom('404.html');
  const link = (to: string): string => root + relative(to).slice(2);
  const main = html`<main id="main">
<h1>There is no such page</h1>
<p class="lead">The address may have a mistake, or the version does not exist or was withdrawn. The page of a build lists its versions.</p>
${searchForm(link, trusted(''))}
<p class="block-gap"><a href="${link('index.html')}">Home</a> · <a href="${link('search/index.html')}">All builds</a> · <a href="${link('tags/index.html')}">Stack tags</a></p>
</main>`;
  return renderPage(site, {
    path: '404.html',
    kind: '404',
    title: 'Not found',
    description: 'There is no such page.',
    isHidden: true,
    hasSearch: true,
    root,
    main,
  });
}

/** "Publish a build": from a folder to a version in this registry. */
function publishGuide(site: Site): Guide {
  const command = (action: string): string => Object.values(clientCommands(site, action))[0] ?? '';
  const where =
    site.repository === undefined
      ? 'This registry names no repository: ask its admins where they take pull requests, and give it as `STACKYARD_REPOSITORY`.'
      : `This registry takes pull requests at <${site.repository}>.`;
  return {
    section: 'publish',
    title: 'Publish a build',
    lead: 'A build is a folder of files with a manifest. It becomes a version by a pull request that the registry checks.',
    text: `
## 1. Make the manifest

In the folder with the files:

\`\`\`sh
${command('init')}
\`\`\`

It writes \`stackyard.json\`, \`README.md\` and \`INTEGRATION.md\` from what the files import, and overwrites nothing. The fields are
in the [JSON Schema](../schema/manifest.schema.json).

## 2. Check it

\`\`\`sh
${command('check')}
\`\`\`

These are the checks of the registry. Each [finding](../findings/) has a reason and a remedy; one of level \`error\` stops
publication. \`pack\` shows what the tarball will hold.

## 3. Try it in a project

\`\`\`sh
${command('add ./path/to/folder')}
\`\`\`

It installs the folder as a published build would be.

## 4. Publish

\`\`\`sh
${command('publish')}
\`\`\`

It opens a pull request with the content of the folder as \`builds/<owner>/<name>/\`. ${where}
The gate of the registry checks the build, the owner and the name. What it cannot decide waits for an admin.

## After that

- A published version never changes. To fix something, raise \`version\` and publish again.
- \`yank\` marks a version that nobody should install; it stays available to projects that have it.
- \`deprecate\` advises against a build and names a replacement.
- Agents that install your build report whether it worked. The reports count towards its rank and your reputation.
`,
  };
}

/** "Run your own registry". */
function runGuide(site: Site): Guide {
  const client = (action: string): string => Object.values(clientCommands(site, action))[0]!;
  const source =
    site.repository === undefined ? '' : ` This registry is made from <${site.repository}>.`;
  return {
    section: 'run',
    title: 'Run your own registry',
    lead: 'A registry is a git repository and a folder of static files made from it. It needs no server and no database.',
    text: `
## What it consists of

- A git repository with \`builds/<owner>/<name>/\` and \`registry.config.json\`. Its main line is the history of publications.${source}
- The package \`stackyard-registry\`, whose programs judge proposals, read that history and write the index: tarballs, records, heads, catalog, log, and
  these pages.
- Any static host with https. The index has its own \`_headers\` file.

## Set it up

1. Install the programs, in a clone of the sources of Stackyard:

   \`\`\`sh
   npm ci && npm run build && npm pack ./generator
   npm install --global ./stackyard-registry-0.1.0.tgz
   \`\`\`

2. Make the repository, with yourself as its admin and the address that it will have:

   \`\`\`sh
   stackyard-registry init our-builds --name "Our builds" --admin alice:123 --origin builds.example.org
   \`\`\`

3. Add a build below \`builds/\` of it, commit, and look at the result there:

   \`\`\`sh
   stackyard-registry serve
   \`\`\`

4. Let your CI make the index on every push, and copy it to the folder of a web server, or to a bucket (\`s3://our-builds\`):

   \`\`\`sh
   stackyard-registry generate
   stackyard-registry deploy file:/var/www/our-builds
   \`\`\`

5. Make a key for the transparency log with \`stackyard-registry log:key\`, keep the private one as a secret of the CI, and name the public one
   in \`registry.config.json\`.

## Use more than one

A project may use several registries at once:

\`\`\`sh
${client('registry add ours https://builds.example.org')}
\`\`\`

An owner belongs to one registry in a project, so that no registry takes over the builds of another. A registry may name upstreams,
in which its builds' requirements are looked up.

## Without pages

\`"site": false\` in \`registry.config.json\` leaves out these pages; clients and mirrors do not need them.
\`"site": { "highlighting": false, "images": false }\` keeps them without the colours of code and the images for previews.
`,
  };
}

/** "Verify this registry": what nobody has to believe. */
function verifyGuide(site: Site): Guide {
  const address = site.address === '' ? UNKNOWN_ADDRESS : site.address;
  const client = (action: string): string => Object.values(clientCommands(site, action))[0]!;
  const audits =
    site.logKey === undefined
      ? 'An audit needs a log that is signed: this registry has none.'
      : `An audit reads the log, its map and everything that is served, and compares each digest. The client does it from the address of this registry:

\`\`\`sh
${client('audit')}
\`\`\`

The programs of a registry do it too ([how to get them](../run/)). With a clone of the registry's repository they also build everything again, and
compare the bytes:

\`\`\`sh
stackyard-registry audit ${address} --repo ../clone-of-the-registry
\`\`\``;
  const key =
    site.logKey === undefined
      ? 'The log of this registry is not signed: a client notices changed tarballs, but not a host that alters what it states about them.'
      : `This is the key that signs the log of this registry. Compare it with the one that the admins publish elsewhere:

\`\`\`
${site.logKey}
\`\`\``;
  return {
    section: 'verify',
    title: 'Verify this registry',
    lead: 'Every version, yank and change of an owner is an entry of a log that only grows. Anyone can check it.',
    text: `
## The key

${key}

## In a project

This compares what is installed with the lock, and the proofs in the lock with the log:

\`\`\`sh
${client('verify')}
\`\`\`

## The whole registry

${audits}

## By hand

The checkpoint of the log is [a signed note](../${CHECKPOINT_PATH}) in the format of C2SP tlog-checkpoint:

\`\`\`sh
curl -fsS ${address}/${CHECKPOINT_PATH}
\`\`\`

The record of each version has the SHA-256 of its tarball in the field \`integrity\`, as Base64.

## What is not promised

- The log does not state that a build is good, only that everyone gets the same one.
- Pages are not in the map of the log. An install reads none of them.
- Without witnesses nobody else states the time of a checkpoint.
`,
  };
}

/** The frame of the pages that explain something. Each is written once, in Markdown, which is also its twin. */
interface Guide {
  readonly section: SiteSection;
  readonly title: string;
  /** One sentence. */
  readonly lead: string;
  /** Markdown without the title. Its links are those of the page. */
  readonly text: string;
}

/** The page and its twin, by path. */
function guidePages(
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

/** The catalogue of findings: what each means, why it is reported, what to do. */
const GROUPS: Readonly<Record<FindingGroup, readonly [title: string, text: string]>> = {
  safety: ['Safety', 'What code does that can harm those who run it. Risk is computed from these.'],
  agent: ['Coding agents', 'Text that agents load or obey.'],
  'supply-chain': ['Supply chain', 'What a build brings from elsewhere.'],
  quality: ['Quality', 'What costs points of quality.'],
  manifest: ['Form', 'What a build must be like to be published.'],
};

type Entry = readonly [code: string, text: FindingText];

/** The page and its twin, by path. */
export function findingsPages(site: Site): Readonly<Record<string, string>> {
  const entries = Object.entries(FINDING_TEXTS) as unknown as Entry[];
  const groups = (Object.keys(GROUPS) as FindingGroup[]).map((group) => {
    const own = entries.filter(([, text]) => text.group === group);
    return { group, own: own.sort(([a], [b]) => compareText(a, b)) };
  });
  const lead = `Checks report ${countOf(entries.length, 'kind')} of findings. A code never changes its meaning.`;
  const main = html`<main id="main">
<h1>Findings</h1>
<p class="lead">${lead}</p>
<div class="with-side"><div class="main-column">
${groups.map(({ group, own }) => groupSection(group, own))}</div>
<aside class="facts" aria-label="Groups"><nav class="contents" aria-label="Groups"><h2>Groups</h2><ul>${groups.map(({ group, own }) => html`<li><a href="#group-${group}">${GROUPS[group][0]} <span class="quiet">${own.length}</span></a></li>\n`)}</ul></nav></aside></div>
</main>`;
  const path = 'findings/index.html';
  const twin = 'findings/index.md';
  const page = { path, kind: 'findings', title: 'Findings', description: lead, twin, main };
  return { [path]: renderPage(site, page), [twin]: twinOf(lead, groups) };
}

function groupSection(group: FindingGroup, own: readonly Entry[]): Html {
  const [title, text] = GROUPS[group];
  return html`<section class="section" aria-labelledby="group-${group}"><h2 id="group-${group}">${title}</h2><p>${text}</p>
<ul class="finding-list">${own.map(
    ([
      code,
      { level, message, why, remedy },
    ]) => html`<li id="${code}"><div class="finding-head"><span class="mark mark-${level}">${level}</span><code>${code}</code></div>
<p><strong>${exampleOf(message)}</strong></p><p>${why}</p><p><span class="remedy">What to do:</span> ${remedy}</p></li>
`,
  )}</ul></section>
`;
}

/** The message with the names of its values in place of values. */
function exampleOf(message: FindingText['message']): string {
  const names = new Proxy({}, { get: (_, name) => `<${String(name)}>` });
  return message(names);
}

function twinOf(
  lead: string,
  groups: readonly { readonly group: FindingGroup; readonly own: readonly Entry[] }[],
): string {
  const parts = groups.map(({ group, own }) => {
    const items = own.map(
      ([code, { level, message, why, remedy }]) =>
        `### ${code}\n\nLevel ${level}: ${exampleOf(message)}\n\n${why} ${remedy}\n`,
    );
    return `## ${GROUPS[group][0]}\n\n${GROUPS[group][1]}\n\n${items.join('\n')}`;
  });
  return `# Findings\n\n> ${lead}\n\n${parts.join('\n')}`;
}
