/** Tabs of which one is shown, such as a command for each package manager. A choice counts for the whole site. */
import { element, keepChoice, keptChoice } from './element.ts';

interface Tab {
  readonly name: string;
  readonly button: HTMLButtonElement;
  readonly panel: HTMLElement;
}

export function addManagerTabs(): void {
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
