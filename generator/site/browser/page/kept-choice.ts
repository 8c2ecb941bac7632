/** Choices of a visitor that last, where the browser allows it. */

export function keptChoice(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param value `null` forgets the choice */
export function keepChoice(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // The choice then lasts as long as the page.
  }
}
