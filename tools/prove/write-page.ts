/** Writes a page of proofs, or compares it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Returns false when `isCheck` is set and the file differs from `text`, which is reported; else writes it. */
export function writePage(path: string, text: string, isCheck: boolean): boolean {
  const isSame = existsSync(path) && readFileSync(path, 'utf8') === text;
  if (isSame) return true;
  if (!isCheck) writeFileSync(path, text);
  else console.error(`error: "${path}" is not current\nhint: run npm run prove`);
  return !isCheck;
}
