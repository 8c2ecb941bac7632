/** The licence of a project: the declared one, otherwise the one that its licence text resembles. */
import { join } from 'node:path';
import { isSpdxExpression } from '../../format/build/spdx.ts';
import { licensePrint, likeness, parsePrint } from '../../checks/package/license-print.ts';
import table from '../../checks/package/license-prints.json' with { type: 'json' };
import { readNames, readText } from '../project/read-file.ts';

const LICENSE_FILE = /^(?:licen[cs]e|copying|unlicense)(?:[-.][\w.-]+)?$/i;
/** Slightly stricter than the check of licence texts, because the result is used without confirmation. */
const ALIKE = 0.75;
const PRINTS: Readonly<Record<string, string>> = table.prints;

/**
 * @param stated the licence in package.json or pyproject.toml
 * @param folders folders that may contain a licence text, the nearest first
 */
export function guessLicense(
  stated: string | undefined,
  folders: readonly string[],
): string | undefined {
  if (stated !== undefined && isSpdxExpression(stated)) return stated;
  for (const folder of folders) {
    for (const file of readNames(folder).filter((name) => LICENSE_FILE.test(name))) {
      const found = nearestLicense(readText(join(folder, file)));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function nearestLicense(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const print = licensePrint(text);
  const found = Object.entries(PRINTS)
    .map(([id, known]) => ({ id, like: likeness(print, parsePrint(known)) }))
    .reduce((a, b) => (b.like > a.like ? b : a));
  return found.like >= ALIKE ? found.id : undefined;
}
