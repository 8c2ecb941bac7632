/** Selects the files of a build that the taint analysis reads: reading all would cost more and find no more. */
import { pageScripts } from '../parse/page-scripts.ts';
import { languageOf } from '../parse/syntax.ts';
import { wordPattern, wordsOf } from '../parse/word-list.ts';
import type { ScannedFile } from '../scanned-file.ts';

/** Modules whose members are sources or sinks. */
const JAVASCRIPT_MODULES = wordPattern(/['"`](?:node:)?WORDS['"`/]/, {
  'of the platform': wordsOf(['http https http2 net tls dgram dns fs os vm zlib']),
  'files, deletion, processes': wordsOf([
    'fs-extra graceful-fs rimraf del execa cross-spawn shelljs',
  ]),
  'HTTP clients, sockets and mail': wordsOf([
    'axios got request request-promise needle bent superagent undici phin ky ofetch node-fetch',
    'cross-fetch isomorphic-fetch follow-redirects ws nodemailer',
  ]),
  'data of the user': wordsOf(['keytar clipboardy screenshot-desktop']),
});

/** Members of `process` that are neither sources nor sinks. */
const HARMLESS_PROCESS = wordPattern(/\.WORDS/, {
  terminal: ['nextTick', 'stdout', 'stderr', 'stdin'],
  program: ['argv', 'exit', /on\b/, 'emitWarning', 'release'],
  machine: ['platform', /versions?/, 'arch'],
  measurement: ['hrtime', 'uptime', 'memoryUsage'],
});

/** JavaScript without any of these has no source, no sink, and no data to pass on. */
const JAVASCRIPT_WORDS = wordPattern(/WORDS/, {
  modules: ['child_process', JAVASCRIPT_MODULES],
  'the environment': [new RegExp(`\\bprocess\\b(?!${HARMLESS_PROCESS.source})`)],
  'run code': [/\beval\b/, /\bFunction\s{0,9}\(/, 'importScripts'],
  'network of browsers': [
    /\bfetch\b/,
    ...wordsOf(['XMLHttpRequest WebSocket EventSource sendBeacon']),
    /\.ajax\b|\bnew Image\b|\bsrc\s{0,3}=/,
  ],
  'other platforms': [/\bDeno\./, /\bBun\./, 'WScript', 'ActiveXObject'],
  'decode texts': [/\batob\b/, 'fromCharCode', /(?:\\x[2-7][0-9a-f]){4}/],
  'data of the user': ['clipboard', 'document.cookie'],
  'extensions of browsers': [/\b(?:chrome|browser)\.(?:cookies|runtime|tabs)\b/],
  'modules with computed names': [
    /\b(?:require|import)\s{0,9}\(\s{0,9}(?:[^'"`\s)]|['"`]data:)/,
    /[=(,:[?]\s{0,9}require\b(?!\s{0,9}\()|\brequire\s{0,9}\.(?:call|apply|bind)\b/,
    ...wordsOf(['createRequire _load import.meta.require']),
  ],
  'globals with computed names': [
    /\bglobalThis\b/,
    /=\s{0,9}(?:global|window|self)\b/,
    /\b(?:global|window|self)\s{0,9}\[/,
  ],
  'Function through a constructor': ['constructor'],
  pages: ['<script'],
});

/** Python names that are sources or sinks, or lead to them. */
const PYTHON_NAMES = wordPattern(/\bWORDS\b/, {
  'run code': ['exec', 'eval', 'compile', 'execfile', 'runpy', 'ctypes', 'pty'],
  'load data that may run code': ['pickle', 'marshal', 'importlib'],
  'the system': ['os', 'sys', 'subprocess', 'environ', 'shutil'],
  files: ['pathlib', 'open'],
  network: [
    ...wordsOf(['socket requests httpx aiohttp http smtplib ftplib paramiko']),
    /(?:urllib|websocket)\w{0,2}/,
  ],
  messengers: [/discord\w{0,12}/, 'dhooks', 'telebot'],
  'data of the user': ['pynput', 'keyboard', 'pyperclip', 'ImageGrab', 'pyautogui'],
  'data of browsers': ['browser_cookie3', 'win32crypt'],
  'decode texts': ['base64', 'codecs'],
  'names by text': ['builtins', 'globals', 'getattr'],
});

/** Python without any of these has no source, no sink, and no data to pass on. */
const PYTHON_WORDS = wordPattern(/WORDS/, {
  'sources and sinks': [PYTHON_NAMES],
  'builtins by name': ['__import__', '__builtins__'],
  pages: ['<script'],
});

const RELATIVE_IMPORT =
  /^[ \t]{0,40}from[ \t]{1,9}\.|\bfrom\s{0,9}['"`]\.|\b(?:require|import)\s{0,9}\(\s{0,9}['"`]\./m;

/** A relative import: in JavaScript its address; in Python the module, and the names. */
const IMPORTED =
  /\b(?:from|import|require)\s{0,9}\(?\s{0,9}['"`](\.[^'"`\n]{1,300})['"`]|^[ \t]{0,40}from[ \t]{1,9}(\.[\w.]{0,300}[ \t]{1,9}import[ \t(]{1,9}[^\n]{0,300})/gm;

/** Characters of the files that are analysed. */
export const MAX_ANALYSED = 5_000_000;
/** Characters of those that are only linked to others. */
const MAX_LINKED = 1_000_000;

/**
 * The files with a source or sink, and those that import others of the build or are imported: they may pass constants to them.
 * Of a very large build, the shortest of these.
 */
export function relevantFiles(files: readonly ScannedFile[]): ScannedFile[] {
  const code = files.filter(
    ({ path, text = '' }) => (languageOf(path, text) ?? pageScripts(path, text)) !== undefined,
  );
  const chosen = new Set(code.filter(isRelevant));
  if (chosen.size === 0 || chosen.size === code.length) return [...chosen];
  const imported = new Set(code.flatMap(importsOf));
  const linked = code.filter(
    (file) =>
      !chosen.has(file) &&
      (RELATIVE_IMPORT.test(file.text ?? '') || imported.has(moduleName(file.path))),
  );
  let left = Math.min(MAX_LINKED, MAX_ANALYSED - sizeOf([...chosen]));
  for (const file of linked.toSorted((a, b) => sizeOf([a]) - sizeOf([b]))) {
    left -= sizeOf([file]);
    if (left < 0) break;
    chosen.add(file);
  }
  return code.filter((file) => chosen.has(file));
}

/** What imports end with: the name of the file, or of the folder that it stands for. */
function moduleName(path: string): string {
  return (
    path
      .replace(/\.\w+$/, '')
      .replace(/\/(?:index|__init__)$/, '')
      .split('/')
      .at(-1) ?? ''
  );
}

function importsOf({ text = '' }: ScannedFile): string[] {
  return Array.from(text.matchAll(IMPORTED)).flatMap(([, address, module = '']) =>
    address === undefined ? (module.match(/\w+/g) ?? []) : [moduleName(address)],
  );
}

/** The number of characters of all `files`. */
export function sizeOf(files: readonly ScannedFile[]): number {
  return files.reduce((sum, { text = '' }) => sum + text.length, 0);
}

/** Whether code may hold a source or a sink. */
function isRelevant({ path, text }: ScannedFile): boolean {
  if (text === undefined) return false;
  return (languageOf(path, text) === 'python' ? PYTHON_WORDS : JAVASCRIPT_WORDS).test(text);
}
