/**
 * What every page does with JavaScript. Pages work without it: each of these only adds to what is there. The search page
 * and the source page load the rest of their code.
 */
import { CATALOG_PATH } from '../../../../format/index/layout.ts';
import { addCopyButtons } from './copy-buttons.ts';
import { siteAddress } from './element.ts';
import { addManagerTabs } from './manager-tabs.ts';
import { addPanels } from './panels.ts';

addManagerTabs();
addPanels();
addCopyButtons();
addRegistryAddress();
addSearchKey();
prepareSearch();
prepareSource();

function prepareSearch(): void {
  const page = document.querySelector<HTMLElement>('[data-search-page]');
  if (page === null) return;
  // The search reads it first: it comes with the code instead of after it.
  fetch(siteAddress(CATALOG_PATH)).catch(() => undefined);
  void import('./search.ts').then(({ startSearch }) => startSearch(page));
}

/** The source page is drawn here. */
function prepareSource(): void {
  const main = document.querySelector<HTMLElement>('[data-source-page]');
  if (main !== null)
    void import('./source/show-source.ts').then(({ showSource }) => showSource(main));
}

/** The key `/` goes to the search. */
function addSearchKey(): void {
  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(target)) return;
    const input = document.querySelector<HTMLInputElement>('[data-search-input]');
    if (input === null) return;
    input.focus();
    input.select();
    event.preventDefault();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, select, textarea'))
  );
}

/** Puts the address of this registry into commands of a registry that does not know its own. */
function addRegistryAddress(): void {
  const address = siteAddress('').replace(/\/$/, '');
  for (const place of document.querySelectorAll('[data-registry-address]')) {
    place.textContent = address;
    place.setAttribute('data-known', '');
  }
}
