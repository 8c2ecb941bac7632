/** What the code of a build does: every file that could matter is read, and what flows between them followed. */
import { posix } from 'node:path';
import type { ScannedFile } from '../../scanned-file.ts';
import type { Module } from '../ir.ts';
import { newSlot } from '../value.ts';
import { embeddedModules } from './embedded.ts';
import { Interpreter } from '../interpreter/interpreter.ts';
import type { Fact, TaintResult } from '../fact.ts';
import { lowerJavaScript } from '../javascript/lower.ts';
import { lowerPython } from '../python/lower.ts';
import { languageOf } from '../../parse/syntax.ts';
import { NOTHING, join } from '../value.ts';
import type { Value } from '../value.ts';

/** Code with none of these words does nothing that checks ask about, and knows nothing to pass on. */
const JAVASCRIPT_WORDS =
  /child_process|\bprocess\b(?!\.(?:nextTick|stdout|stderr|stdin|argv|exit|platform|versions?|hrtime|emitWarning|on\b|uptime|memoryUsage|release|arch))|\beval\b|\bFunction\s{0,9}\(|\bfetch\b|XMLHttpRequest|WebSocket|EventSource|sendBeacon|['"`](?:node:)?(?:https?|http2|net|tls|dgram|dns|fs|os|vm|zlib|fs-extra|graceful-fs|axios|got|request|request-promise|superagent|needle|undici|node-fetch|cross-fetch|isomorphic-fetch|ws|execa|cross-spawn|shelljs|keytar|clipboardy|screenshot-desktop|nodemailer|follow-redirects|phin|bent|ky|ofetch|rimraf)['"`/]|\.ajax\b|\bDeno\.|\bBun\.|\batob\b|fromCharCode|clipboard|document\.cookie|WScript|ActiveXObject|importScripts|(?:\\x[2-7][0-9a-f]){4}|\b(?:require|import)\s{0,9}\(\s{0,9}(?:[^'"`\s)]|['"`]data:)|\bglobalThis\b|=\s{0,9}(?:global|window|self)\b|\b(?:global|window|self)\s{0,9}\[|constructor\s{0,9}(?:\[|\()|\[\s{0,9}['"]constructor/;
const PYTHON_WORDS =
  /\b(?:exec|eval|compile|execfile|os|subprocess|socket|requests|urllib\w{0,2}|httpx|aiohttp|http|environ|ctypes|pickle|marshal|importlib|shutil|pathlib|open|base64|smtplib|ftplib|pynput|keyboard|pyperclip|ImageGrab|pyautogui|paramiko|websocket\w{0,2}|discord\w{0,12}|dhooks|telebot|browser_cookie3|win32crypt|runpy|codecs|pty|sys|builtins|globals|getattr)\b|__import__|__builtins__/;
/** A file with more code, or the files of a build with more in all, are read as bundles are. */
const LARGE_FILE = 100_000;
const LARGE_BUILD = 1_000_000;

const SMALL_BUILD = 200_000;
const RELATIVE_IMPORT =
  /^[ \t]{0,40}from[ \t]{1,9}\.|\bfrom\s{0,9}['"]\.|\b(?:require|import)\s{0,9}\(\s{0,9}['"]\./m;

export function analyseTaint(files: readonly ScannedFile[]): TaintResult {
  const unread: string[] = [];
  const modules = new Map<string, Module>();
  const relevant = relevantFiles(files);
  const total = sizeOf(relevant);
  for (const file of relevant) {
    const { syntax, text = '' } = file;
    const isLarge = text.length > LARGE_FILE || total > LARGE_BUILD;
    try {
      if (syntax.language === 'javascript') {
        modules.set(file.path, lowerJavaScript(file.path, syntax.program, isLarge));
      } else if (syntax.language === 'python') {
        modules.set(file.path, lowerPython(file.path, text, syntax.tree, isLarge));
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
  if (!interpreter.isComplete) unread.push(...modules.keys());
  return { facts: factsOf(interpreter), texts: interpreter.texts, unread };
}

/** In small builds also what hands its constants to files that matter. */
function relevantFiles(files: readonly ScannedFile[]): ScannedFile[] {
  const code = files.filter(({ path, text }) => languageOf(path, text) !== undefined);
  const relevant = code.filter(isRelevant);
  if (relevant.length === 0 || relevant.length === code.length) return relevant;
  return sizeOf(code) > SMALL_BUILD
    ? relevant
    : code.filter((file) => isRelevant(file) || RELATIVE_IMPORT.test(file.text ?? ''));
}

function sizeOf(files: readonly ScannedFile[]): number {
  return files.reduce((sum, { text = '' }) => sum + text.length, 0);
}

function isRelevant({ path, text }: ScannedFile): boolean {
  if (text === undefined) return false;
  return (languageOf(path, text) === 'python' ? PYTHON_WORDS : JAVASCRIPT_WORDS).test(text);
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
  return known === undefined ? exports : join(exports, { ...NOTHING, funcs: known.funcs });
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
