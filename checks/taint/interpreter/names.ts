/** What a name of the platform or of a package denotes. */
import { JAVASCRIPT_SOURCES, canonicalJavaScript } from '../javascript/apis.ts';
import { PYTHON_BUILTINS, PYTHON_SOURCES, canonicalPython } from '../python/apis.ts';
import type { Expr, Module } from '../ir.ts';
import { UNKNOWN, NOTHING, labelled, nameValue, joined } from '../value.ts';
import type { Value } from '../value.ts';

/** The object of all globals. */
const GLOBALS = '$globals';
const GLOBAL_OBJECTS = new Set(['globalThis', 'window', 'global', 'self', 'top', 'frames']);
const MAX_NAME = 120;

/** A name that the code does not declare. */
export function namesOfGlobal(
  module: Module,
  { name, at }: Extract<Expr, { op: 'global' }>,
): Value {
  if (module.language === 'python') {
    const isBuiltin = PYTHON_BUILTINS.has(name);
    if (name === '__builtins__') return nameValue('builtins');
    return named(module, isBuiltin ? `builtins.${name}` : name, at);
  }
  if (GLOBAL_OBJECTS.has(name)) return nameValue(GLOBALS);
  return named(module, name, at);
}

/** The member `key` of what is called `name`; with an empty name the module `key`. */
export function namesMember(module: Module, name: string, key: string): Value {
  if (key === '' || key.includes(UNKNOWN) || name.length + key.length > MAX_NAME) return NOTHING;
  if (name === GLOBALS) {
    if (GLOBAL_OBJECTS.has(key)) return nameValue(GLOBALS);
    return named(
      module,
      module.language === 'python' && PYTHON_BUILTINS.has(key) ? `builtins.${key}` : key,
      0,
    );
  }
  return named(module, name === '' ? key : `${name}.${key}`, 0);
}

function named(module: Module, name: string, at: number): Value {
  const isPython = module.language === 'python';
  const known = KNOWN[module.language];
  let one = known.get(name);
  if (one === undefined) {
    const canonical = isPython ? canonicalPython(name) : canonicalJavaScript(name);
    const source = (isPython ? PYTHON_SOURCES : JAVASCRIPT_SOURCES).get(canonical);
    one = { value: nameValue(canonical), source };
    if (known.size > MAX_KNOWN) known.clear();
    known.set(name, one);
  }
  if (one.source === undefined) return one.value;
  const [label, what] = one.source;
  return joined(one.value, labelled({ path: module.path, at, label, what }));
}

interface KnownName {
  readonly value: Value;
  readonly source: readonly [number, string] | undefined;
}

const MAX_KNOWN = 20_000;
const KNOWN = { javascript: new Map<string, KnownName>(), python: new Map<string, KnownName>() };
