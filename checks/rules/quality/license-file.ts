/** Is the text of the licence there, and is it the licence that the manifest names? */
import type { Finding } from '../../../format/finding/finding.ts';
import { finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import { licensePrint, likeness, parsePrint } from '../../package/license-print.ts';
import table from '../../package/license-prints.json' with { type: 'json' };

const LICENSE_FILE = /^(?:licen[cs]e|copying|unlicense)(?:[-.][\w.-]+)?$|^licenses\/[^/]+$/i;
/** Of runs of three words; other licences of a family are less alike, the same one reworded is more. */
const ALIKE = 0.6;
const MAX_COMPARED = 5;
const PRINTS: ReadonlyMap<string, string> = new Map(Object.entries(table.prints));

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

/** Every licence of the expression needs a text where it has "AND", one of them where it has "OR". */
function compare(expression: string, files: readonly { path: string; text: string }[]): Finding[] {
  const ids = expression.split(/[\s()]+/).filter((word) => PRINTS.has(word.replace(/\+$/, '')));
  if (ids.length === 0) return [];
  const prints = files.map(({ path, text }) => ({ path, print: licensePrint(text) }));
  const isThere = ids.some((id) => {
    const wanted = parsePrint(PRINTS.get(id.replace(/\+$/, ''))!);
    return prints.some(({ print }) => likeness(print, wanted) >= ALIKE);
  });
  if (isThere) return [];
  // Several licences in one file are less like each of them than one alone.
  const words = new Set(ids.map((id) => id.split('-')[0]!.toLowerCase()));
  if (
    ids.length > 1 &&
    files.some(({ text }) => [...words].every((word) => text.toLowerCase().includes(word)))
  )
    return [];
  const [first] = prints;
  const other = [...PRINTS]
    .map(([id, print]) => ({ id, like: likeness(first!.print, parsePrint(print)) }))
    .reduce((a, b) => (b.like > a.like ? b : a));
  if (other.like < ALIKE)
    return [finding('license-file-unknown', first!.path, { license: expression })];
  return [finding('license-file-other', first!.path, { license: expression, other: other.id })];
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}
