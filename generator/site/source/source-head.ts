/** The top of the pages that show the files of a version. */
import { buildFolder, versionFolder } from '../../../format/index/site-path.ts';
import { html, plain } from '../html.ts';
import type { Html } from '../html.ts';
import type { Link } from '../link.ts';

export interface VersionName {
  readonly id: string;
  readonly version: string;
}

/** @param title a path or a name, which is the heading */
export function sourceHead({ id, version }: VersionName, link: Link, title: string): Html {
  const folder = versionFolder(id, version);
  return html`<nav aria-label="Place"><ol class="crumbs"><li><a href="${link(`${buildFolder(id)}index.html`)}">${id}</a></li><li><a href="${link(`${folder}index.html`)}">${version}</a></li><li><a href="${link(`${folder}files/index.html`)}">files</a></li></ol></nav>
<h1>${plain(title)}</h1>`;
}
