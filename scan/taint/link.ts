/** Resolves the imports between the files of a build. */
import { posix } from 'node:path';
import type { Module } from './ir.ts';
import { NOTHING, join, type Value } from './value.ts';

/** Modules of a build by path. */
type Modules = ReadonlyMap<string, Module>;

const EXTENSIONS = ['js', 'ts', 'mjs', 'cjs', 'mts', 'cts', 'tsx', 'jsx'];

/**
 * The exports of the module that `from` imports as `name`; `undefined` for a package.
 *
 * @param level the number of dots of a relative Python import, 0 otherwise
 */
export function linkImport(
  modules: Modules,
  from: Module,
  name: string,
  level: number,
): Value | undefined {
  return from.language === 'python'
    ? linkPython(modules, from, name, level)
    : linkJavaScript(modules, from, name);
}

function linkJavaScript(modules: Modules, from: Module, name: string): Value | undefined {
  if (!/^\.{1,2}(?:\/|$)/.test(name)) return undefined;
  const base = posix.join(posix.dirname(from.path), name);
  const stem = base.replace(/\.(?:[mc]?js|jsx)$/, '');
  const tried = [base, `${base}/index.js`, `${base}/index.ts`];
  for (const extension of EXTENSIONS) tried.push(`${stem}.${extension}`);
  for (const path of tried) {
    const module = modules.get(path);
    if (module !== undefined) return exportsOf(module);
  }
  return NOTHING;
}

/** A module whose default export is a function may be called itself. */
function exportsOf(module: Module): Value {
  const exports = module.exports.value ?? NOTHING;
  const known = exports.objects[0]?.fields.get('default');
  return known === undefined ? exports : join(exports, { ...NOTHING, funcs: known.funcs });
}

function linkPython(
  modules: Modules,
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
  return level === 0 ? undefined : NOTHING;
}
