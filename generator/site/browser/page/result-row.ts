/** One build in a list of results, with the markup of the lists that the generator writes. */
import type { SearchBuild } from '../../search/search-terms.ts';
import { element, siteAddress } from './element.ts';
import { showRelative } from './relative-times.ts';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** @param more marks behind those of the build */
export function resultRow(build: SearchBuild, more: readonly HTMLElement[] = []): HTMLLIElement {
  const { id, kind, risk, quality, downloads, agent_reports } = build;
  const name = element('a', 'build-name', id);
  name.href = siteAddress(`builds/${id}/`);
  const marks = [
    ...(kind === 'foundation' ? [mark('kind', kind)] : []),
    ...(build.advisories ?? []).map((id) => mark('danger', id)),
    ...(risk === 'ok' ? [] : [mark(risk, `risk: ${risk}`)]),
    ...(build.deprecated ? [mark('deprecated', 'deprecated')] : []),
    ...(build.yanked ? [mark('yanked', 'yanked')] : []),
    ...more,
  ];
  const { success, failure } = agent_reports;
  const total = success + failure;
  const facts = [
    `quality ${quality}`,
    ...(downloads === 0 ? [] : [countOf(downloads, 'download')]),
    ...(total === 0 ? [] : [`${count(success)} of ${countOf(total, 'report')} succeeded`]),
  ];
  return element(
    'li',
    'build-row',
    name,
    ' ',
    element('span', 'build-version', build.latest),
    ...marks.flatMap((one) => [' ', one]),
    element('p', 'build-description bidi', build.description),
    element(
      'p',
      'build-facts',
      ...facts.flatMap((fact) => [element('span', '', fact), ' ']),
      timeOf(build),
    ),
  );
}

/** `1 build`, `2 builds`. */
export function countOf(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** `12345` as `12,345`. */
function count(value: number): string {
  return value.toLocaleString('en');
}

/** How long ago it was, with the date as its title, as `when()` of the generator. */
function timeOf({ updated_at }: SearchBuild): HTMLTimeElement {
  const [year = '', month = '', day = ''] = updated_at.slice(0, 10).split('-');
  const time = element('time', '', `${Number(day)} ${MONTHS[Number(month) - 1] ?? ''} ${year}`);
  time.dateTime = updated_at;
  time.dataset['relative'] = '';
  showRelative(time, Date.now());
  return time;
}

function mark(kind: string, text: string): HTMLSpanElement {
  return element('span', `mark mark-${kind}`, text);
}
