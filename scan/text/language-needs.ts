/**
 * What the code of a build needs of its language: the module system, syntax that a compiler or runtime may not have.
 * Few texts have any of it, so that a text is looked at before its tree is made.
 */
import type { LanguageNeed } from '../../format/index/capabilities.ts';
import type { ScannedBuild, ScannedFile } from '../scanned-file.ts';
import { isTestOrExamplePath } from './file-kind.ts';
import { once } from '../once.ts';
import { pythonNeeds } from './python-needs.ts';
import { javascriptNeeds } from './javascript-needs.ts';

/** The needs of the files that users run, each with its first place, sorted by need. */
export function deriveLanguageNeeds(build: ScannedBuild): LanguageNeed[] {
  const needs = new Map<string, LanguageNeed>();
  for (const file of build.files) {
    for (const [need, at] of languageNeedsOf(file)) {
      // In JavaScript and in TypeScript the same syntax needs different things.
      const key = `${need} ${isTypeScript(file.path)}`;
      if (needs.has(key)) continue;
      needs.set(key, { need, path: file.path, line: file.place(at, 0).line ?? 1 });
    }
  }
  return [...needs.values()].sort((a, b) => order(a.need, b.need) || order(a.path, b.path));
}

/** The needs of `file` by their first offset; none when it is not code that users run. */
export const languageNeedsOf = once((file: ScannedFile): ReadonlyMap<string, number> => {
  if (isTestOrExamplePath(file.path)) return new Map();
  const { text = '', syntax } = file;
  if (syntax.language === 'javascript') return javascriptNeeds(file, syntax);
  return syntax.language === 'python' ? pythonNeeds(text, syntax.tree) : new Map();
});

function isTypeScript(path: string): boolean {
  return /\.[cm]?tsx?$/.test(path);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
