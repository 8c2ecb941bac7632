/**
 * Suggestions below the search field: the editable combobox with a list of the WAI-ARIA Authoring Practices. The focus
 * stays in the field; arrow keys choose, Enter opens, Escape closes.
 */
import { type SearchHits, type Find } from './search-builds.ts';
import { element, siteAddress } from './element.ts';
import { latestOnly } from './latest-only.ts';

const SUGGESTIONS = 8;

export function addSuggestions(form: HTMLFormElement, input: HTMLInputElement, find: Find): void {
  const list = element('div', 'search-results');
  list.id = 'search-results';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Builds');
  list.hidden = true;
  form.append(list);
  const status = form.querySelector('[data-search-status]');
  let chosen = -1;
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-controls', list.id);
  input.setAttribute('aria-expanded', 'false');

  const options = (): HTMLAnchorElement[] => [...list.querySelectorAll('a')];
  const choose = (at: number): void => {
    chosen = at;
    for (const [index, option] of options().entries()) {
      option.setAttribute('aria-selected', String(index === at));
      if (index === at) option.scrollIntoView({ block: 'nearest' });
    }
    const option = options()[at];
    if (option === undefined) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', option.id);
  };
  const open = (isOpen: boolean): void => {
    list.hidden = !isOpen || list.childElementCount === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
    choose(-1);
  };
  const report = (text: string): void => {
    if (status !== null) status.textContent = text;
  };
  const show = (hits: SearchHits | undefined, words: string): void => {
    const kept = options()[chosen]?.href;
    list.replaceChildren(...(hits === undefined ? [] : optionsOf(hits, words)));
    // Shown above the options; the status has it for screen readers.
    list.dataset['note'] = hits?.note ?? '';
    open(document.activeElement === input);
    // Results for the last letter may come after a choice among those for the letters before it.
    if (kept !== undefined && !list.hidden)
      choose(options().findIndex(({ href }) => href === kept));
    report(hits === undefined ? 'The search is not available' : countText(hits));
  };
  const search = latestOnly(
    (words: string) => find({ words, filters: {}, keep: SUGGESTIONS }),
    show,
  );
  const start = (now: boolean): void => {
    const words = input.value.trim();
    if (words !== '') {
      search(words, now);
      return;
    }
    search.cancel();
    list.replaceChildren();
    open(false);
    report('');
  };

  input.addEventListener('input', () => start(false));
  input.addEventListener('focus', () => open(true));
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node) || !form.contains(relatedTarget)) open(false);
  });
  // A click on an option does not take the focus from the field.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const { key } = event;
    const count = options().length;
    if (key === 'Enter' && chosen >= 0) options()[chosen]!.click();
    else if (key === 'Escape' && !list.hidden) open(false);
    else if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (list.hidden) open(true);
      const step = key === 'ArrowDown' ? 1 : -1;
      // The field itself is one stop of the circle.
      if (count > 0) choose(((chosen + 1 + step + count + 1) % (count + 1)) - 1);
    } else return;
    event.preventDefault();
  });
  if (input.value !== '') start(true);
}

function optionsOf({ builds, total }: SearchHits, words: string): HTMLAnchorElement[] {
  const options = builds.map(({ id, latest, description, deprecated, yanked }) => {
    const mark = yanked ? ' yanked' : deprecated ? ' deprecated' : '';
    const option = element(
      'a',
      'search-option',
      element('span', 'search-id', id),
      ' ',
      element('span', 'search-version', latest + mark),
      ' ',
      element('span', 'search-description', description),
    );
    option.href = siteAddress(`builds/${id}/`);
    return option;
  });
  if (total > builds.length) {
    const all = element('a', 'search-option', element('span', 'search-id', `All ${total} builds`));
    all.href = siteAddress(`search/?q=${encodeURIComponent(words)}`);
    options.push(all);
  }
  for (const [at, option] of options.entries()) {
    option.id = `search-option-${at}`;
    option.setAttribute('role', 'option');
    option.setAttribute('aria-selected', 'false');
    option.tabIndex = -1;
  }
  return options;
}

function countText({ builds, total, note }: SearchHits): string {
  if (total === 0) return 'No build found';
  const more = note === undefined ? '' : `. ${note}`;
  const found =
    total === builds.length
      ? `${total} ${total === 1 ? 'build' : 'builds'} found`
      : `${total} builds found, ${builds.length} shown`;
  return found + more;
}
