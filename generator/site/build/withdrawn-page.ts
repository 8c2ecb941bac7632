/** The page of a version that was withdrawn completely: why, its digest, and the other versions. Nothing of its content is shown. */
import type { PackageRecord } from '../../../format/index/record.ts';
import { buildFolder, ownerFolder } from '../../../format/index/site-path.ts';
import { html, plain } from '../html.ts';
import { linkFrom } from '../link.ts';
import { renderPage } from '../shell/page.ts';
import type { Site } from '../site.ts';
import { when } from '../when.ts';
import { yankOf } from './build-head.ts';
import type { BuildView } from './build-view.ts';
import { logPlace } from './integrity.ts';
import { withdrawnMark } from './marks.ts';
import { versionsSection } from './versions.ts';

/** @param folder of the version, or of the build while no version is left */
export function withdrawnPage(
  site: Site,
  view: BuildView,
  record: PackageRecord,
  folder: string,
): string {
  const path = `${folder}index.html`;
  const link = linkFrom(path);
  const { id, version, integrity, published_at } = record;
  const [owner = '', name = ''] = id.split('/');
  const isBuild = folder === buildFolder(id);
  const main = html`<main id="main">
<div class="build-head">
<div class="title"><h1><a class="owner" href="${link(`${ownerFolder(owner)}index.html`)}">${owner}</a><span class="owner">/</span>${name}</h1> <span class="title-version">${version}</span>${withdrawnMark()}</div>
<div class="notes"><p class="note note-bad bidi"><strong>Version ${version} was withdrawn:</strong> ${plain(yankOf(view, version) ?? '')}</p></div>
</div>
<p>It was published ${when(published_at)}, and its owner withdrew it. The tarball is gone, and no other content will ever have this number.${isBuild ? '' : html` See <a href="${link(`${buildFolder(id)}index.html`)}">the build</a>.`}</p>
${versionsSection(view, link)}
<section class="section" id="integrity" aria-labelledby="integrity-title"><h2 id="integrity-title">Integrity</h2>
<p>The SHA-256 of the tarball that was withdrawn.</p>
<code class="digest">${integrity}</code>
${logPlace(view, version, link)}
</section>
</main>`;
  return renderPage(site, {
    path,
    kind: isBuild ? 'build' : 'version',
    title: isBuild ? id : `${id} ${version}`,
    description: `Version ${version} of ${id} was withdrawn.`,
    twin: `${folder}index.md`,
    canonical: `${buildFolder(id)}index.html`,
    isHidden: true,
    feed: { path: `${buildFolder(id)}feed.xml`, title: `Versions of ${id}` },
    main,
  });
}

/** The same for agents. */
export function withdrawnTwin(view: BuildView, record: PackageRecord): string {
  const { id, version, integrity, published_at } = record;
  const others = view.head.versions.filter((one) => one.yanked === false);
  const next =
    others.length === 0 ? 'No other version is left.' : `Use version ${view.latest.version}.`;
  return `# ${id} ${version}

**Withdrawn: ${plain(yankOf(view, version) ?? '')}**

The tarball is gone. ${next}

- Published: ${published_at}
- Integrity: ${integrity}
`;
}
