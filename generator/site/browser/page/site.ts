/**
 * What every page does with JavaScript. Pages work without it: each of these only adds to what is there. The search is
 * loaded when a visitor goes to its field.
 */
import { SEARCH_MANIFEST_PATH } from '../../../../format/index/search-path.ts';
import { addCopyButtons } from './copy-buttons.ts';
import { addKeys } from './keys.ts';
import { addManagerTabs } from './manager-tabs.ts';
import { addPanels } from './panels.ts';
import { addRegistryAddress } from './registry-address.ts';
import { addRelativeTimes } from './relative-times.ts';
import { siteAddress } from './site-address.ts';
import { addThemeSwitch } from './theme-switch.ts';

addThemeSwitch();
addManagerTabs();
addPanels();
addCopyButtons();
addRelativeTimes();
addRegistryAddress();
addKeys();
prepareSearch();
prepareSource();

function prepareSearch(): void {
  const input = document.querySelector<HTMLInputElement>('[data-search-input]');
  if (input === null) return;
  const load = (): void => {
    // The search reads it first: it comes with the code instead of after it.
    fetch(siteAddress(SEARCH_MANIFEST_PATH)).catch(() => undefined);
    void import('./search.ts').then(({ startSearch }) => startSearch(input));
  };
  const isSearchPage = document.querySelector('[data-search-page]') !== null;
  if (isSearchPage || document.activeElement === input) load();
  else input.addEventListener('focus', load, { once: true });
}

/** The source page is drawn here; the 404 page leads old addresses to it. */
function prepareSource(): void {
  const main = document.querySelector<HTMLElement>('[data-source-page]');
  if (main !== null)
    void import('./source/show-source.ts').then(({ showSource }) => showSource(main));
  if (document.documentElement.dataset['page'] !== '404') return;
  void import('./source/old-addresses.ts').then(({ leaveOldAddress }) => leaveOldAddress());
}
