/** The taint analysis of a build: lowers the files that matter, links them, and interprets them. */
import type { ScannedFile } from '../scanned-file.ts';
import type { Fact, TaintResult } from './api.ts';
import { Interpreter } from './interpreter/interpreter.ts';
import type { Module } from './ir.ts';
import { lowerJavaScript } from './javascript/lower.ts';
import { lowerPython } from './python/lower.ts';
import { linkImport } from './link.ts';
import { BeyondLimits } from '../parse/limits.ts';
import { pageScripts } from '../parse/page-scripts.ts';
import { parseJavaScript } from '../parse/parse-javascript.ts';
import { parsePython } from '../parse/parse-python.ts';
import { readSyntax } from '../parse/syntax.ts';
import { UNKNOWN, deepTexts } from './value.ts';

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
  const leftOut = new Set(relevant.flatMap((file) => (chosen.has(file) ? [] : [file.path])));
  const unread = [...leftOut];
  const modules = new Map<string, Module>();
  for (const file of analysed) {
    const module = lower(file);
    if (module !== undefined) modules.set(file.path, module);
  }
  if (modules.size === 0) return { facts: [], texts: [], unread, leftOut };
  markLarge(analysed, modules);
  const interpreter = new Interpreter((from, name, level) =>
    linkImport(modules, from, name, level),
  );
  interpreter.run([...modules.values()]);
  const embedded = embeddedModules(factsOf(interpreter));
  if (embedded.length > 0) interpreter.run(embedded);
  if (!interpreter.isComplete) unread.push(...modules.keys());
  // The values of facts hold functions; their code is not needed any more.
  for (const { body, funcs } of modules.values())
    for (const code of [body, ...funcs.map((func) => func.body)]) code.length = 0;
  return { facts: factsOf(interpreter), texts: interpreter.texts, unread, leftOut };
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
  const scripts = pageScripts(path, text);
  const page = scripts === undefined ? undefined : readSyntax('page.js', scripts);
  if (page?.language === 'javascript') return lowerJavaScript(path, page.program);
  if (syntax.language === 'javascript') return lowerJavaScript(path, syntax.program);
  if (syntax.language === 'python') return lowerPython(path, text, syntax.tree);
  return undefined;
}

function factsOf({ facts }: Interpreter): Fact[] {
  const all = [...facts.values()].flatMap((known) => [...known.values()]);
  return all.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.at - b.at));
}

/** Characters; shorter code has no sink. */
const MIN_CODE = 20;
/** Characters of all embedded code of a build. */
const MAX_CODE = 400_000;

/** The modules in the texts of `facts`; the places of their expressions are those of the outer code. */
export function embeddedModules(facts: readonly Fact[]): Module[] {
  const modules: Module[] = [];
  const seen = new Set<string>();
  let size = 0;
  for (const fact of facts) {
    for (const text of codeIn(fact)) {
      if (text.length < MIN_CODE || seen.has(text) || size + text.length > MAX_CODE) continue;
      seen.add(text);
      size += text.length;
      const module = moduleOf(fact, text.replaceAll(UNKNOWN, '0'));
      if (module !== undefined) modules.push(module);
    }
  }
  return modules;
}

function codeIn({ action, operand, args }: Fact): readonly string[] {
  if (action === 'execute') return operand.texts;
  if (action === 'write') return args.flatMap((value) => value.texts).filter(looksLikeCode);
  if (action !== 'spawn') return [];
  return args.flatMap(deepTexts).flatMap((text) => {
    const inline = /\b(?:node|python[\d.]*|py)\s+-[ce]\s+(["'])([\s\S]{20,})\1/.exec(text);
    return inline === null ? (looksLikeCode(text) ? [text] : []) : [inline[2]!];
  });
}

function looksLikeCode(text: string): boolean {
  return (
    text.length >= MIN_CODE && /\b(?:import|require|eval|exec|fetch|urlopen|Function)\b/.test(text)
  );
}

function moduleOf({ path, at, end }: Fact, text: string): Module | undefined {
  const isPython =
    /^[^\S\n]*(?:import\s+\w|from\s+[\w.]+\s+import\b|exec\(|def )/m.test(text) &&
    !/\brequire\(|;\s*$|\bfrom\s+['"]/.test(text);
  try {
    if (isPython || path.endsWith('.py')) {
      const { tree, problemAt } = parsePython(text);
      if (problemAt !== undefined && !isPython) return undefined;
      return placed(lowerPython(path, text, tree), at, end);
    }
    const { program, problemAt } = parseJavaScript('embedded.js', text);
    return problemAt === undefined ? placed(lowerJavaScript(path, program), at, end) : undefined;
  } catch (error) {
    if (error instanceof BeyondLimits) return undefined;
    throw error;
  }
}

/** Gives every expression the place of the text that contains the code. */
function placed(module: Module, at: number, end: number): Module {
  const seen = new Set<object>();
  const waiting: unknown[] = [...module.body, ...module.funcs.flatMap((f) => f.body)];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (typeof one !== 'object' || one === null || seen.has(one)) continue;
    seen.add(one);
    if ('op' in one) Object.assign(one, { at, end });
    waiting.push(...Object.values(one));
  }
  return module;
}
