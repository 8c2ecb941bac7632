/** The taint analysis of a build: lowers the files that matter, links them, and interprets them. */
import type { ScannedFile } from '../../scanned-file.ts';
import type { Fact, TaintResult } from '../fact.ts';
import { Interpreter } from '../interpreter/interpreter.ts';
import type { Module } from '../ir.ts';
import { lowerJavaScript } from '../javascript/lower.ts';
import { lowerPython } from '../python/lower.ts';
import { embeddedModules } from './embedded.ts';
import { linkImport } from './link.ts';
import { sizeOf } from './relevant-files.ts';

/** In characters; the files of a larger build, and a larger file, are analysed as bundles. */
const LARGE_BUILD = 1_000_000;
const LARGE_FILE = 100_000;

/**
 * What the code of the files that matter does.
 *
 * @param analysed those of `relevant` that are read
 */
export function analyseTaint(
  relevant: readonly ScannedFile[],
  analysed: readonly ScannedFile[] = relevant,
): TaintResult {
  const chosen = new Set(analysed);
  const unread = relevant.filter((file) => !chosen.has(file)).map(({ path }) => path);
  const modules = new Map<string, Module>();
  const isLargeBuild = sizeOf(relevant) > LARGE_BUILD;
  for (const file of analysed) {
    try {
      const module = lower(file, isLargeBuild);
      if (module !== undefined) modules.set(file.path, module);
      if (module?.isCut === true) unread.push(file.path);
    } catch (error) {
      // Nested too deeply for the stack.
      if (!(error instanceof RangeError)) throw error;
      unread.push(file.path);
    }
  }
  if (modules.size === 0) return { facts: [], texts: [], unread };
  const interpreter = new Interpreter((from, name, level) =>
    linkImport(modules, from, name, level),
  );
  interpreter.run([...modules.values()]);
  const embedded = embeddedModules(factsOf(interpreter));
  if (embedded.length > 0) interpreter.run(embedded);
  if (!interpreter.isComplete) unread.push(...modules.keys());
  return { facts: factsOf(interpreter), texts: interpreter.texts, unread };
}

function lower(
  { path, text = '', syntax }: ScannedFile,
  isLargeBuild: boolean,
): Module | undefined {
  const isLarge = isLargeBuild || text.length > LARGE_FILE;
  if (syntax.language === 'javascript') return lowerJavaScript(path, syntax.program, isLarge);
  if (syntax.language === 'python') return lowerPython(path, text, syntax.tree, isLarge);
  return undefined;
}

function factsOf({ facts }: Interpreter): Fact[] {
  const all = [...facts.values()].flatMap((known) => [...known.values()]);
  return all.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.at - b.at));
}
