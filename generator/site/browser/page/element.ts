/** What the parts of a page share: elements, addresses, messages, choices that last. */

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

/** Gives a screen reader a message. */
export function announce(text: string): void {
  const place = document.getElementById('announce');
  if (place === null) return;
  // The same text again is announced only when it changes.
  place.textContent = '';
  requestAnimationFrame(() => {
    place.textContent = text;
  });
}

/** The address of a path, without a leading `/`. */
export function siteAddress(path: string): string {
  const root = document.documentElement.dataset['root'] ?? './';
  return new URL(root + path, location.href).href;
}

/** Choices of a visitor that last, where the browser allows it. */
export function keptChoice(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keepChoice(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The choice then lasts as long as the page.
  }
}
