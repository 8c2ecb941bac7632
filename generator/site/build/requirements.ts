/** What a project must have for a build, what was measured about it, what the build adds, and which builds require it. */
import { compatibilityPath } from '../../../format/index/layout.ts';
import { failureText, knownGood, STEP_NAMES } from '../../../format/index/known-good.ts';
import { buildFolder } from '../../../format/index/site-path.ts';
import type { PackageRecord } from '../../../format/index/record.ts';
import { html, type Html } from '../html.ts';
import { count } from '../figures.ts';
import type { Link } from '../link.ts';
import { plain } from '../visible-text.ts';
import type { PageSite } from '../site.ts';
import { type BuildView, measuredOf } from './build-view.ts';
import { commandTabs } from './install-command.ts';
import { labelLinks, type LabelLink } from '../labels.ts';

/** Versions of one tag that a page shows. */
const MAX_OUTCOMES = 40;
/** Packages of a foundation that a page shows. */
const MAX_BROUGHT = 40;

/** Stack tags, required builds, packages and provided tags; variables; what was measured; dependents. */
export function requirementsPanel(site: PageSite, view: BuildView, link: Link): Html {
  const { latest: record, providers } = view;
  const { manifest } = record;
  const label = labelLinks(view, link);
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
  return html`${rows.length === 0 ? html`<p class="quiet">It requires nothing.</p>` : html`<div class="scroll" tabindex="0" role="region" aria-label="Table of requirements"><table><thead><tr><th scope="col">Kind</th><th scope="col">Name</th><th scope="col">Range</th></tr></thead><tbody>${rows}</tbody></table></div>`}
${provides.length === 0 ? '' : html`<h3>Provides</h3><p class="labels">${provides.map((tag) => label('tag', tag))}</p>`}
${newProject(site, view)}
${environment(record)}
${compatibility(view, link)}
${dependentsList(view, link)}`;
}

/** The command that starts a project with it, and what a foundation brings. */
function newProject(site: PageSite, { id, latest, foundations, modules, brings }: BuildView): Html {
  const tags = Object.entries(brings);
  const shown = tags
    .slice(0, MAX_BROUGHT)
    .map(([tag, version], at) => html`${at === 0 ? '' : ', '}<code>${tag}</code> ${version}`);
  const more = tags.length - shown.length;
  const [foundation, added] =
    latest.kind === 'foundation' ? [id, modules[0]] : [foundations[0], id];
  return html`${tags.length === 0 ? '' : html`<h3>Packages of its project</h3><p>${shown}${more > 0 ? html` and ${more} more` : ''}.</p>`}
${foundation === undefined || added === undefined ? '' : html`<h3>A new project with both</h3>${commandTabs(site, `new ${foundation} my-app --with ${added}`, 'start')}`}`;
}

/** How many rows the panel has, for its tab. */
export function requirementCount({ latest: { manifest } }: BuildView): number {
  const { stack, builds, dependencies } = manifest;
  return [stack?.requires, builds, dependencies?.npm, dependencies?.pip].reduce(
    (sum, one) => sum + Object.keys(one ?? {}).length,
    0,
  );
}

/** The variables that it reads; nothing without any. */
function environment({ manifest }: PackageRecord): Html | undefined {
  const variables = Object.entries(manifest.env ?? {});
  if (variables.length === 0) return undefined;
  const rows = variables.map(([name, { required = false, description = '', example }]) => {
    const sample =
      example === undefined
        ? ''
        : html`<br><span class="quiet">Example:</span> <code>${plain(example)}</code>`;
    return html`<tr><td><code>${name}</code></td><td>${required ? html`<strong>required</strong>` : 'optional'}</td><td class="bidi">${plain(description)}${sample}</td></tr>\n`;
  });
  return html`<h3>Environment variables</h3>
<div class="scroll" tabindex="0" role="region" aria-label="Table of variables"><table><thead><tr><th scope="col">Name</th><th scope="col">Needed</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** Each measured version of each tag as a cell, and the errors of those that failed; nothing where nothing was measured. */
function compatibility(view: BuildView, link: Link): Html | undefined {
  const measured = measuredOf(view);
  if (measured === undefined) return undefined;
  const known = knownGood(measured.results);
  const rows = known.map(({ tag, outcomes }) => {
    const cells = outcomes
      .slice(-MAX_OUTCOMES)
      .map(
        (one) =>
          html`<li class="${one.isGood ? 'good' : 'bad'}" title="${one.isGood ? (one.needsLowest ? 'works with old versions of the others' : 'works') : failureText(one.row)}, ${one.row.date}">${one.version} <span>${one.isGood ? '✓' : '✕'}<span class="visually-hidden">${one.isGood ? ' works' : ' fails'}</span></span></li>\n`,
      );
    return html`<tr><th scope="row">${tag}</th><td><ul class="grid">${cells}</ul></td></tr>\n`;
  });
  const failures = known.flatMap(({ tag, outcomes }) =>
    outcomes
      .filter(({ isGood }) => !isGood)
      .map(({ version, row: failed }) => {
        const { step, error = [] } = failed;
        const name = step === undefined ? '' : STEP_NAMES[step];
        return html`<li>${tag} ${version}: ${name}<br><span class="quiet bidi">${plain(error[0] ?? '')}</span></li>\n`;
      }),
  );
  const last = measured.results.reduce((day, { date }) => (date > day ? date : day), '');
  return html`<h3 id="compatibility">Measured compatibility</h3>
<p>Version ${measured.version}${measured.version === view.latest.version ? '' : ', not the latest,'} was added to a new project with one version of a runtime or package at a time and the newest of the others: packages installed, types checked, code loaded, and the commands under “Verify” of its guide run. Last on ${last}. <a href="${link(compatibilityPath(view.id))}">All results</a></p>
<div class="scroll" tabindex="0" role="region" aria-label="Table of measured versions"><table>${rows}</table></div>
${failures.length === 0 ? '' : html`<ul class="failures">${failures}</ul>`}`;
}

/** Builds whose latest version requires this one. */
function dependentsList({ dependents, dependentCount }: BuildView, link: Link): Html | undefined {
  if (dependents.length === 0) return undefined;
  const more = dependentCount - dependents.length;
  return html`<h3 id="dependents">Builds that require it</h3>
<ul class="build-list">${dependents.map(
    (one) =>
      html`<li class="build-row"><a class="build-name" href="${link(`${buildFolder(one.id)}index.html`)}">${one.id}</a><p class="build-description bidi">${plain(one.description)}</p></li>\n`,
  )}</ul>${more > 0 ? html`<p class="quiet">And ${count(more)} more.</p>` : ''}`;
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
