/** The page of a build whose every version is gone: why, the digest, and the versions. Nothing of its content is shown. */
import { buildFolder, ownerFolder } from '../../../format/index/site-path.ts';
import { html, plain } from '../html.ts';
import { linkFrom } from '../link.ts';
import { renderPage } from '../shell/page.ts';
import type { Site } from '../site.ts';
import { when } from '../when.ts';
import type { BuildView } from './build-view.ts';
import { yankOf } from './build-view.ts';
import { logPlace } from './details.ts';
import { withdrawnMark } from './marks.ts';
import { versionsPanel } from './versions.ts';

export function withdrawnPage(site: Site, view: BuildView): string {
  const { id, latest } = view;
  const { version, integrity, published_at } = latest;
  const folder = buildFolder(id);
  const path = `${folder}index.html`;
  const link = linkFrom(path);
  const [owner = '', name = ''] = id.split('/');
  const main = html`<main id="main">
<div class="build-head">
<div class="title"><h1><a class="owner" href="${link(`${ownerFolder(owner)}index.html`)}">${owner}</a><span class="owner">/</span>${name}</h1> <span class="title-version">${version}</span>${withdrawnMark()}</div>
<div class="safety safety-bad"><p class="bidi"><strong>Version ${version} was withdrawn:</strong> ${plain(yankOf(view, version) ?? '')}</p></div>
</div>
<p>It was published ${when(published_at)}, and its owner withdrew it. The tarball is gone, and no other content will ever have this number.</p>
<section class="section" id="versions" aria-labelledby="versions-title"><h2 id="versions-title">Versions</h2>
${versionsPanel(view, link)}
</section>
<section class="section" id="integrity" aria-labelledby="integrity-title"><h2 id="integrity-title">Integrity</h2>
<p>The SHA-256 of the tarball that was withdrawn.</p>
<code class="digest">${integrity}</code>
${logPlace(view, version, link)}
</section>
</main>`;
  return renderPage(site, {
    path,
    kind: 'build',
    title: id,
    description: `Version ${version} of ${id} was withdrawn.`,
    twin: `${folder}index.md`,
    isHidden: true,
    feed: { path: `${folder}feed.xml`, title: `Versions of ${id}` },
    main,
  });
}

/** The same for agents. */
export function withdrawnTwin(view: BuildView): string {
  const { id, version, integrity, published_at } = view.latest;
  return `# ${id} ${version}

**Withdrawn: ${plain(yankOf(view, version) ?? '')}**

The tarball is gone. No other version can be installed.

- Published: ${published_at}
- Integrity: ${integrity}
`;
}
