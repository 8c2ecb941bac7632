/** The marks of builds and versions: each is a word. */
import type { Risk } from '../../../format/index/record.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';

/** Nothing for `ok`, unless asked for. */
export function riskMark(risk: Risk, isAlways = false): Html | undefined {
  if (risk === 'ok' && !isAlways) return undefined;
  return html` <span class="mark mark-${risk}">risk: ${risk}</span>`;
}

export function yankedMark(isYanked: boolean): Html | undefined {
  return isYanked ? html` <span class="mark mark-yanked">yanked</span>` : undefined;
}

export function withdrawnMark(): Html {
  return html` <span class="mark mark-yanked">withdrawn</span>`;
}

export function deprecatedMark(isDeprecated: boolean): Html | undefined {
  return isDeprecated ? html` <span class="mark mark-deprecated">deprecated</span>` : undefined;
}

/** One for each advisory that affects the version. */
export function faultMarks(advisories: readonly string[] = []): Html | undefined {
  if (advisories.length === 0) return undefined;
  return html`${advisories.map((id) => html` <span class="mark mark-danger">${id}</span>`)}`;
}

export function kindMark(kind: 'module' | 'foundation'): Html | undefined {
  return kind === 'foundation' ? html` <span class="mark mark-kind">foundation</span>` : undefined;
}
