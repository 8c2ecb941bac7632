/** The pages that explain something. Each is written once, in Markdown, which is also its twin. */
import { CHECKPOINT_PATH } from '../../../format/index/layout.ts';
import type { SiteSection } from '../../../format/index/site-path.ts';
import { UNKNOWN_ADDRESS, clientCommands, registryMark } from '../build/install-command.ts';
import { html, trusted, type Html } from '../html.ts';
import { renderMarkdown } from '../markdown/render-markdown.ts';
import { renderPage } from '../page.ts';
import type { Site } from '../site.ts';

/** "Publish a build": from a folder to a version in this registry. */
export function publishGuide(site: Site): Guide {
  const command = (action: string): string => Object.values(clientCommands(site, action))[0] ?? '';
  const where =
    site.repository === undefined
      ? 'This registry names no repository: ask its admins where they take pull requests, and give it as `STACKYARD_REPOSITORY`.'
      : `This registry takes pull requests at <${site.repository}>.`;
  const appeal = site.appeals === undefined ? 'Appeal' : `[Appeal](<${site.appeals}>)`;
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

## Appeal

Is a finding wrong? ${appeal}: an admin looks at it.
`,
  };
}

/** "Verify this registry": what nobody has to believe. */
export function verifyGuide(site: Site): Guide {
  const address = site.address === '' ? UNKNOWN_ADDRESS : site.address;
  const client = (action: string): string => Object.values(clientCommands(site, action))[0]!;
  const audits =
    site.logKey === undefined
      ? 'An audit needs a log that is signed: this registry has none.'
      : `An audit reads the log, its map and everything that is served, and compares each digest. The client does it from the address of this registry:

\`\`\`sh
${client('registry audit')}
\`\`\`

With a clone of the registry's repository, the program of a registry also builds everything again, and compares the bytes:

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

interface Guide {
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
  const options = { prefix: '', level: 2, resolve };
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
