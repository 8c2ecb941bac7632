/** Writes a page of proofs, or compares it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Returns false when `isCheck` is set and the file differs from `text`, which is reported; else writes it. Times such as
 * `1.2 s` are not compared: they depend on the machine.
 */
export function writePage(path: string, text: string, isCheck: boolean): boolean {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  if (before === text) return true;
  if (isCheck && before !== undefined && withoutTimes(before) === withoutTimes(text)) return true;
  if (!isCheck) writeFileSync(path, text);
  else console.error(`error: "${path}" is not current\nhint: run npm run prove`);
  return !isCheck;
}

function withoutTimes(text: string): string {
  return text.replaceAll(/\b\d+\.\d s\b/g, 's');
}
