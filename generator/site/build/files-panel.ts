/** The panel "Files" of a build: where its files go in a project. */
import { sourceAddress } from '../source-address.ts';
import type { BuildView } from './build-view.ts';
import type { Decision } from './decision.ts';
import { bytesText, count } from '../figures.ts';
import { html, type Html } from '../html.ts';
import type { Link } from '../link.ts';
import { plain } from '../visible-text.ts';

/** Files that a page lists; the source page has all. */
const MAX_SHOWN = 300;

/** The path in a project of a file within the build. */
export function destinationOf(path: string, base: string | undefined): string {
  return base === undefined ? path : `${base}/${path}`;
}

export function filesPanel({ id, latest }: BuildView, { edits }: Decision, link: Link): Html {
  const { version, files, manifest } = latest;
  const shown = files.slice(0, MAX_SHOWN);
  const all = link('index.html') + sourceAddress({ id, version });
  const rows = shown.map(({ path, size }) => {
    const address = link('index.html') + sourceAddress({ id, version, file: path });
    return html`<tr><td><a href="${address}"><code>${plain(destinationOf(path, manifest.base))}</code></a></td><td class="number">${bytesText(size)}</td></tr>\n`;
  });
  const edited = edits.map((file, at) => html`${at === 0 ? '' : ', '}<code>${file}</code>`);
  return html`<p>${latest.kind === 'foundation' ? 'A new project gets these files.' : 'These files are written to your project, and are yours from then on.'} <a href="${all}">Read the source</a></p>
${edits.length === 0 ? '' : html`<p>Also edited: ${edited}.</p>`}
<div class="scroll" tabindex="0" role="region" aria-label="Table of files"><table class="files"><thead><tr><th scope="col">Path in the project</th><th scope="col" class="number">Size</th></tr></thead><tbody>${rows}</tbody></table></div>
${files.length > shown.length ? html`<p class="quiet"><a href="${all}">And ${count(files.length - shown.length)} more.</a></p>` : ''}`;
}
