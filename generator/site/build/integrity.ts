/** The digest of a version, and how to check it without trusting this site. */
import { tarballPath, urlPath } from '../../../format/index/layout.ts';
import type { PackageRecord } from '../../../format/index/record.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Link } from '../link.ts';
import type { Site } from '../site.ts';
import type { BuildView } from './build-view.ts';
import { UNKNOWN_ADDRESS, commandLine } from './install-command.ts';

export function integritySection(
  site: Site,
  view: BuildView,
  record: PackageRecord,
  link: Link,
): Html {
  const { id, version, integrity } = record;
  const base = site.address === '' ? UNKNOWN_ADDRESS : site.address;
  const digest = integrity.slice('sha256-'.length);
  const command = `test "$(curl -fsS ${base}/${urlPath(tarballPath(id, version))} | openssl dgst -sha256 -binary | base64)" = "${digest}" && echo same`;
  return html`<section class="section" id="integrity" aria-labelledby="integrity-title"><h2 id="integrity-title">Integrity</h2>
<p>The SHA-256 of the tarball. A version never changes: the client refuses any other bytes.</p>
<code class="digest">${integrity}</code>
<p>Check it without the client:</p>
${commandLine(command, 'check-digest')}
${logPlace(view, version, link)}
</section>`;
}

/** Where the transparency log has a version. */
export function logPlace({ head }: BuildView, version: string, link: Link): Html | undefined {
  const place = head.versions.find((one) => one.version === version)?.log;
  if (place === undefined) return undefined;
  return html`<p>Entry <strong>${place.index}</strong> of the <a href="${link('verify/index.html')}">transparency log</a>; commit <code>${place.commit.slice(0, 12)}</code>, tree <code>${place.tree.slice(0, 12)}</code>.</p>`;
}
