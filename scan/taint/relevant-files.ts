/** Selects the files of a build that the taint analysis reads: reading all would cost more and find no more. */
import { languageOf, withoutComments } from '../parse/syntax.ts';
import { wordPattern } from '../parse/word-list.ts';
import type { ScannedFile } from '../scanned-file.ts';

/** Modules whose members are sources or sinks. */
const JAVASCRIPT_MODULES = wordPattern(
  [
    { why: 'network of the platform', words: [/https?/, 'http2', 'net', 'tls', 'dgram', 'dns'] },
    { why: 'files and the system', words: ['fs', 'os', 'vm', 'zlib', 'fs-extra', 'graceful-fs'] },
    {
      why: 'HTTP clients',
      words: ['axios', 'got', 'request', 'request-promise', 'needle', 'bent'],
    },
    { why: 'HTTP clients', words: ['superagent', 'undici', 'phin', 'ky', 'ofetch'] },
    { why: 'versions of fetch', words: ['node-fetch', 'cross-fetch', 'isomorphic-fetch'] },
    { why: 'HTTP clients of the platform that redirect', words: ['follow-redirects'] },
    { why: 'sockets and mail', words: ['ws', 'nodemailer'] },
    { why: 'processes', words: ['execa', 'cross-spawn', 'shelljs'] },
    { why: 'data of the user', words: ['keytar', 'clipboardy', 'screenshot-desktop'] },
    { why: 'deletion', words: ['rimraf'] },
  ],
  { before: /['"`](?:node:)?/, after: /['"`/]/ },
);

/** Members of `process` that are neither sources nor sinks. */
const HARMLESS_PROCESS = wordPattern(
  [
    { why: 'terminal', words: ['nextTick', 'stdout', 'stderr', 'stdin'] },
    { why: 'program', words: ['argv', 'exit', /on\b/, 'emitWarning', 'release'] },
    { why: 'machine', words: ['platform', /versions?/, 'arch'] },
    { why: 'measurement', words: ['hrtime', 'uptime', 'memoryUsage'] },
  ],
  { before: /\./ },
);

/** JavaScript without any of these has no source, no sink, and no data to pass on. */
const JAVASCRIPT_WORDS = wordPattern([
  { why: 'modules', words: ['child_process', JAVASCRIPT_MODULES] },
  { why: 'the environment', words: [new RegExp(`\\bprocess\\b(?!${HARMLESS_PROCESS.source})`)] },
  { why: 'run code', words: [/\beval\b/, /\bFunction\s{0,9}\(/, 'importScripts'] },
  {
    why: 'network of browsers',
    words: [/\bfetch\b/, 'XMLHttpRequest', 'WebSocket', 'EventSource'],
  },
  { why: 'network of browsers', words: ['sendBeacon', /\.ajax\b/] },
  { why: 'other platforms', words: [/\bDeno\./, /\bBun\./, 'WScript', 'ActiveXObject'] },
  { why: 'decode texts', words: [/\batob\b/, 'fromCharCode', /(?:\\x[2-7][0-9a-f]){4}/] },
  { why: 'data of the user', words: ['clipboard', 'document.cookie'] },
  {
    why: 'modules with computed names',
    words: [/\b(?:require|import)\s{0,9}\(\s{0,9}(?:[^'"`\s)]|['"`]data:)/],
  },
  {
    why: 'globals with computed names',
    words: [
      /\bglobalThis\b/,
      /=\s{0,9}(?:global|window|self)\b/,
      /\b(?:global|window|self)\s{0,9}\[/,
    ],
  },
  {
    why: 'Function through a constructor',
    words: [/constructor\s{0,9}(?:\[|\()/, /\[\s{0,9}['"]constructor/],
  },
]);

/** Python names that are sources or sinks, or lead to them. */
const PYTHON_NAMES = wordPattern(
  [
    { why: 'run code', words: ['exec', 'eval', 'compile', 'execfile', 'runpy', 'ctypes', 'pty'] },
    { why: 'load data that may run code', words: ['pickle', 'marshal', 'importlib'] },
    { why: 'the system', words: ['os', 'sys', 'subprocess', 'environ', 'shutil'] },
    { why: 'files', words: ['pathlib', 'open'] },
    { why: 'network', words: ['socket', 'requests', /urllib\w{0,2}/, 'httpx', 'aiohttp', 'http'] },
    { why: 'network', words: ['smtplib', 'ftplib', 'paramiko', /websocket\w{0,2}/] },
    { why: 'messengers', words: [/discord\w{0,12}/, 'dhooks', 'telebot'] },
    {
      why: 'data of the user',
      words: ['pynput', 'keyboard', 'pyperclip', 'ImageGrab', 'pyautogui'],
    },
    { why: 'data of browsers', words: ['browser_cookie3', 'win32crypt'] },
    { why: 'decode texts', words: ['base64', 'codecs'] },
    { why: 'names by text', words: ['builtins', 'globals', 'getattr'] },
  ],
  { before: /\b/, after: /\b/ },
);

/** Python without any of these has no source, no sink, and no data to pass on. */
const PYTHON_WORDS = wordPattern([
  { why: 'sources and sinks', words: [PYTHON_NAMES] },
  { why: 'builtins by name', words: ['__import__', '__builtins__'] },
]);

/** In characters, of a build that is read with all files that import other files of it; in a larger one, of such files. */
const SMALL_BUILD = 200_000;
const RELATIVE_IMPORT =
  /^[ \t]{0,40}from[ \t]{1,9}\.|\bfrom\s{0,9}['"]\.|\b(?:require|import)\s{0,9}\(\s{0,9}['"]\./m;

/** An address as a text. */
const ADDRESS = /['"`](?:https?|wss?|ftp):\/\//;
/** A relative import: in JavaScript its address; in Python the module, and the names. */
const IMPORTED =
  /\b(?:from|import|require)\s{0,9}\(?\s{0,9}['"](\.[^'"\n]{1,300})['"]|^[ \t]{0,40}from[ \t]{1,9}(\.[\w.]{0,300}[ \t]{1,9}import[ \t(]{1,9}[^\n]{0,300})/gm;

/**
 * The files with a source or sink, and those that may pass constants to them: in small builds all that import or are imported, in larger
 * ones those that hold an address and import one of these files.
 */
export function relevantFiles(files: readonly ScannedFile[]): ScannedFile[] {
  const code = files.filter(({ path, text }) => languageOf(path, text) !== undefined);
  const relevant = code.filter(isRelevant);
  if (relevant.length === 0 || relevant.length === code.length) return relevant;
  const chosen = new Set(relevant);
  if (sizeOf(code) <= SMALL_BUILD) {
    // What imports, and what holds the constants of others.
    const imported = new Set(code.flatMap(importsOf));
    for (const file of code)
      if (RELATIVE_IMPORT.test(file.text ?? '') || imported.has(moduleName(file.path)))
        chosen.add(file);
  } else {
    const names = new Set(relevant.map(({ path }) => moduleName(path)));
    let left = SMALL_BUILD;
    for (const file of code.filter(holdsAddress)) {
      if (chosen.has(file) || !importsOf(file).some((name) => names.has(name))) continue;
      const size = codeLength(file);
      if (size > left) continue;
      chosen.add(file);
      left -= size;
    }
  }
  return code.filter((file) => chosen.has(file));
}

function holdsAddress({ text = '' }: ScannedFile): boolean {
  return text.includes('://') && ADDRESS.test(text);
}

/** Of a long text, without comments and blanks. */
function codeLength({ path, text = '' }: ScannedFile): number {
  if (text.length < SMALL_BUILD / 4) return text.length;
  return withoutComments(path, text).replaceAll(/\s(?=\s)/g, '').length;
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
export function matters(language: 'javascript' | 'python', text: string): boolean {
  return (language === 'python' ? PYTHON_WORDS : JAVASCRIPT_WORDS).test(text);
}

function isRelevant({ path, text }: ScannedFile): boolean {
  return text !== undefined && matters(languageOf(path, text) ?? 'javascript', text);
}
