/** The catalogue of findings: what each means, why it is reported, what to do. */
import { compareText } from '../../../format/compare-text.ts';
import { FINDING_TEXTS } from '../../../format/finding/catalogue.ts';
import { type FindingGroup, type FindingText } from '../../../format/finding/texts/finding-text.ts';
import { countOf } from '../figures.ts';
import { html, type Html } from '../html.ts';
import { renderPage } from '../page.ts';
import type { Site } from '../site.ts';

const GROUPS: Readonly<Record<FindingGroup, readonly [title: string, text: string]>> = {
  safety: ['Safety', 'What code does that can harm those who run it. Risk is computed from these.'],
  agent: ['Coding agents', 'Text that agents load or obey.'],
  'supply-chain': ['Supply chain', 'What a build brings from elsewhere.'],
  quality: ['Quality', 'What costs points of quality.'],
  manifest: ['Form', 'What a build must be like to be published.'],
};

type Entry = readonly [code: string, text: FindingText];

/** The page and its twin, by path. */
export function findingsPages(site: Site): Readonly<Record<string, string>> {
  const entries = Object.entries(FINDING_TEXTS) as unknown as Entry[];
  const groups = (Object.keys(GROUPS) as FindingGroup[]).map((group) => {
    const own = entries.filter(([, text]) => text.group === group);
    return { group, own: own.sort(([a], [b]) => compareText(a, b)) };
  });
  const lead = `Checks report ${countOf(entries.length, 'kind')} of findings. A code never changes its meaning.`;
  const main = html`<main id="main">
<h1>Findings</h1>
<p class="lead">${lead}</p>
<div class="with-side"><div class="main-column">
${groups.map(({ group, own }) => groupSection(group, own))}</div>
<aside class="facts" aria-label="Groups"><nav class="contents" aria-label="Groups"><h2>Groups</h2><ul>${groups.map(({ group, own }) => html`<li><a href="#group-${group}">${GROUPS[group][0]} <span class="quiet">${own.length}</span></a></li>\n`)}</ul></nav></aside></div>
</main>`;
  const path = 'findings/index.html';
  const twin = 'findings/index.md';
  const page = { path, kind: 'findings', title: 'Findings', description: lead, twin, main };
  return { [path]: renderPage(site, page), [twin]: twinOf(lead, groups) };
}

function groupSection(group: FindingGroup, own: readonly Entry[]): Html {
  const [title, text] = GROUPS[group];
  return html`<section class="section" aria-labelledby="group-${group}"><h2 id="group-${group}">${title}</h2><p>${text}</p>
<ul class="finding-list">${own.map(
    ([
      code,
      { level, message, why, remedy },
    ]) => html`<li id="${code}"><div class="finding-head"><span class="mark mark-${level}">${level}</span><code>${code}</code></div>
<p><strong>${exampleOf(message)}</strong></p><p>${why}</p><p><span class="remedy">What to do:</span> ${remedy}</p></li>
`,
  )}</ul></section>
`;
}

/** The message with the names of its values in place of values. */
function exampleOf(message: FindingText['message']): string {
  const names = new Proxy({}, { get: (_, name) => `<${String(name)}>` });
  return message(names);
}

function twinOf(
  lead: string,
  groups: readonly { readonly group: FindingGroup; readonly own: readonly Entry[] }[],
): string {
  const parts = groups.map(({ group, own }) => {
    const items = own.map(
      ([code, { level, message, why, remedy }]) =>
        `### ${code}\n\nLevel ${level}: ${exampleOf(message)}\n\n${why} ${remedy}\n`,
    );
    return `## ${GROUPS[group][0]}\n\n${GROUPS[group][1]}\n\n${items.join('\n')}`;
  });
  return `# Findings\n\n> ${lead}\n\n${parts.join('\n')}`;
}
