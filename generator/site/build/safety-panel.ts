/** The panel "Safety" of a build: what is known against it, the findings of its latest version, and what its code does. */
import { FINDING_TEXTS } from '../../../format/finding/catalogue.ts';
import type { FindingText } from '../../../format/finding/texts/finding-text.ts';
import {
  ANY_OTHER,
  type CapabilityLists,
  capabilityLines,
} from '../../../format/index/capabilities.ts';
import { waiversPath } from '../../../format/index/layout.ts';
import type { PackageRecord } from '../../../format/index/record.ts';
import { advisoryFolder, buildFolder } from '../../../format/index/site-path.ts';
import { sourceAddress } from '../source-address.ts';
import { waiverOf } from '../../../format/index/waivers.ts';
import { html, type Html } from '../html.ts';
import { countOf } from '../figures.ts';
import type { Link } from '../link.ts';
import { plain } from '../visible-text.ts';
import type { BuildView } from './build-view.ts';
import { concernOf, type Decision } from './decision.ts';

const SIGNS = { none: '✓', note: 'i', warn: '!', bad: '✕' } as const;
/** Findings that a page lists; the record has all. */
const MAX_SHOWN = 200;

type Finding = PackageRecord['checks']['findings'][number];

export function safetyPanel(view: BuildView, decision: Decision, link: Link): Html {
  const { latest: record, capabilities } = view;
  const { quality, checks } = record;
  const shown = checks.findings.slice(0, MAX_SHOWN);
  const rest = checks.findings.length - shown.length;
  return html`<div class="safety safety-${concernOf(decision)}">${decision.safety.map((one) => safetyLine(one, link))}</div>
<h3 id="checks">Checks</h3>
<p>The checks rate the risk of its code as <strong>${record.risk}</strong>. Quality is <strong>${quality}</strong> of 100: each point that is missing has a finding.</p>
<svg class="meter" viewBox="0 0 100 6" width="100%" height="6" preserveAspectRatio="none" aria-hidden="true"><rect width="${quality}" height="6"/></svg>
${shown.length === 0 ? html`<p class="quiet">There are no findings in version ${record.version}.</p>` : html`<ul class="finding-list">${shown.map((one) => findingItem(one, view, link))}</ul>`}
${rest > 0 ? html`<p class="quiet">And ${countOf(rest, 'finding')} more, in the package record.</p>` : ''}
${shown.length === 0 ? '' : html`<p class="quiet">Is a finding wrong? <a href="${link('publish/index.html')}#appeal">Appeal</a>: an admin looks at it.</p>`}
<h3 id="capabilities">What its code can do</h3>
${capabilityList(capabilities)}`;
}

function findingItem(found: Finding, { latest, waivers }: BuildView, link: Link): Html {
  const { level, code, file, message } = found;
  const { id, version } = latest;
  const waived = waiverOf(waivers, version, found);
  const text: FindingText | undefined = Object.hasOwn(FINDING_TEXTS, code)
    ? FINDING_TEXTS[code as keyof typeof FINDING_TEXTS]
    : undefined;
  const line = / \(line (\d+)\)$/.exec(message)?.[1];
  const lines = line === undefined ? undefined : ([Number(line), Number(line)] as const);
  const place = html`<a href="${link('index.html')}${sourceAddress({ id, version, file, lines })}">${plain(file)}${line === undefined ? '' : `:${line}`}</a>`;
  return html`<li><div class="finding-head"><span class="mark mark-${level}">${level}</span><a href="${link('findings/index.html')}#${code}"><code>${code}</code></a>${file === '' ? '' : html`<span>${place}</span>`}</div>
<p class="bidi">${plain(message)}</p>${waived === undefined ? '' : html`<p>Accepted by ${waived.by} on ${waived.at}: <span class="bidi">${plain(waived.reason)}</span>. It does not count for the risk: <a href="${link(waiversPath(id))}">waivers.json</a>.</p>`}
${text === undefined ? '' : html`<p><span class="remedy">What to do:</span> ${text.remedy}</p>`}</li>
`;
}

/** One line about safety, as text with its sign. */
export function safetyLine(
  { concern, text, advisory, replacement }: Decision['safety'][number],
  link: Link,
): Html {
  const more =
    advisory !== undefined
      ? html` <a href="${link(`${advisoryFolder(advisory)}index.html`)}">${advisory}</a>`
      : replacement === undefined
        ? ''
        : html` Use <a href="${link(`${buildFolder(replacement)}index.html`)}">${replacement}</a> instead.`;
  return html`<p class="bidi"><span class="sign" aria-hidden="true">${SIGNS[concern]}</span><span><strong>${text}.</strong>${more}</span></p>\n`;
}

/** One line for each kind of capability; a sentence when there are none. */
export function capabilityList(lists: CapabilityLists): Html {
  const lines = capabilityLines(lists);
  if (lines.length === 0) {
    return html`<p class="quiet">Its code sends nothing, reads and writes no files and variables outside of the build, and starts no programs.</p>`;
  }
  const items = lines.map(({ does, names, more }) => {
    const shown = names.map(
      (name, at) =>
        html`${at === 0 ? '' : ', '}${name === ANY_OTHER ? name : html`<code>${plain(name)}</code>`}`,
    );
    return html`<li><span>${does}</span><span>${shown}${more > 0 ? ` and ${more} more` : ''}</span></li>\n`;
  });
  return html`<ul class="capabilities">${items}</ul>`;
}
