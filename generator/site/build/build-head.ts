/** The top of a build's page: what it is, what to know before installing it, and the command. */
import type { PackageRecord } from '../../../format/index/record.ts';
import { buildFolder, ownerFolder, versionFolder } from '../../../format/index/site-path.ts';
import { html, plain } from '../html.ts';
import type { Html } from '../html.ts';
import type { Link } from '../link.ts';
import type { Site } from '../site.ts';
import type { BuildView } from './build-view.ts';
import { actionOf, commandTabs } from './install-command.ts';
import { deprecatedMark, kindMark, riskMark, yankedMark } from './marks.ts';

export function buildHead(site: Site, view: BuildView, record: PackageRecord, link: Link): Html {
  const { id, kind, version } = record;
  const isLatest = version === view.latest.version;
  const [owner = '', name = ''] = id.split('/');
  const action = actionOf({ id, kind, version: isLatest ? undefined : version });
  return html`<div class="build-head">
<div class="title"><h1><a class="owner" href="${link(`${ownerFolder(owner)}index.html`)}">${owner}</a><span class="owner">/</span>${name}</h1> <a class="title-version" href="${link(`${versionFolder(id, version)}index.html`)}" data-permalink>${version}</a>${kindMark(kind)}${riskMark(record.risk)}${deprecatedMark(view.head.deprecated !== undefined)}${yankedMark(yankOf(view, version) !== undefined)}</div>
<p class="lead bidi">${plain(record.description)}</p>
${notes(view, record, link)}
${commandTabs(site, action, 'install')}
</div>`;
}

/** The links to the parts of a page. @param current of a page that shows one part alone */
export function sectionLinks(record: PackageRecord, link: Link, current?: 'files' | 'diff'): Html {
  const { id, version } = record;
  const folder = versionFolder(id, version);
  const base = current === undefined ? '' : link(`${folder}index.html`);
  const parts: [string, string][] = [
    ...(record.readme === '' ? [] : ([['README', '#readme']] as [string, string][])),
    ...(record.integration === '' ? [] : ([['Integration', '#integration']] as [string, string][])),
    ['Requirements', '#requires'],
    ['Checks', '#checks'],
    ['Capabilities', '#capabilities'],
    ['Versions', '#versions'],
    ['Integrity', '#integrity'],
  ];
  const files = html`<a href="${link(`${folder}files/index.html`)}"${current === 'files' ? html` aria-current="page"` : ''}>Files</a>`;
  return html`<nav class="sections" aria-label="Parts of this build">${parts.map(
    ([text, anchor]) => html`<a href="${base}${anchor}">${text}</a>`,
  )}${files}</nav>`;
}

/** The reason why a version is yanked. */
export function yankOf({ head }: BuildView, version: string): string | undefined {
  const yanked = head.versions.find((one) => one.version === version)?.yanked;
  return yanked === undefined || yanked === false ? undefined : yanked;
}

function notes(view: BuildView, record: PackageRecord, link: Link): Html | undefined {
  const { deprecated } = view.head;
  const latest = view.latest.version;
  const reason = yankOf(view, record.version);
  const all: Html[] = [];
  if (reason !== undefined) {
    all.push(
      html`<p class="note note-bad bidi"><strong>Version ${record.version} is yanked:</strong> ${plain(reason)}</p>`,
    );
  }
  if (record.version !== latest) {
    all.push(
      html`<p class="note"><strong>This is not the latest version.</strong> <a href="${link(`${buildFolder(record.id)}index.html`)}">Version ${latest} is.</a></p>`,
    );
  }
  if (deprecated !== undefined) {
    const other = deprecated.replacement;
    const replacement =
      other === undefined
        ? ''
        : html` Use <a href="${link(`${buildFolder(other)}index.html`)}">${other}</a> instead.`;
    all.push(
      html`<p class="note note-warn bidi"><strong>This build is deprecated:</strong> ${plain(deprecated.reason)}${replacement}</p>`,
    );
  }
  if (record.risk !== 'ok') {
    all.push(
      html`<p class="note ${record.risk === 'danger' ? 'note-bad' : 'note-warn'}"><strong>Risk: ${record.risk}.</strong> Read the <a href="#checks">findings</a> before you install it.</p>`,
    );
  }
  return all.length === 0 ? undefined : html`<div class="notes">${all}</div>`;
}
