/** The canonical names of JavaScript APIs: the tables have one name for each API, code has many. */

const RENAMED: readonly (readonly [RegExp, string])[] = [
  [/^node:/, ''],
  [/\.default(?=\.|$)/g, ''],
  [
    /^(?:fs\/promises|fs\.promises|fs-extra|graceful-fs|fs-extra-promise|original-fs)(?=\.|$)/,
    'fs',
  ],
  [/^dns(?:\/|\.)promises(?=\.|$)/, 'dns'],
  [/^(?:https|http|follow-redirects\.https?)(?=\.|$)/, 'http'],
  [/^(?:cross-spawn(?:\.sync|\.spawn)?|spawn-command)$/, 'child_process.spawn'],
  [
    /^(?:execa(?:\.command|\.commandSync|\.sync|\.execa|\.execaSync|\.\$)?|shelljs\.exec|zx\.\$|shell-exec|exec-sh)$/,
    'child_process.exec',
  ],
  [
    /^(?:node-fetch|cross-fetch|isomorphic-fetch|unfetch|undici\.fetch|whatwg-fetch|make-fetch-happen|minipass-fetch|fetch-h2\.fetch|electron-fetch)(?:\.fetch)?$/,
    'fetch',
  ],
  [
    /^(?:request-promise|request-promise-native|sync-request|then-request|teeny-request|@cypress\/request|urllib\.request|httpie|simple-get|sync-fetch)(?=\.|$)/,
    'request',
  ],
  [/^axios\.(?:axios|Axios)(?=\.|$)/, 'axios'],
  [/^(?:vm2)\.(?:VM|NodeVM)$/, 'vm.Script'],
  [
    /^process\.mainModule\.require$|^module\.require$|^module\.constructor\._load$|^require\.main\.require$|^module\._load$/,
    'require',
  ],
  [/^require\.cache(?=\.|$)/, '$cache'],
  [/^(?:jquery)(?=\.|$)/i, '$'],
  [/^(?:globalThis|window|global|self|top|frames|parent|root)\./, ''],
  [
    /^process\.(?:argv|stdin|stdout|stderr|title|version|platform|arch|pid|execPath|exit|on|once|nextTick|hrtime|memoryUsage)\b.*/,
    '$process',
  ],
  [/^(?:Function\.prototype|Object|Array|Reflect)\.constructor$/, 'Function'],
];

/** The name under which the tables list the API `name`. */
export function canonicalJavaScript(name: string): string {
  let canonical = name;
  for (const [pattern, by] of RENAMED) canonical = canonical.replace(pattern, by);
  return canonical;
}
