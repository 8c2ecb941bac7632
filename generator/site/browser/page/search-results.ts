/** The results of the search page: words and filters are in the address, and a status announces the number of results. */
import { type SearchHits, type SearchQuery, type Filters, type Find } from './search-builds.ts';
import type { BuildSummary } from '../../../../format/index/record.ts';
import { count, countOf, dateText } from '../../figures.ts';
import { element, siteAddress } from './element.ts';

/** Results at first, and how many more the button adds. */
const PAGE = 20;

const FILTERS: readonly (keyof Filters)[] = ['kind', 'tag', 'risk', 'owner', 'keyword'];

export function addResults(
  page: HTMLElement,
  form: HTMLFormElement,
  input: HTMLInputElement,
  find: Find,
): void {
  const list = page.querySelector<HTMLElement>('[data-results]');
  const status = page.querySelector<HTMLElement>('[data-result-count]');
  const none = page.querySelector<HTMLElement>('[data-no-results]');
  if (list === null || status === null) return;
  const [ownRows, ownStatus] = [[...list.children], status.textContent];
  const more = element('button', 'more-results', 'Show more');
  more.type = 'button';
  more.hidden = true;
  list.after(more);
  const chips = element('p', 'search-filters');
  status.after(chips);
  const note = element('p', 'search-note');
  note.setAttribute('role', 'status');
  chips.after(note);
  let keep = PAGE;

  const reset = (): void => {
    list.replaceChildren(...ownRows);
    status.textContent = ownStatus;
    more.hidden = true;
    note.textContent = '';
    if (none !== null) none.hidden = true;
  };
  const show = (hits: SearchHits | undefined, query: SearchQuery): void => {
    if (hits === undefined) {
      status.textContent = 'The search is not available';
      return;
    }
    const { builds, total } = hits;
    list.replaceChildren(...builds.map(resultRow));
    status.textContent = total === 0 ? 'No build found' : countOf(total, 'build');
    note.textContent = hits.note ?? '';
    more.hidden = builds.length >= total;
    if (none !== null) none.hidden = total > 0;
    // The button that was pressed may be gone: go on at the first new result.
    if (query.keep > PAGE) links(list)[query.keep - PAGE]?.focus();
  };
  let asked: SearchQuery | undefined;
  const search = async (query: SearchQuery): Promise<void> => {
    asked = query;
    const hits = await find(query).catch(() => undefined);
    // The visitor may have typed on while the catalog came.
    if (asked === query) show(hits, query);
  };
  const start = (): void => {
    const query = { ...readForm(form, input), keep };
    const { words, filters } = query;
    const parameters = new URLSearchParams(words === '' ? [] : [['q', words]]);
    for (const [name, value] of Object.entries(filters)) parameters.set(name, value);
    history.replaceState(null, '', parameters.size === 0 ? location.pathname : `?${parameters}`);
    chips.replaceChildren(...chipsOf(form, parameters));
    if (parameters.size > 0) {
      void search(query);
      return;
    }
    asked = undefined;
    reset();
  };
  const restart = (): void => {
    keep = PAGE;
    start();
  };

  fillForm(form, input);
  input.addEventListener('input', restart);
  form.addEventListener('change', ({ target }) => {
    if (target !== input) restart();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    restart();
  });
  more.addEventListener('click', () => {
    keep += PAGE;
    start();
  });
  page.addEventListener('keydown', (event) => moveFocus(event, input, list));
  // Visitors type while the search loads.
  if (location.search !== '' || input.value !== '') start();
}

/** Arrow keys go from the field to the results and between them, Escape goes back. */
function moveFocus(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void {
  const stops = [input, ...links(list)];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  if (at < 0 || event.isComposing) return;
  const step = { ArrowDown: 1, ArrowUp: -1, Escape: -at }[event.key] ?? 0;
  if (step === 0) return;
  event.preventDefault();
  stops[Math.min(stops.length - 1, Math.max(0, at + step))]!.focus();
}

function links(list: HTMLElement): HTMLAnchorElement[] {
  return [...list.querySelectorAll<HTMLAnchorElement>('a.build-name')];
}

/** Sets field and filters to what the address has; a filter without a control becomes a hidden one. */
function fillForm(form: HTMLFormElement, input: HTMLInputElement): void {
  const parameters = new URLSearchParams(location.search);
  if (parameters.has('q')) input.value = parameters.get('q')!;
  for (const name of FILTERS) {
    const value = parameters.get(name);
    if (value === null || value === '') continue;
    const control = form.elements.namedItem(name);
    if (control instanceof HTMLSelectElement) {
      const isKnown = [...control.options].some((option) => option.value === value);
      if (!isKnown) control.append(new Option(value, value));
    }
    if (control instanceof HTMLSelectElement || control instanceof RadioNodeList) {
      control.value = value;
      continue;
    }
    const hidden = element('input', '');
    Object.assign(hidden, { type: 'hidden', name, value });
    form.append(hidden);
  }
}

function readForm(
  form: HTMLFormElement,
  input: HTMLInputElement,
): { words: string; filters: Record<string, string> } {
  const data = new FormData(form);
  const filters: Record<string, string> = {};
  for (const name of FILTERS) {
    const value = data.get(name);
    if (typeof value === 'string' && value !== '') filters[name] = value;
  }
  return { words: input.value.trim(), filters };
}

/** Links that remove the filters that have no control. */
function chipsOf(form: HTMLFormElement, parameters: URLSearchParams): HTMLAnchorElement[] {
  return [...form.querySelectorAll<HTMLInputElement>('input[type=hidden]')].flatMap((hidden) => {
    const others = new URLSearchParams(parameters);
    others.delete(hidden.name);
    const link = element('a', 'search-filter', `${hidden.name}: ${hidden.value} ×`);
    link.setAttribute('aria-label', `Remove the filter ${hidden.name}: ${hidden.value}`);
    link.href = others.size === 0 ? location.pathname : `?${others}`;
    return [link];
  });
}

/** One build in a list of results, with the markup of the lists that the generator writes. */
function resultRow(build: BuildSummary): HTMLLIElement {
  const { id, kind, risk, quality, downloads, agent_reports } = build;
  const name = element('a', 'build-name', id);
  name.href = siteAddress(`builds/${id}/`);
  const marks = [
    ...(kind === 'foundation' ? [mark('kind', kind)] : []),
    ...(build.advisories ?? []).map((id) => mark('danger', id)),
    ...(risk === 'ok' ? [] : [mark(risk, `risk: ${risk}`)]),
    ...(build.deprecated ? [mark('deprecated', 'deprecated')] : []),
    ...(build.yanked ? [mark('yanked', 'yanked')] : []),
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

/** The date, as `when()` of the generator. */
function timeOf({ updated_at }: BuildSummary): HTMLTimeElement {
  const time = element('time', '', dateText(updated_at));
  time.dateTime = updated_at;
  return time;
}

function mark(kind: string, text: string): HTMLSpanElement {
  return element('span', `mark mark-${kind}`, text);
}
