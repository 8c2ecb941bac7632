/** Quality, risk, and every finding with what to do about it. */
import { FINDING_TEXTS } from '../../../format/finding/catalogue.ts';
import type { FindingText } from '../../../format/finding/texts/finding-text.ts';
import type { PackageRecord } from '../../../format/index/record.ts';
import { filePagePath } from '../../../format/index/site-path.ts';
import { html, plain } from '../html.ts';
import type { Html } from '../html.ts';
import type { Link } from '../link.ts';
import { countOf } from '../figures.ts';
import { riskMark } from './marks.ts';

/** Findings that a page lists; the record has all. */
const MAX_SHOWN = 200;
const RISKS = {
  ok: 'No check found anything unsafe.',
  caution: 'Checks found something that you should look at before you install.',
  danger: 'Checks found code whose behaviour is that of malicious code.',
} as const;

type Finding = PackageRecord['checks']['findings'][number];

export function checksSection(record: PackageRecord, link: Link): Html {
  const { risk, quality, checks } = record;
  const shown = checks.findings.slice(0, MAX_SHOWN);
  const rest = checks.findings.length - shown.length;
  return html`<section class="section" id="checks" aria-labelledby="checks-title"><h2 id="checks-title">Checks</h2>
<p>${riskMark(risk, true)} ${RISKS[risk]} Quality is <strong>${quality}</strong> of 100: each point that is missing has a finding.</p>
<svg class="meter" viewBox="0 0 100 6" width="100%" height="6" preserveAspectRatio="none" aria-hidden="true"><rect width="${quality}" height="6"/></svg>
${shown.length === 0 ? html`<p class="quiet">There are no findings in version ${record.version}.</p>` : html`<ul class="finding-list">${shown.map((one) => findingItem(one, record, link))}</ul>`}
${rest > 0 ? html`<p class="quiet">And ${countOf(rest, 'finding')} more, in the package record.</p>` : ''}
</section>`;
}

function findingItem(found: Finding, { id, version }: PackageRecord, link: Link): Html {
  const { level, code, file, message } = found;
  const text: FindingText | undefined = Object.hasOwn(FINDING_TEXTS, code)
    ? FINDING_TEXTS[code as keyof typeof FINDING_TEXTS]
    : undefined;
  const line = / \(line (\d+)\)$/.exec(message)?.[1];
  const page = file === '' ? undefined : filePagePath(id, version, file);
  const place =
    page === undefined
      ? plain(file)
      : html`<a href="${link(page)}${line === undefined ? '' : `#L${line}`}">${plain(file)}${line === undefined ? '' : `:${line}`}</a>`;
  return html`<li><div class="finding-head"><span class="mark mark-${level}">${level}</span><a href="${link('findings/index.html')}#${code}"><code>${code}</code></a>${file === '' ? '' : html`<span>${place}</span>`}</div>
<p class="bidi">${plain(message)}</p>
${text === undefined ? '' : html`<p><span class="remedy">What to do:</span> ${text.remedy}</p>`}</li>
`;
}
