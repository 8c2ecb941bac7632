/**
 * What every page does with JavaScript. Pages work without it: each of these only adds to what is there. The search is
 * loaded when a visitor goes to its field.
 */
import { CATALOG_PATH } from '../../../../format/index/layout.ts';
import {
  addRelativeTimes,
  announce,
  element,
  keepChoice,
  keptChoice,
  siteAddress,
} from './element.ts';

/** Buttons that copy a text of the page: those that pages have, and one for each block of code in a text. */
const SHOWN_MS = 2_000;

function addCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    const source = document.getElementById(button.dataset['copy'] ?? '');
    if (source !== null) addCopying(button, source);
  }
  for (const pre of document.querySelectorAll<HTMLElement>('.prose pre')) {
    const button = element('button', 'copy', 'Copy');
    button.type = 'button';
    const box = element('div', 'copied');
    pre.replaceWith(box);
    box.append(pre, button);
    addCopying(button, pre);
  }
}

function addCopying(button: HTMLButtonElement, source: HTMLElement): void {
  const label = button.textContent;
  let timer: ReturnType<typeof setTimeout> | undefined;
  button.hidden = false;
  button.addEventListener('click', () => {
    void copy(source).then((isCopied) => {
      button.textContent = isCopied ? 'Copied' : 'Selected';
      announce(isCopied ? 'Copied' : 'Selected: copy with the keyboard');
      clearTimeout(timer);
      timer = setTimeout(() => {
        button.textContent = label;
      }, SHOWN_MS);
    });
  });
}

/** Where the clipboard is not available, as on a page without TLS, the text is selected instead. */
async function copy(source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText((source.textContent ?? '').trim());
    return true;
  } catch {
    getSelection()?.selectAllChildren(source);
    return document.execCommand('copy');
  }
}

/** The button that changes between the colours of the system, light and dark ones. */
const THEMES = ['system', 'light', 'dark'] as const;

function addThemeSwitch(): void {
  const root = document.documentElement;
  const kept = keptChoice('theme');
  let at = Math.max(
    0,
    THEMES.findIndex((theme) => theme === kept),
  );
  const buttons = document.querySelectorAll<HTMLButtonElement>('[data-theme-switch]');
  const show = (): void => {
    for (const button of buttons) button.setAttribute('aria-label', `Theme: ${THEMES[at]}`);
  };
  for (const button of buttons) {
    button.hidden = false;
    button.addEventListener('click', () => {
      at = (at + 1) % THEMES.length;
      const theme = THEMES[at]!;
      if (theme === 'system') delete root.dataset['theme'];
      else root.dataset['theme'] = theme;
      keepChoice('theme', theme === 'system' ? null : theme);
      show();
    });
  }
  show();
}

addThemeSwitch();
addManagerTabs();
addPanels();
addCopyButtons();
addRelativeTimes();
addRegistryAddress();
addSearchKey();
prepareSearch();
prepareSource();

function prepareSearch(): void {
  const input = document.querySelector<HTMLInputElement>('[data-search-input]');
  if (input === null) return;
  const load = (): void => {
    // The search reads it first: it comes with the code instead of after it.
    fetch(siteAddress(CATALOG_PATH)).catch(() => undefined);
    void import('./search.ts').then(({ startSearch }) => startSearch(input));
  };
  const isSearchPage = document.querySelector('[data-search-page]') !== null;
  if (isSearchPage || document.activeElement === input) load();
  else input.addEventListener('focus', load, { once: true });
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

/**
 * The panels of a build's page. The style sheet shows the one that the address names; this states the current one to assistive
 * software, lets arrow keys go through the links, and keeps the page where it is when another one is chosen.
 */
function addPanels(): void {
  const nav = document.querySelector<HTMLElement>('nav.sections');
  if (nav === null) return;
  const links = [...nav.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')];
  const panelOf = (link: HTMLAnchorElement): HTMLElement | null =>
    document.querySelector(`#${link.hash.slice(1)}`);
  const mark = (): void => {
    const target = targetOf(location.hash);
    const current = links.find((link) => panelOf(link)?.contains(target)) ?? links[0];
    for (const link of links) {
      if (link === current) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    // On a telephone the links are wider than the screen. The page itself stays where it is.
    if (current !== undefined) {
      const [from, to] = [current.offsetLeft, current.offsetLeft + current.offsetWidth];
      const start = nav.offsetLeft + nav.scrollLeft;
      if (from < start || to > start + nav.clientWidth) nav.scrollLeft = from - nav.offsetLeft;
    }
  };
  nav.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const { scrollX, scrollY } = window;
    location.hash = link.hash;
    const stay = (): void => window.scrollTo(scrollX, scrollY);
    stay();
    // Browsers may go to the panel later than that.
    requestAnimationFrame(() => requestAnimationFrame(stay));
  });
  nav.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = links.findIndex((link) => link === document.activeElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    links[(at + step + links.length) % links.length]!.focus();
  });
  window.addEventListener('hashchange', mark);
  mark();
  // The whole page is there: an address that leads nowhere shows the first panel.
  delete document.documentElement.dataset['waits'];
}

