/** Is the text of the licence there, and is it the licence that the manifest names? */
import { finding, type Finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import { licensePrint, likeness } from '../../package/license-print.ts';
import { knownPrint, nearestLicense } from '../../package/license-text.ts';

const LICENSE_FILE = /^(?:licen[cs]e|copying|unlicense)(?:[-.][\w.-]+)?$|^licenses\/[^/]+$/i;
/** Share of runs of three words. Other licences of a family are below it, a reworded copy is above it. */
const ALIKE = 0.6;
const MAX_COMPARED = 5;

export const licenseFile: Rule = {
  name: 'license-file',
  run: ({ manifest, files }) => {
    const found = files.filter((f) => LICENSE_FILE.test(f.path));
    if (found.length === 0) {
      return [finding('license-file-missing', '', { license: manifest.license })];
    }
    const written = found.filter((f) => !isBlank(f.bytes));
    if (written.length === 0) return [finding('license-file-empty', found[0]!.path)];
    const texts = written
      .slice(0, MAX_COMPARED)
      .map(({ path, bytes }) => ({ path, text: Buffer.from(bytes).toString('utf8') }));
    return compare(manifest.license, texts);
  },
};

/** With "AND" every licence of the expression needs a text, with "OR" one of them. */
function compare(expression: string, files: readonly { path: string; text: string }[]): Finding[] {
  const ids = expression.split(/[\s()]+/).filter((word) => printNamed(word) !== undefined);
  if (ids.length === 0) return [];
  const prints = files.map(({ text }) => licensePrint(text));
  const isThere = ids.some((id) => {
    const wanted = printNamed(id)!;
    return prints.some((print) => likeness(print, wanted) >= ALIKE);
  });
  if (isThere) return [];
  // Several licences in one file are less like each of them than one alone.
  const words = new Set(ids.map((id) => id.split('-')[0]!.toLowerCase()));
  if (
    ids.length > 1 &&
    files.some(({ text }) => [...words].every((word) => text.toLowerCase().includes(word)))
  )
    return [];
  const { path } = files[0]!;
  const other = nearestLicense(prints[0]!);
  if (other.like < ALIKE) return [finding('license-file-unknown', path, { license: expression })];
  return [finding('license-file-other', path, { license: expression, other: other.id })];
}

/** The print of a licence as an expression names it: `GPL-2.0+` is `GPL-2.0` or a later one. */
function printNamed(word: string): Uint16Array | undefined {
  return knownPrint(word.replace(/\+$/, ''));
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}
