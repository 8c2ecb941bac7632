/** What a project must have for a build, what the build adds, and which builds require it. */
import { buildFolder } from '../../../format/index/site-path.ts';
import type { PackageRecord } from '../../../format/index/record.ts';
import { count } from '../figures.ts';
import { html, plain } from '../html.ts';
import type { Html } from '../html.ts';
import type { Link } from '../link.ts';
import type { BuildView } from './build-view.ts';
import { labelLinks } from './label-link.ts';
import type { LabelLink } from './label-link.ts';

/**
 * Stack tags, required builds, packages and provided tags as one table.
 * @param providers builds to name for stack tags
 */
export function requirementsSection(
  view: BuildView,
  record: PackageRecord,
  link: Link,
  providers: BuildView['providers'],
): Html {
  const { manifest } = record;
  const label = labelLinks(view, record, link);
  const { stack = {}, builds = {}, dependencies = {} } = manifest;
  const rows = [
    ...Object.entries(stack.requires ?? {}).map(([tag, range]) => {
      return row(
        'Stack',
        html`<code>${label('tag', tag, tag)}</code>`,
        range,
        providersNote(providers[tag], label, tag, link),
      );
    }),
    ...Object.entries(builds).map(([id, range]) => {
      const page = link(`${buildFolder(id)}index.html`);
      return row('Build', html`<a href="${page}">${id}</a>`, range, 'installed with it');
    }),
    ...Object.entries(dependencies.npm ?? {}).map(([name, range]) =>
      row('npm', html`<code>${name}</code>`, range, 'added to package.json'),
    ),
    ...Object.entries(dependencies.pip ?? {}).map(([name, range]) =>
      row('pip', html`<code>${name}</code>`, range, 'added to the requirements'),
    ),
  ];
  const provides = stack.provides ?? [];
  return html`<section class="section" id="requires" aria-labelledby="requires-title"><h2 id="requires-title">Requirements</h2>
${rows.length === 0 ? html`<p class="quiet">It requires nothing.</p>` : html`<div class="scroll" tabindex="0" role="region" aria-label="Table of requirements"><table><thead><tr><th scope="col">Kind</th><th scope="col">Name</th><th scope="col">Range</th></tr></thead><tbody>${rows}</tbody></table></div>`}
${provides.length === 0 ? '' : html`<p>It provides</p><p class="labels">${provides.map((tag) => label('tag', tag))}</p>`}
</section>`;
}

/** Builds whose latest version requires this one. */
export function dependentsSection({ dependents, dependentCount, id }: BuildView, link: Link): Html {
  const more = dependentCount - dependents.length;
  return html`<section class="section" id="dependents" aria-labelledby="dependents-title"><h2 id="dependents-title">Dependents</h2>
${
  dependents.length === 0
    ? html`<p class="quiet">No build of this registry requires ${id}.</p>`
    : html`<ul class="build-list">${dependents.map(
        (one) =>
          html`<li class="build-row"><a class="build-name" href="${link(`${buildFolder(one.id)}index.html`)}">${one.id}</a><p class="build-description bidi">${plain(one.description)}</p></li>\n`,
      )}</ul>${more > 0 ? html`<p class="quiet">And ${count(more)} more.</p>` : ''}`
}
</section>`;
}

/** Which builds provide a tag: the best by name, all on the page of the tag. */
function providersNote(
  named: readonly string[] | undefined,
  label: LabelLink,
  tag: string,
  link: Link,
): Html | string {
  if (named === undefined) return label('tag', tag, 'builds that provide it');
  if (named.length === 0) return 'must be in the project';
  const links = named.map(
    (id) => html`<a href="${link(`${buildFolder(id)}index.html`)}">${id}</a>, `,
  );
  return html`provided by ${links}${label('tag', tag, 'all that do')}`;
}

function row(kind: string, name: Html, range: string, note: Html | string): Html {
  return html`<tr><td class="quiet">${kind}</td><td>${name}<div class="quiet">${note}</div></td><td class="range"><code>${range}</code></td></tr>\n`;
}
