/** What `format/unicode.ts` exports and pages use, by the engine of the browser; the bundler puts it in its place. */

export function lowerCase(text: string): string {
  return text.toLowerCase();
}

export function upperCase(text: string): string {
  return text.toUpperCase();
}

export function normalize(text: string, form: 'NFC' | 'NFD' | 'NFKC'): string {
  return text.normalize(form);
}

export function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\u0000-\u007f]*$/.test(text);
}

export function characterClass(...properties: readonly string[]): string {
  return properties.map((property) => `\\p{${property}}`).join('');
}
