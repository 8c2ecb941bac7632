/** Numbers on pages, in a form that does not depend on the machine. */

/** `12345` as `12,345`. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 build`, `2 builds`. */
export function countOf(value: number, noun: string, plural: string = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

/** Bytes: `512 B`, `1.5 kB`, `2.0 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const [unit, size] = bytes < 1_000_000 ? ['kB', bytes / 1_000] : ['MB', bytes / 1_000_000];
  return `${size.toFixed(1)} ${unit}`;
}

/** A share from 0 to 1: `0.4385` as `44 %`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
