/** What the code of a build does: every file that could matter is read, and what flows between them followed. */
import { posix } from 'node:path';
import type { CheckedFile } from '../check.ts';
import type { Module } from './code.ts';
import { newSlot } from './code.ts';
import { embeddedModules } from './embedded.ts';
import { Interpreter } from './interpret.ts';
import type { Fact, TellingText } from './interpret.ts';
import { lowerJavaScript } from './lower-javascript.ts';
import { lowerPython } from './lower-python.ts';
import { NOTHING, joined } from './value.ts';
import type { Value } from './value.ts';

export interface Flow {
  readonly facts: readonly Fact[];
  readonly texts: readonly TellingText[];
  /** Files whose code was not followed to the end. */
  readonly unread: readonly string[];
}

/** A file that has none of these words neither does anything that checks ask about nor passes it on. */
const WORDS =
  /child_process|process|require|import|eval|Function|constructor|fetch|XMLHttpRequest|WebSocket|sendBeacon|axios|ajax|Deno|Bun|globalThis|window|global\b|atob|\bexec|clipboard|document\.cookie|WScript|ActiveXObject|__builtins__|getattr|environ|globals/;

export function analyseFlow(files: readonly CheckedFile[]): Flow {
  const unread: string[] = [];
  const modules = new Map<string, Module>();
  for (const file of files) {
    const { syntax, text } = file;
    if (text === undefined || !WORDS.test(text)) continue;
    try {
      if (syntax.language === 'javascript') {
        modules.set(file.path, lowerJavaScript(file.path, syntax.program));
      } else if (syntax.language === 'python') {
        modules.set(file.path, lowerPython(file.path, text, syntax.tree));
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      unread.push(file.path);
    }
  }
  if (modules.size === 0) return { facts: [], texts: [], unread };
  const interpreter = new Interpreter((from, name, level) => linked(modules, from, name, level));
  interpreter.run([...modules.values()]);
  const embedded = embeddedModules(factsOf(interpreter));
  if (embedded.length > 0) interpreter.run(embedded);
  if (!interpreter.isWhole) unread.push(...modules.keys());
  return { facts: factsOf(interpreter), texts: interpreter.texts, unread };
}

function factsOf({ facts }: Interpreter): Fact[] {
  const all = [...facts.values()].flatMap((known) => [...known.values()]);
  return all.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.at - b.at));
}

/** What the module that `name` means from `from` exports, when it is in the build. */
function linked(
  modules: ReadonlyMap<string, Module>,
  from: Module,
  name: string,
  level: number,
): Value | undefined {
  if (from.language === 'python') return linkedPython(modules, from, name, level);
  if (!/^\.{1,2}(?:\/|$)/.test(name)) return undefined;
  const base = posix.join(posix.dirname(from.path), name);
  const stem = base.replace(/\.(?:[mc]?js|jsx)$/, '');
  const tried = [base, `${base}/index.js`, `${base}/index.ts`];
  for (const extension of ['js', 'ts', 'mjs', 'cjs', 'mts', 'cts', 'tsx', 'jsx']) {
    tried.push(`${stem}.${extension}`);
  }
  for (const path of tried) {
    const module = modules.get(path);
    if (module !== undefined) return exportsOf(module);
  }
  return NOTHING;
}

/** A module that is one function is also its own `default`. */
function exportsOf(module: Module): Value {
  const exports = module.exports.value ?? NOTHING;
  const known = exports.objects[0]?.fields.get('default');
  return known === undefined ? exports : joined(exports, { ...NOTHING, funcs: known.funcs });
}

function linkedPython(
  modules: ReadonlyMap<string, Module>,
  from: Module,
  name: string,
  level: number,
): Value | undefined {
  let folder = posix.dirname(from.path);
  for (let up = 1; up < level; up += 1) folder = posix.dirname(folder);
  const relative = name.replaceAll('.', '/');
  const folders = level > 0 ? [folder] : [folder, '.', 'src'];
  for (const one of folders) {
    const base = posix.join(one, relative);
    const module = modules.get(`${base}.py`) ?? modules.get(posix.join(base, '__init__.py'));
    if (module !== undefined) return module.exports.value ?? NOTHING;
  }
  if (level === 0) return undefined;
  // `from . import name`: the names are modules themselves.
  const fields = newSlot();
  fields.value = NOTHING;
  return NOTHING;
}
