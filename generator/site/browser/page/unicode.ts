/** What `format/unicode.ts` exports and the search uses, by the engine of the browser; the bundler puts it in its place. */

export function lowerCase(text: string): string {
  return text.toLowerCase();
}

export function normalize(text: string, form: 'NFKC'): string {
  return text.normalize(form);
}

export function characterClass(...properties: readonly string[]): string {
  return properties.map((property) => `\\p{${property}}`).join('');
}
