/** The page of one file of a version: its lines, with numbers to link to. It depends on the version alone. */
import { withUnixLines } from '../code/code-text.ts';
import { codeLines } from '../code/highlighter.ts';
import { languageOfFile } from '../code/language.ts';
import { filePagePath, versionFolder } from '../../../format/index/site-path.ts';
import { bytesText, countOf } from '../figures.ts';
import { html, plain, trusted } from '../html.ts';
import type { Html } from '../html.ts';
import { linkFrom } from '../link.ts';
import { renderPage } from '../shell/page.ts';
import type { Site } from '../site.ts';
import { servedText, textOf } from './source-file.ts';
import type { SourceFile } from './source-file.ts';
import { sourceHead } from './source-head.ts';

/** What a page shows of a file; the rest is in the plain text. */
const MAX_SHOWN = 100_000;
const MAX_LINES = 2_000;

export interface FileOfVersion {
  readonly id: string;
  readonly version: string;
  readonly file: SourceFile;
}

/** The page; `undefined` for a file whose path is too long for one. */
export function filePage(
  site: Site,
  { id, version, file }: FileOfVersion,
  hasColours: boolean,
): { path: string; page: string } | undefined {
  const path = filePagePath(id, version, file.path);
  if (path === undefined) return undefined;
  const link = linkFrom(path);
  const text = textOf(file);
  const raw = servedText(id, version, file, text);
  const { lines, isCut, total } = shownLines(text ?? '', file.path, hasColours);
  const size = `${text === undefined ? '' : `${countOf(total, 'line')}, `}${bytesText(file.bytes.length)}`;
  const main = html`<main id="main">
${sourceHead({ id, version }, link, file.path)}
<div class="file-head"><span>${size}</span>${raw === undefined ? '' : html`<a href="${link(raw)}">Plain text</a>`}<a href="${link(`${versionFolder(id, version)}files/index.html`)}">All files</a></div>
${text === undefined ? html`<pre class="code-file" tabindex="0"><code>  This file is not text. It is in the tarball of the version.</code></pre>` : html`<pre class="code-file" data-lines tabindex="0"><code>${numbered(lines)}</code></pre>`}
${isCut ? html`<p class="note block-gap">The file is long: this is its beginning.${raw === undefined ? ' All of it is in the tarball.' : html` <a href="${link(raw)}">Read all of it.</a>`}</p>` : ''}
</main>`;
  const title = `${plain(file.path)} · ${id} ${version}`;
  const page = renderPage(site, {
    path,
    kind: 'file',
    title,
    description: `The file ${plain(file.path)} of ${id} ${version}.`,
    main,
  });
  return { path, page };
}

function shownLines(
  text: string,
  path: string,
  hasColours: boolean,
): { lines: readonly string[]; isCut: boolean; total: number } {
  const unix = withUnixLines(text).replace(/\n$/, '');
  const total = unix === '' ? 0 : countLines(unix);
  const shown = unix.slice(0, MAX_SHOWN);
  const isCut = total > MAX_LINES || unix.length > MAX_SHOWN;
  const code = isCut ? shown.split('\n').slice(0, MAX_LINES).join('\n') : shown;
  const lines = codeLines(code, hasColours ? languageOfFile(path) : undefined);
  return { lines, isCut, total };
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** Numbers are no stops of the tab key: a file has thousands. */
function numbered(lines: readonly string[]): Html {
  let markup = '';
  for (const [at, line] of lines.entries()) {
    const number = at + 1;
    markup += `<span class="line" id="L${number}"><a href="#L${number}" tabindex="-1">${number}</a>${line}\n</span>`;
  }
  return trusted(markup);
}
