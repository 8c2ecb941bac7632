/** Everything that speaks for or against a version: advisories, flags, findings with what to do, what its code does. */
import { FINDING_TEXTS } from '../../../format/finding/catalogue.ts';
import type { FindingText } from '../../../format/finding/texts/finding-text.ts';
import type { PackageRecord } from '../../../format/index/record.ts';
import { sourceAddress } from '../../../format/index/source-address.ts';
import { html, plain } from '../html.ts';
import type { Html } from '../html.ts';
import type { Link } from '../link.ts';
import { countOf } from '../figures.ts';
import { safetyLine } from './build-head.ts';
import type { BuildView } from './build-view.ts';
import { capabilityList } from './capability-list.ts';
import { concernOf } from './decision.ts';
import type { Decision } from './decision.ts';

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
${shown.length === 0 ? html`<p class="quiet">There are no findings in version ${record.version}.</p>` : html`<ul class="finding-list">${shown.map((one) => findingItem(one, record, link))}</ul>`}
${rest > 0 ? html`<p class="quiet">And ${countOf(rest, 'finding')} more, in the package record.</p>` : ''}
<h3 id="capabilities">What its code does</h3>
${capabilityList(capabilities)}`;
}

function findingItem(found: Finding, { id, version }: PackageRecord, link: Link): Html {
  const { level, code, file, message } = found;
  const text: FindingText | undefined = Object.hasOwn(FINDING_TEXTS, code)
    ? FINDING_TEXTS[code as keyof typeof FINDING_TEXTS]
    : undefined;
  const line = / \(line (\d+)\)$/.exec(message)?.[1];
  const lines = line === undefined ? undefined : ([Number(line), Number(line)] as const);
  const place = html`<a href="${link('index.html')}${sourceAddress({ id, version, file, lines })}">${plain(file)}${line === undefined ? '' : `:${line}`}</a>`;
  return html`<li><div class="finding-head"><span class="mark mark-${level}">${level}</span><a href="${link('findings/index.html')}#${code}"><code>${code}</code></a>${file === '' ? '' : html`<span>${place}</span>`}</div>
<p class="bidi">${plain(message)}</p>
${text === undefined ? '' : html`<p><span class="remedy">What to do:</span> ${text.remedy}</p>`}</li>
`;
}
