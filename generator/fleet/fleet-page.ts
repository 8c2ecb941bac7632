/** The page of a fleet: one file without scripts, which works from a folder. Names and texts are those of other people. */
import { INSTALLED_RULES } from '../../format/document/sarif.ts';
import { html, plain, trusted, type Html } from '../site/html.ts';
import {
  projectName,
  type FleetDay,
  type FleetDocument,
  type FleetFinding,
} from './fleet-document.ts';

/** The rest is in fleet.json. */
const MAX_ROWS = 2_000;
const MAX_SHARES = 8;

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --faint: #777; --bad: #b3261e; --warn: #8a5a00; --good: #1b6e3c }
@media (prefers-color-scheme: dark) { :root { --faint: #aaa; --bad: #ff8a80; --warn: #ffc46b; --good: #7fd8a0 } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 0 auto; padding: 1rem }
h1 { font-size: 1.5rem; margin: .5rem 0 } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(14rem, 45%), 1fr)); gap: .6rem; margin: 1rem 0; padding: 0 }
.figures li { list-style: none; border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem }
.figures b { display: block; font-size: 1.5rem; line-height: 1.2 } .figures svg { display: block; width: 100%; height: 1.8rem; margin-top: .3rem }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line) }
td { overflow-wrap: anywhere } th { font-weight: 600; white-space: nowrap } ul.plain { list-style: none; margin: 0; padding: 0 }
.share { display: inline-block; margin-right: .8rem; white-space: nowrap } .faint { color: var(--faint) }
.build-advisory, .build-withdrawn, .lock-unreadable { color: var(--bad) } .build-left { color: var(--warn) } .good { color: var(--good) }
polyline { fill: none; stroke: currentColor; stroke-width: 2; vector-effect: non-scaling-stroke }
`;

const FIGURES: readonly (readonly [string, (day: FleetDay) => number])[] = [
  ['projects', (day) => day.projects],
  ['builds in them', (day) => day.builds],
  ['with advisories', (day) => day.with['build-advisory']],
  ['with withdrawn versions', (day) => day.with['build-withdrawn']],
  ['behind', (day) => day.with['build-behind']],
  ['with edited files', (day) => day.with['build-edited']],
  ['unproven', (day) => day.with['project-unproven']],
  ['locks not readable', (day) => day.with['lock-unreadable']],
];

export function fleetPage(fleet: FleetDocument): string {
  const today = fleet.history.at(-1)!;
  const byProject = Map.groupBy(fleet.findings, ({ project }) => project);
  const projects = Object.entries(fleet.repositories)
    .flatMap(([repository, row]) =>
      row.projects.map((project) => {
        const name = projectName(repository, project.path);
        const ranks = (byProject.get(name) ?? []).map(({ rule }) => INSTALLED_RULES.indexOf(rule));
        return { name, row, project, rank: Math.min(...ranks, INSTALLED_RULES.length) };
      }),
    )
    .sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
  const unread = Object.entries(fleet.repositories).filter(([, { state }]) => state !== 'read');
  const more = projects.length - MAX_ROWS;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Builds of our projects</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<main>
<h1>Builds of our projects</h1>
<p class="faint">Read at ${fleet.updated_at}. Private: this page names repositories. ${registriesOf(fleet)}</p>
<ul class="figures">${FIGURES.map(
    ([label, of]) => html`<li><b>${of(today)}</b>${label}${trend(fleet.history.map(of))}</li>`,
  )}</ul>
<h2>By build</h2>
${table(
  ['Build', 'Latest', 'Versions in use'],
  Object.entries(fleet.builds).map(([id, { latest, origin, versions }]) => {
    const why = fleet.registries[origin] === undefined ? `unknown registry ${origin}` : 'none';
    return [plain(id), latest === undefined ? faint(why) : plain(latest), shares(versions, latest)];
  }),
)}
<h2>By project</h2>
${table(
  ['Project', 'Builds', 'What there is to do'],
  projects.map(({ name, row, project }) => {
    const old = row.state === 'read' ? '' : html` ${faint(`(as it was; ${row.state})`)}`;
    const { length } = Object.keys(project.builds);
    return [html`${plain(name)}${old}`, length, findingList(byProject.get(name) ?? [])];
  }),
)}
${more > 0 ? html`<p class="faint">And ${more} more in fleet.json.</p>` : ''}
${
  unread.length === 0
    ? ''
    : html`<h2>Repositories that were not read</h2>
${table(
  ['Repository', 'Why'],
  unread.map(([name, { state, problem = '' }]) => [plain(name), html`${state} ${faint(problem)}`]),
)}`
}
</main>
</body>
</html>
`.toString();
}

function faint(text: string): Html {
  return html`<span class="faint">${plain(text)}</span>`;
}

function table(heads: readonly string[], rows: readonly (readonly (string | number | Html)[])[]) {
  return html`<div class="scroll"><table>
<thead><tr>${heads.map((one) => html`<th>${one}</th>`)}</tr></thead>
<tbody>${rows
    .slice(0, MAX_ROWS)
    .map((cells) => html`<tr>${cells.map((one) => html`<td>${one}</td>`)}</tr>`)}</tbody>
</table></div>`;
}

function registriesOf({ registries }: FleetDocument): string {
  const known = Object.keys(registries).sort();
  return known.length === 0
    ? 'No registry was asked: nothing is compared.'
    : `Compared with ${known.map(plain).join(', ')}.`;
}

/** The most used versions first. */
function shares(versions: Readonly<Record<string, number>>, latest: string | undefined): Html {
  const all = Object.entries(versions).sort(([, a], [, b]) => b - a);
  const shown = all.slice(0, MAX_SHARES).map(([version, count]) => {
    const role = version === latest ? 'share good' : 'share';
    return html`<span class="${role}">${plain(version)} ${faint(`× ${count}`)}</span>`;
  });
  const rest = all.length - shown.length;
  return html`${shown}${rest > 0 ? faint(`and ${rest} more`) : ''}`;
}

function findingList(findings: readonly FleetFinding[]): Html {
  if (findings.length === 0) return html`<span class="good">nothing</span>`;
  const sorted = [...findings].sort(
    (a, b) => INSTALLED_RULES.indexOf(a.rule) - INSTALLED_RULES.indexOf(b.rule),
  );
  const shown = sorted.slice(0, 20);
  const more = sorted.length - shown.length;
  return html`<ul class="plain">${shown.map(({ rule, text }) => html`<li class="${rule}">${plain(text)}</li>`)}${
    more > 0 ? html`<li class="faint">and ${more} more</li>` : ''
  }</ul>`;
}

/** A line over the last days; nothing before there are two. */
function trend(all: readonly number[]): Html {
  const values = all.slice(-90);
  if (values.length < 2) return html``;
  const [most, last] = [Math.max(1, ...values), values.length - 1];
  const points = values.map((value, at) => {
    return `${((at / last) * 100).toFixed(1)},${(20 - (value / most) * 18).toFixed(1)}`;
  });
  const label = `${values[0]} to ${values[last]} over ${values.length} days`;
  return html`<svg viewBox="0 0 100 22" preserveAspectRatio="none" role="img" aria-label="${label}"><polyline points="${points.join(' ')}"/></svg>`;
}
