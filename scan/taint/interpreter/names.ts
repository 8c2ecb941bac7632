/** Names of platform and package APIs as values. */
import type { SourceName } from '../api.ts';
import type { Expr, Module } from '../ir.ts';
import { JAVASCRIPT_SOURCES } from '../javascript/apis.ts';
import { canonicalJavaScript } from '../javascript/canonical-name.ts';
import { PYTHON_BUILTINS, PYTHON_SOURCES } from '../python/apis.ts';
import { canonicalPython } from '../python/canonical-name.ts';
import { NOTHING, UNKNOWN, join, labelled, nameValue, type Value } from '../value.ts';

/** The object that holds all globals. */
const GLOBALS = '$globals';
const GLOBAL_OBJECTS = new Set(['globalThis', 'window', 'global', 'self', 'top', 'frames']);
const MAX_NAME = 120;

/** The value of a name that the code does not declare. */
export function globalValue(module: Module, { name, at }: Extract<Expr, { op: 'global' }>): Value {
  if (module.language === 'python') {
    if (name === '__builtins__') return nameValue('builtins');
  } else if (GLOBAL_OBJECTS.has(name)) return nameValue(GLOBALS);
  return apiValue(module, qualified(module, name), at);
}

/** The member `key` of the API `name`; with an empty name the module `key`. */
export function memberOfApi(module: Module, name: string, key: string): Value {
  if (key === '' || key.includes(UNKNOWN) || name.length + key.length > MAX_NAME) return NOTHING;
  if (name !== GLOBALS) return apiValue(module, name === '' ? key : `${name}.${key}`, 0);
  if (GLOBAL_OBJECTS.has(key)) return nameValue(GLOBALS);
  return apiValue(module, qualified(module, key), 0);
}

function qualified({ language }: Module, name: string): string {
  return language === 'python' && PYTHON_BUILTINS.has(name) ? `builtins.${name}` : name;
}

interface KnownName {
  readonly value: Value;
  readonly source: SourceName | undefined;
}

const MAX_KNOWN = 20_000;
const KNOWN = { javascript: new Map<string, KnownName>(), python: new Map<string, KnownName>() };

function apiValue({ language, path }: Module, name: string, at: number): Value {
  const known = KNOWN[language];
  let one = known.get(name);
  if (one === undefined) {
    const isPython = language === 'python';
    const canonical = isPython ? canonicalPython(name) : canonicalJavaScript(name);
    const source = (isPython ? PYTHON_SOURCES : JAVASCRIPT_SOURCES).get(canonical);
    one = { value: nameValue(canonical), source };
    if (known.size > MAX_KNOWN) known.clear();
    known.set(name, one);
  }
  if (one.source === undefined) return one.value;
  const [label, what] = one.source;
  return join(one.value, labelled({ path, at, label, what }));
}
