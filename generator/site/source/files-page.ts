/** The list of the files of a version, folder by folder. It depends on the version alone. */
import { compareText } from '../../../format/compare-text.ts';
import { filePagePath, versionFolder } from '../../../format/index/site-path.ts';
import { tarballPath } from '../../../format/index/layout.ts';
import { bytesText, countOf } from '../figures.ts';
import { html, plain } from '../html.ts';
import type { Html } from '../html.ts';
import { linkFrom } from '../link.ts';
import { renderPage } from '../shell/page.ts';
import type { Site } from '../site.ts';
import type { SourceFile } from './source-file.ts';
import { sourceHead } from './source-head.ts';
import type { VersionName } from './source-head.ts';

export interface ListedFiles {
  readonly files: readonly SourceFile[];
  /** Paths of files that an installation places. */
  readonly installed: ReadonlySet<string>;
}

/** The page. */
export function filesPage(
  site: Site,
  { id, version }: VersionName,
  { files, installed }: ListedFiles,
): { path: string; page: string } {
  const path = `${versionFolder(id, version)}files/index.html`;
  const link = linkFrom(path);
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  const rows: Html[] = [];
  let folder = '';
  for (const file of inFolders(files)) {
    const own = folderOf(file.path);
    if (own !== folder)
      rows.push(html`<tr class="folder"><td colspan="3">${plain(own)}/</td></tr>\n`);
    folder = own;
    const page = filePagePath(id, version, file.path);
    const name = plain(file.path.slice(own === '' ? 0 : own.length + 1));
    const shown = page === undefined ? name : html`<a href="${link(page)}">${name}</a>`;
    const use = installed.has(file.path) ? '' : 'not installed';
    rows.push(
      html`<tr${own === '' ? '' : html` class="depth-1"`}><td>${shown}</td><td class="quiet">${use}</td><td class="number">${bytesText(file.bytes.length)}</td></tr>\n`,
    );
  }
  const main = html`<main id="main">
${sourceHead({ id, version }, link, `Files of ${id} ${version}`)}
<p class="lead">${countOf(files.length, 'file')}, ${bytesText(bytes)}, exactly as they are in <a href="${link(tarballPath(id, version))}">the tarball</a>.</p>
<div class="scroll block-gap" tabindex="0" role="region" aria-label="Files"><table class="file-list"><thead><tr><th scope="col">File</th><th scope="col"><span class="visually-hidden">Use</span></th><th scope="col" class="number">Size</th></tr></thead><tbody>
${rows}</tbody></table></div>
</main>`;
  const page = renderPage(site, {
    path,
    kind: 'files',
    title: `Files of ${id} ${version}`,
    description: `The files of version ${version} of ${id}.`,
    main,
  });
  return { path, page };
}

/** Files at the root first, then folder by folder. */
function inFolders(files: readonly SourceFile[]): SourceFile[] {
  return files.toSorted(
    (a, b) => compareText(folderOf(a.path), folderOf(b.path)) || compareText(a.path, b.path),
  );
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
