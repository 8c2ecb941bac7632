/** The taint analysis of a build: lowers the files that matter, links them, and interprets them. */
import type { ScannedFile } from '../scanned-file.ts';
import type { Fact, TaintResult } from './fact.ts';
import { Interpreter } from './interpreter/interpreter.ts';
import type { Module } from './ir.ts';
import { lowerJavaScript } from './javascript/lower.ts';
import { lowerPython } from './python/lower.ts';
import { embeddedModules } from './embedded.ts';
import { linkImport } from './link.ts';

/**
 * Characters, and calls with functions; the files of a build with more of both, and a file with more of both, are analysed as
 * bundles. Code has about one call in a hundred characters: neither comments nor a few thousand short calls make a bundle.
 */
const LARGE_BUILD = [1_000_000, 10_000] as const;
const LARGE_FILE = [100_000, 1_000] as const;

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
  for (const file of analysed) {
    try {
      const module = lower(file);
      if (module !== undefined) modules.set(file.path, module);
      if (module?.isCut === true) unread.push(file.path);
    } catch (error) {
      // Nested too deeply for the stack.
      if (!(error instanceof RangeError)) throw error;
      unread.push(file.path);
    }
  }
  if (modules.size === 0) return { facts: [], texts: [], unread };
  markLarge(analysed, modules);
  const interpreter = new Interpreter((from, name, level) =>
    linkImport(modules, from, name, level),
  );
  interpreter.run([...modules.values()]);
  const embedded = embeddedModules(factsOf(interpreter));
  if (embedded.length > 0) interpreter.run(embedded);
  if (!interpreter.isComplete) unread.push(...modules.keys());
  return { facts: factsOf(interpreter), texts: interpreter.texts, unread };
}

function markLarge(files: readonly ScannedFile[], modules: ReadonlyMap<string, Module>): void {
  const sizes = files.flatMap(({ path, text = '' }) => {
    const module = modules.get(path);
    if (module === undefined) return [];
    return [{ module, length: text.length, calls: module.calls + module.funcs.length }];
  });
  const length = sizes.reduce((sum, one) => sum + one.length, 0);
  const calls = sizes.reduce((sum, one) => sum + one.calls, 0);
  const isLarge = length > LARGE_BUILD[0] && calls > LARGE_BUILD[1];
  for (const own of sizes)
    own.module.isLarge = isLarge || (own.length > LARGE_FILE[0] && own.calls > LARGE_FILE[1]);
}

function lower({ path, text = '', syntax }: ScannedFile): Module | undefined {
  if (syntax.language === 'javascript') return lowerJavaScript(path, syntax.program);
  if (syntax.language === 'python') return lowerPython(path, text, syntax.tree);
  return undefined;
}

function factsOf({ facts }: Interpreter): Fact[] {
  const all = [...facts.values()].flatMap((known) => [...known.values()]);
  return all.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.at - b.at));
}
