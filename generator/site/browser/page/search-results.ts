/** The results of the search page: words and filters are in the address, and a status announces the number of results. */
import type * as projectFile from './project-file.ts';
import type { SearchHits, SearchQuery } from './search-builds.ts';
import type { BuildSummary } from '../../../../format/index/record.ts';
import type { Filters } from './search-builds.ts';
import { element, type Find, showRelative, siteAddress } from './element.ts';
import { latestOnly } from './suggestions.ts';
import type { ProjectFacts } from './project-file.ts';

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
  const fit = addProjectFit(page, () => restart(true));
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
    const shown = fit.isOn() ? fit.keep(builds) : builds;
    list.replaceChildren(...shown.map((build) => resultRow(build, fit.marks(build))));
    status.textContent = countText(hits, shown.length, fit.isOn());
    note.textContent = hits.note ?? '';
    more.hidden = builds.length >= total || fit.isOn();
    if (none !== null) none.hidden = total > 0;
    // The button that was pressed may be gone: go on at the first new result.
    if (query.keep > PAGE && !fit.isOn()) links(list)[query.keep - PAGE]?.focus();
  };
  const search = latestOnly(find, show);
  const start = (now: boolean): void => {
    const query = { ...readForm(form, input), keep: fit.isOn() ? FITTED_BUILDS : keep };
    const { words, filters } = query;
    const parameters = new URLSearchParams(words === '' ? [] : [['q', words]]);
    for (const [name, value] of Object.entries(filters)) parameters.set(name, value);
    history.replaceState(null, '', parameters.size === 0 ? location.pathname : `?${parameters}`);
    chips.replaceChildren(...chipsOf(form, parameters));
    if (parameters.size > 0 || fit.isOn()) {
      search(query, now);
      return;
    }
    search.cancel();
    reset();
  };
  const restart = (now: boolean): void => {
    keep = PAGE;
    start(now);
  };

  fillForm(form, input);
  input.addEventListener('input', () => restart(false));
  form.addEventListener('change', ({ target }) => {
    if (target !== input) restart(true);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    restart(true);
  });
  more.addEventListener('click', () => {
    keep += PAGE;
    start(true);
  });
  page.addEventListener('keydown', (event) => moveFocus(event, input, list));
  // Visitors type while the search loads.
  if (location.search !== '' || input.value !== '') start(true);
}

/** @param fitting how many of the builds fit the visitor's project, where there is one */
function countText({ builds, total }: SearchHits, fitting: number, isFit: boolean): string {
  if (total === 0) return 'No build found';
  if (!isFit) return countOf(total, 'build');
  const tried = total > builds.length ? `the best ${builds.length}` : countOf(total, 'build');
  return `${fitting} of ${tried} can be added to your project`;
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
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** @param more marks behind those of the build */
function resultRow(build: BuildSummary, more: readonly HTMLElement[] = []): HTMLLIElement {
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
function countOf(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** `12345` as `12,345`. */
function count(value: number): string {
  return value.toLocaleString('en');
}

/** How long ago it was, with the date as its title, as `when()` of the generator. */
function timeOf({ updated_at }: BuildSummary): HTMLTimeElement {
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

/** The part of the search page that asks for a file of a visitor's project: dropped, chosen or pasted, and read here only. */

/** How many of the best builds are compared with a project. */
const FITTED_BUILDS = 100;

type Reader = typeof projectFile;

interface ProjectFit {
  /** Whether there is a project to compare with. */
  readonly isOn: () => boolean;
  /** Those that could be added to the project, and marks for their rows. A foundation starts a project: it is added to none. */
  readonly keep: (builds: readonly BuildSummary[]) => readonly BuildSummary[];
  readonly marks: (build: BuildSummary) => HTMLElement[];
}

/** @param changed is called when there is another project, or none */
function addProjectFit(page: HTMLElement, changed: () => void): ProjectFit {
  const box = page.querySelector<HTMLDetailsElement>('[data-fit]');
  const text = box?.querySelector('textarea');
  const file = box?.querySelector<HTMLInputElement>('input[type=file]');
  const status = box?.querySelector('[role=status]');
  const clear = box?.querySelector('button');
  let reader: Reader | undefined;
  let facts: ProjectFacts | undefined;
  let reads = 0;

  const fitOf = (build: BuildSummary): ReturnType<Reader['fitOf']> | undefined =>
    facts && reader?.fitOf(facts, build);
  const result: ProjectFit = {
    isOn: () => facts !== undefined,
    keep: (builds) =>
      builds.filter((one) => one.kind === 'module' && fitOf(one)?.needs.length === 0),
    marks: (build) => {
      const unsure = fitOf(build)?.unsure ?? [];
      return unsure.length === 0
        ? []
        : [element('span', 'mark mark-caution', `if it has ${unsure.join(', ')}`)];
    },
  };
  if (!box || !text || !file || !status || !clear) return result;

  const use = async (take: (own: Reader) => Promise<ProjectFacts>): Promise<void> => {
    reads += 1;
    const read = reads;
    let found: ProjectFacts | undefined;
    let message: string;
    try {
      reader ??= await import('./project-file.ts');
      found = await take(reader);
      message = `Shown is what fits: ${found.size} tags of your project were found.`;
    } catch (error) {
      const isKnown = reader !== undefined && error instanceof reader.ProjectFileError;
      message = isKnown ? error.message : 'The file cannot be read';
    }
    // A later file counts.
    if (read !== reads) return;
    facts = found;
    status.textContent = message;
    clear.hidden = false;
    changed();
  };
  const readFiles = (files: readonly File[]): void => {
    if (files.length === 0) return;
    box.open = true;
    void use(async ({ decodeProject, readProject }) => {
      const all = new Map<string, ReturnType<ProjectFacts['get']> & {}>();
      for (const one of files) {
        const bytes = new Uint8Array(await one.slice(0, 1_000_001).arrayBuffer());
        for (const [tag, fact] of readProject(one.name, decodeProject(one.name, bytes))) {
          if (!all.has(tag)) all.set(tag, fact);
        }
      }
      return all;
    });
  };
  const reset = (): void => {
    reads += 1;
    facts = undefined;
    text.value = '';
    file.value = '';
    status.textContent = '';
    clear.hidden = true;
    changed();
  };

  file.addEventListener('change', () => readFiles([...(file.files ?? [])]));
  text.addEventListener('input', () => {
    if (text.value.trim() === '') reset();
    else void use(async ({ readProject }) => readProject(undefined, text.value));
  });
  clear.addEventListener('click', () => {
    reset();
    file.focus();
  });
  page.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
  });
  page.addEventListener('drop', (event) => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    readFiles(files);
  });
  return result;
}
