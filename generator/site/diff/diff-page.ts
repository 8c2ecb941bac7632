/** The page of what changed from the previous version to this one: what its code can do now, then the files. */
import type { CapabilityLists } from '../../../format/index/capabilities.ts';
import { buildFolder, filePagePath, versionFolder } from '../../../format/index/site-path.ts';
import { gainedCapabilities } from '../build/capability-list.ts';
import { codeText } from '../code/code-text.ts';
import { countOf } from '../figures.ts';
import { html, plain, trusted } from '../html.ts';
import type { Html } from '../html.ts';
import { linkFrom } from '../link.ts';
import type { Link } from '../link.ts';
import { renderPage } from '../shell/page.ts';
import type { Site } from '../site.ts';
import { fileChanges } from './file-changes.ts';
import type { FileChange } from './file-changes.ts';
import type { SourceFile } from '../source/source-file.ts';

/** Files that the list at the top names. */
const MAX_LISTED = 200;

/** One side of a comparison. */
export interface ComparedVersion {
  readonly version: string;
  readonly capabilities: CapabilityLists;
  readonly files: readonly SourceFile[];
}

/** The page of `after`. */
export function diffPage(
  site: Site,
  id: string,
  before: ComparedVersion,
  after: ComparedVersion,
): { path: string; page: string } {
  const { version } = after;
  const path = `${versionFolder(id, version)}diff/index.html`;
  const link = linkFrom(path);
  const changes = fileChanges(before.files, after.files);
  const added = changes.reduce((sum, change) => sum + change.added, 0);
  const removed = changes.reduce((sum, change) => sum + change.removed, 0);
  const main = html`<main id="main">
<nav aria-label="Place"><ol class="crumbs"><li><a href="${link(`${buildFolder(id)}index.html`)}">${id}</a></li><li><a href="${link(`${versionFolder(id, version)}index.html`)}">${version}</a></li></ol></nav>
<h1>Changes from ${before.version} to ${version}</h1>
<p class="lead">${countOf(changes.length, 'file')} changed, <span class="added">${countOf(added, 'line')} added</span>, <span class="removed">${countOf(removed, 'line')} removed</span>.</p>
<section class="section block-gap" aria-labelledby="capabilities"><h2 id="capabilities">Capabilities</h2>
${capabilityChanges(before, after)}
</section>
<section class="section" aria-labelledby="files"><h2 id="files">Files</h2>
${changes.length === 0 ? html`<p class="quiet">No file changed.</p>` : ''}${changedList(changes)}
${changes.map((change, at) => fileDiff(change, at, id, after, link))}
</section>
</main>`;
  const title = `Changes of ${id} ${version}`;
  const description = `What changed from version ${before.version} to ${version} of ${id}.`;
  return {
    path,
    page: renderPage(site, { path, kind: 'diff', title, description, main }),
  };
}

function capabilityChanges(before: ComparedVersion, after: ComparedVersion): Html {
  const gained = gainedCapabilities(after.capabilities, before.capabilities);
  const lost = gainedCapabilities(before.capabilities, after.capabilities);
  if (gained.length === 0 && lost.length === 0) {
    return html`<p class="quiet">The code can do what it could do before, and nothing else.</p>`;
  }
  const list = (items: readonly Html[]): Html => html`<ul class="capabilities">${items}</ul>`;
  return html`${gained.length === 0 ? '' : html`<div class="note note-warn"><strong>New in ${after.version}</strong>${list(gained)}</div>`}
${lost.length === 0 ? '' : html`<div class="note"><strong>No longer in ${after.version}</strong>${list(lost)}</div>`}`;
}

/** Where to go on a page with several files. */
function changedList(changes: readonly FileChange[]): Html | undefined {
  if (changes.length < 2) return undefined;
  const rest = changes.length - MAX_LISTED;
  const items = changes
    .slice(0, MAX_LISTED)
    .map(
      (change, at) =>
        html`<li><a href="#change-${at + 1}">${plain(change.path)}</a> <span>${counts(change)}</span></li>\n`,
    );
  return html`<nav aria-label="Changed files"><ul class="changed-files">${items}</ul></nav>${rest > 0 ? html`<p class="quiet">And ${countOf(rest, 'more file')}, below.</p>` : ''}`;
}

function counts({ kind, added, removed, lines }: FileChange): Html {
  const word = kind === 'changed' ? '' : html`${kind} `;
  return lines === undefined
    ? html`${kind}`
    : html`${word}<span class="added">+${added}</span> <span class="removed">−${removed}</span>`;
}

function fileDiff(
  change: FileChange,
  at: number,
  id: string,
  after: ComparedVersion,
  link: Link,
): Html {
  const { path, kind, lines, note } = change;
  const page = kind === 'removed' ? undefined : filePagePath(id, after.version, path);
  const name = plain(path);
  return html`<div class="diff" id="change-${at + 1}"><div class="file-head"><strong>${page === undefined ? name : html`<a href="${link(page)}">${name}</a>`}</strong><span>${counts(change)}</span>${lines === undefined ? html`<span>${note}</span>` : ''}</div>
${lines === undefined ? '' : html`<pre tabindex="0" aria-label="Changes of ${name}"><code>${diffLines(lines)}</code></pre>`}</div>
`;
}

function diffLines(lines: readonly string[]): Html {
  const markup = lines.map((line) => {
    const text = codeText(line.startsWith('@') ? line.slice(2) : line);
    if (line.startsWith('@')) return `<span class="hunk">${text}</span>`;
    const [sign, rest] = [text.slice(0, 1), text.slice(1)];
    if (sign === '+') return `<ins><b>+</b>${rest}\n</ins>`;
    if (sign === '-') return `<del><b>-</b>${rest}\n</del>`;
    return `<span class="same"><b> </b>${rest}\n</span>`;
  });
  return trusted(markup.join(''));
}
