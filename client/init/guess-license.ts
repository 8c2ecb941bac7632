/** The licence of a project: the declared one, otherwise the one that its licence text resembles. */
import { join } from 'node:path';
import { isSpdxExpression } from '../../format/build/license.ts';
import { licensePrint } from '../../scan/package/license-print.ts';
import { nearestLicense } from '../../scan/package/license-text.ts';
import { readNames, readText } from '../project/read-file.ts';

const LICENSE_FILE = /^(?:licen[cs]e|copying|unlicense)(?:[-.][\w.-]+)?$/i;
/** Slightly stricter than the check of licence texts, because the result is used without confirmation. */
const ALIKE = 0.75;

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
      const found = likelyLicense(readText(join(folder, file)));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function likelyLicense(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const nearest = nearestLicense(licensePrint(text));
  return nearest.like >= ALIKE ? nearest.id : undefined;
}
