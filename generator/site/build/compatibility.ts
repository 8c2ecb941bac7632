/** With which versions of its stack tags and packages a version of a build was measured to work. */
import { compatibilityPath } from '../../../format/index/layout.ts';
import type { PackageRecord } from '../../../format/index/record.ts';
import { STEP_NAMES, failureText, knownGood } from '../../../format/index/known-good.ts';
import type { KnownGood, TagOutcome } from '../../../format/index/known-good.ts';
import { rangesOf } from '../../../format/index/unproven-ranges.ts';
import { html, plain } from '../html.ts';
import type { Html } from '../html.ts';
import type { Link } from '../link.ts';
import type { BuildView } from './build-view.ts';
import { measuredOf } from './build-view.ts';

/** Versions of one tag that a page lists. */
const MAX_SHOWN = 40;

export function compatibilitySection(
  view: BuildView,
  { id, version, manifest }: PackageRecord,
  link: Link,
): Html | undefined {
  const measured = measuredOf(view, version);
  if (measured === undefined) return undefined;
  const ranges = rangesOf(manifest);
  const rows = knownGood(measured.results).map((one) => row(one, ranges[one.tag] ?? ''));
  return html`<section class="section" id="compatibility" aria-labelledby="compatibility-title"><h2 id="compatibility-title">Compatibility</h2>
<p>Measured with version ${version}, one version of a runtime or package at a time and the newest of the others: the build was added to a new project, its packages were installed, its types were checked, its code was loaded, and the commands under “Verify” of its guide were run. <a href="${link(compatibilityPath(id))}">All results</a></p>
<div class="scroll" tabindex="0" role="region" aria-label="Table of measured versions"><table><thead><tr><th scope="col">Name</th><th scope="col">Range</th><th scope="col">Last known good</th><th scope="col">First known bad</th><th scope="col">Measured</th></tr></thead><tbody>${rows}</tbody></table></div>
</section>`;
}

function row(one: KnownGood, range: string): Html {
  const { tag, lastGood, firstBad, badBelow, outcomes } = one;
  const bad = [firstBad, badBelow].flatMap((found) =>
    found === undefined ? [] : [badText(found)],
  );
  const shown = outcomes.slice(-MAX_SHOWN).map(outcomeText);
  return html`<tr><td>${tag}</td><td>${plain(range)}</td><td>${lastGood ?? 'none'}</td><td>${bad.length === 0 ? 'none' : bad}</td><td>${shown.join(', ')}</td></tr>\n`;
}

function badText({ version, row: failed }: TagOutcome): Html {
  const { step, error = [] } = failed;
  const name = step === undefined ? '' : STEP_NAMES[step];
  return html`<div title="${failureText(failed)}">${version} (${name})<br><span class="quiet bidi">${plain(error[0] ?? '')}</span></div>`;
}

function outcomeText({ version, isGood, needsLowest, row: { date } }: TagOutcome): string {
  const how = isGood ? (needsLowest ? 'good with old versions of the others' : 'good') : 'failed';
  return `${version} ${how} (${date})`;
}
