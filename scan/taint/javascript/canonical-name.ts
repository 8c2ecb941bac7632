/** The canonical names of JavaScript APIs: the tables have one name for each API, code has many. */
import { wordPattern } from '../../parse/word-list.ts';

/** The end of a name or of its first part. */
const END_OF_PART = /(?=\.|$)/;

/** Packages and members with the functions of the module `fs`. */
const FILE_MODULES = wordPattern(
  [
    { why: 'promises', words: ['fs/promises', 'fs.promises', 'fs-extra-promise'] },
    { why: 'more functions', words: ['fs-extra', 'graceful-fs'] },
    { why: 'Electron', words: ['original-fs'] },
  ],
  { before: /^/, after: END_OF_PART },
);

/** Functions that start a command as `child_process.exec` does. */
const COMMAND_RUNNERS = wordPattern(
  [
    { why: 'execa', words: [/execa(?:\.command|\.commandSync|\.sync|\.execa|\.execaSync|\.\$)?/] },
    { why: 'shells', words: ['shelljs.exec', 'zx.$', 'shell-exec', 'exec-sh'] },
  ],
  { before: /^/, after: /$/ },
);

/** Packages whose export is `fetch`. */
const FETCH_PACKAGES = wordPattern(
  [
    { why: 'for Node.js', words: ['node-fetch', 'undici.fetch', 'fetch-h2.fetch'] },
    { why: 'for every platform', words: ['cross-fetch', 'isomorphic-fetch', 'unfetch'] },
    { why: 'for browsers and Electron', words: ['whatwg-fetch', 'electron-fetch'] },
    { why: 'of npm', words: ['make-fetch-happen', 'minipass-fetch'] },
  ],
  { before: /^/, after: /(?:\.fetch)?$/ },
);

/** Packages with the functions of the package `request`. */
const REQUEST_PACKAGES = wordPattern(
  [
    { why: 'promises', words: ['request-promise', 'request-promise-native', 'then-request'] },
    { why: 'synchronous', words: ['sync-request', 'sync-fetch'] },
    { why: 'forks', words: ['@cypress/request', 'teeny-request'] },
    { why: 'similar clients', words: ['urllib.request', 'httpie', 'simple-get'] },
  ],
  { before: /^/, after: END_OF_PART },
);

/** Functions that load modules as `require` does. */
const LOADERS = wordPattern(
  [
    { why: 'of a module', words: ['module.require', 'process.mainModule.require'] },
    { why: 'of the loader', words: ['module._load', 'module.constructor._load'] },
    { why: 'of the main module', words: ['require.main.require'] },
  ],
  { before: /^/, after: /$/ },
);

/** Members of `process` that are neither sources nor sinks. */
const HARMLESS_PROCESS = wordPattern(
  [
    { why: 'terminal', words: ['stdin', 'stdout', 'stderr', 'title'] },
    { why: 'program', words: ['argv', 'pid', 'execPath', 'exit', 'on', 'once', 'nextTick'] },
    { why: 'machine', words: ['version', 'platform', 'arch'] },
    { why: 'measurement', words: ['hrtime', 'memoryUsage'] },
  ],
  { before: /^process\./, after: /\b.*/ },
);

/** Each pattern with its replacement, applied in order. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
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
  [LOADERS, 'require'],
  [/^require\.cache(?=\.|$)/, '$cache'],
  [/^(?:jquery)(?=\.|$)/i, '$'],
  [/^(?:globalThis|window|global|self|top|frames|parent|root)\./, ''],
  [HARMLESS_PROCESS, '$process'],
  [/^(?:Function\.prototype|Object|Array|Reflect)\.constructor$/, 'Function'],
];

/** The name under which the tables list the API `name`. */
export function canonicalJavaScript(name: string): string {
  let canonical = name;
  for (const [pattern, by] of REPLACEMENTS) canonical = canonical.replace(pattern, by);
  return canonical;
}