/** The element that an address leads to, before the browser has gone there. */
function targetOf(hash: string): HTMLElement | null {
  try {
    // oxlint-disable-next-line unicorn/prefer-query-selector -- any text may be an id
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

/** Puts the address of this registry into commands of a registry that does not know its own. */
function addRegistryAddress(): void {
  const address = siteAddress('').replace(/\/$/, '');
  for (const place of document.querySelectorAll('[data-registry-address]')) {
    place.textContent = address;
    place.setAttribute('data-known', '');
  }
}

/** Panels of which one is shown at a time, such as a command for each package manager. A choice counts for the whole site. */
interface Tab {
  readonly name: string;
  readonly button: HTMLButtonElement;
  readonly panel: HTMLElement;
}

function addManagerTabs(): void {
  const groups = new Map<string, Tab[][]>();
  for (const [at, box] of document.querySelectorAll<HTMLElement>('[data-tabs]').entries()) {
    const group = box.dataset['tabs']!;
    // A single command needs no choice.
    if (box.querySelectorAll('[data-tab]').length < 2) continue;
    const tabs = tabsOf(box, `tab-${at}`);
    const all = groups.get(group) ?? [];
    groups.set(group, [...all, tabs]);
    const list = element('div', 'tab-list', ...tabs.map(({ button }) => button));
    list.setAttribute('role', 'tablist');
    list.setAttribute('aria-label', box.dataset['label'] ?? 'Package manager');
    box.prepend(list);
    const choose = (tab: Tab): void => {
      for (const one of groups.get(group)!) select(one, tab.name);
      keepChoice(group, tab.name);
    };
    for (const tab of tabs) tab.button.addEventListener('click', () => choose(tab));
    list.addEventListener('keydown', (event) => {
      const next = neighbour(tabs, event.key);
      if (next === undefined) return;
      event.preventDefault();
      choose(next);
      next.button.focus();
    });
    select(tabs, keptChoice(group) ?? '');
  }
}

function tabsOf(box: HTMLElement, prefix: string): Tab[] {
  const panels = [...box.querySelectorAll<HTMLElement>('[data-tab]')];
  return panels.map((panel) => {
    const name = panel.dataset['tab']!;
    const button = element('button', 'tab', panel.dataset['label'] ?? name);
    button.type = 'button';
    button.id = `${prefix}-${name}`;
    button.setAttribute('role', 'tab');
    panel.id ||= `${prefix}-panel-${name}`;
    button.setAttribute('aria-controls', panel.id);
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', button.id);
    return { name, button, panel };
  });
}

/** Shows the tab of this name, or the first one. */
function select(tabs: readonly Tab[], name: string): void {
  const chosen = tabs.find((tab) => tab.name === name) ?? tabs[0];
  for (const tab of tabs) {
    const isChosen = tab === chosen;
    tab.button.setAttribute('aria-selected', String(isChosen));
    tab.button.tabIndex = isChosen ? 0 : -1;
    tab.panel.hidden = !isChosen;
  }
}

/** The tab that a key leads to, from the one in use. */
function neighbour(tabs: readonly Tab[], key: string): Tab | undefined {
  const at = tabs.findIndex(({ panel }) => !panel.hidden);
  if (key === 'ArrowRight') return tabs[(at + 1) % tabs.length];
  if (key === 'ArrowLeft') return tabs.at(at - 1);
  if (key === 'Home') return tabs[0];
  return key === 'End' ? tabs.at(-1) : undefined;
}
