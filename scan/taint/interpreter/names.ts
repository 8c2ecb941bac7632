/** Names of platform and package APIs as values. */
import type { SourceName } from '../api.ts';
import type { Expr, Module } from '../ir.ts';
import { JAVASCRIPT_SOURCES } from '../javascript/apis.ts';
import { PYTHON_BUILTINS, PYTHON_SOURCES } from '../python/apis.ts';
import { NOTHING, UNKNOWN, join, labelled, nameValue, type Value } from '../value.ts';
import { wordPattern, wordsOf } from '../../parse/word-list.ts';

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

/** Each pattern with its replacement, applied in order. */
const PYTHON_REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:__builtin__|__builtins__|builtins\.__builtins__|builtins\.builtins)(?=\.|$)/, 'builtins'],
  [/^builtins\.(?=(?:os|subprocess|sys|base64|zlib|requests|socket|urllib|marshal)\b)/, ''],
  [/^Crypto\.Cipher\.(\w+)\.AES/, 'Crypto.Cipher.$1.AES'],
  [/^fernet\.Fernet$/, 'cryptography.fernet.Fernet'],
  [/^(?:urllib\.request|requests)\.(?:requests|request)\.(?=urlopen)/, 'urllib.request.'],
  [/^requests\.(?:api|sessions)\./, 'requests.'],
  [/^shutil\._?shutil\./, 'shutil.'],
];

/** The name under which the tables list the API `name`. */
export function canonicalPython(name: string): string {
  return PYTHON_REPLACEMENTS.reduce((sum, [pattern, by]) => sum.replace(pattern, by), name);
}

/** Packages and members with the functions of the module `fs`. */
const FILE_MODULES = wordPattern(/^WORDS(?=\.|$)/, {
  'with promises, and more functions': wordsOf([
    'fs/promises fs.promises fs-extra-promise fs-extra graceful-fs original-fs',
  ]),
});

/** Functions that start a command as `child_process.exec` does. */
const COMMAND_RUNNERS = wordPattern(/^WORDS$/, {
  // The name of the package alone is replaced before its member is read.
  execa: [/(?:execa|child_process\.exec)(?:\.(?:execa\w*|command\w*|sync|\$))?/],
  shells: ['shelljs.exec', 'zx.$', 'shell-exec', 'exec-sh'],
});

/** Packages whose export is `fetch`. */
const FETCH_PACKAGES = wordPattern(/^(?:fetch|WORDS)(?:\.fetch)?$/, {
  'for every platform': wordsOf([
    'node-fetch undici.fetch fetch-h2.fetch cross-fetch isomorphic-fetch unfetch whatwg-fetch',
    'electron-fetch make-fetch-happen minipass-fetch',
  ]),
});

/** Packages with the functions of the package `request`. */
const REQUEST_PACKAGES = wordPattern(/^WORDS(?=\.|$)/, {
  'forks of it, and similar clients': wordsOf([
    'request-promise request-promise-native then-request sync-request sync-fetch',
    '@cypress/request teeny-request urllib.request httpie simple-get',
  ]),
});

/** Modules, whose members lead to other modules. */
const MODULES =
  /^(?:process\.mainModule|require\.main|module)(?:\.(?:Module|constructor|parent))*(?=\.|$)/;
/** Functions that load modules as `require` does. */
const LOADERS =
  /^(?:(?:\$?module|\$constructor)\.(?:require|_load)|process\.(?:getBuiltinModule|(?:_linkedB|b)inding)|import\.meta\.require)$/;

/** Members of `process` that are neither sources nor sinks. */
const HARMLESS_PROCESS =
  /^process\.(?:std(?:in|out|err)|title|argv|pid|execPath|exit|on|once|nextTick|version|platform|arch|hrtime|memoryUsage)\b.*/;

/** Each pattern with its replacement, applied in order. */
const JAVASCRIPT_REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/^node:/, ''],
  [/\.default(?=\.|$)/g, ''],
  [FILE_MODULES, 'fs'],
  [/^dns(?:\/|\.)promises(?=\.|$)/, 'dns'],
  [/^(?:https|http|follow-redirects\.https?)(?=\.|$)/, 'http'],
  [/^(?:cross-spawn(?:\.sync|\.spawn)?|spawn-command)$/, 'child_process.spawn'],
  [COMMAND_RUNNERS, 'child_process.exec'],
  [FETCH_PACKAGES, 'fetch'],
  [REQUEST_PACKAGES, 'request'],
  [/^axios\.(?:axios|Axios)(?=\.|$)/, 'axios'],
  [/^(?:vm2)\.(?:VM|NodeVM)$/, 'vm.Script'],
  [MODULES, 'module'],
  [LOADERS, 'require'],
  [/^require\.cache(?=\.|$)/, '$cache'],
  [/^(?:jquery)(?=\.|$)/i, '$'],
  [/^browser\.(?=(?:cookies|runtime|tabs)\.)/, 'chrome.'],
  [/^(?:globalThis|window|global|self|top|frames|parent|root)\./, ''],
  [HARMLESS_PROCESS, '$process'],
  // Of `process.stdout`
  [/^\$process\.write$/, 'console.log'],
  [/^(?:Function\.prototype|Object|Array|Reflect)\.constructor$/, 'Function'],
];

/** The name under which the tables list the API `name`. */
export function canonicalJavaScript(name: string): string {
  return JAVASCRIPT_REPLACEMENTS.reduce((sum, [pattern, by]) => sum.replace(pattern, by), name);
}
