/** The button that changes between the colours of the system, light and dark ones. */
import { keepChoice, keptChoice } from './element.ts';

const THEMES = ['system', 'light', 'dark'] as const;

export function addThemeSwitch(): void {
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
