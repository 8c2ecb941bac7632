/** Which program a command runs, after `sudo`, `env`, `then` and the like, and its kind. */
import { wordPattern, wordsOf } from '../parse/word-list.ts';
import { isMediaPath } from '../text/file-kind.ts';
import type { Word, ShellCommand } from './parsed-shell.ts';

export interface Program {
  /** Base name in lower case, without `.exe`. */
  readonly name: string;
  readonly args: readonly Word[];
  /** Those of `args`. */
  readonly texts: readonly string[];
}

const KEYWORDS = new Set(wordsOf(['then do else elif if while until ! { time in fi done']));
/** Programs that run the one after them. */
const RUNNERS = new Set(
  wordsOf([
    'sudo doas env exec command builtin nohup nice ionice setsid stdbuf busybox timeout',
    'xargs winpty start cross-env call chroot unbuffer proxychains',
  ]),
);
const TAKES_VALUE = new Set(['-u', '--user', '-g', '-n', '-i', '-I', '-L', '-P', '-s', '-k', '-C']);

const FETCHERS = new Set(
  wordsOf([
    'curl wget wget2 fetch http https xh aria2c lynx lwp-download iwr irm invoke-webrequest',
    'invoke-restmethod ftp tftp curlie',
  ]),
);
const SHELLS = new Set(
  wordsOf(['sh bash zsh dash ksh ash fish csh tcsh mksh rbash pwsh powershell cmd']),
);
const INTERPRETERS = wordPattern(/^WORDS$/, {
  JavaScript: ['node', 'nodejs', 'bun', 'deno', 'tsx', 'ts-node', 'osascript'],
  Python: [/python[\d.]*/, /pypy3?/],
  'other languages': [/perl[\d.]*/, /ruby[\d.]*/, /php[\d.]*/, /lua[\d.]*/, 'tclsh'],
  PowerShell: ['iex', 'invoke-expression'],
});
const DECODERS = new Set(
  wordsOf([
    'base64 base32 gbase64 xxd openssl uudecode rev gunzip zcat gzip bunzip2 xz tr printf',
    'hexdump od',
  ]),
);

/** What they print of a picture is what somebody has hidden in it. */
const COPIES = /^(?:tail|head|dd|sed|g?awk|cut|cat|strings|grep|exiftool|steghide)$/;

/** The program that `command` runs; `undefined` for assignments alone and groups. */
export function programOf(command: ShellCommand): Program | undefined {
  const words = command.words;
  let at = 0;
  let runner = '';
  while (at < words.length) {
    const text = words[at]!.text;
    const name = baseName(text);
    if (KEYWORDS.has(text) || /^[A-Za-z_]\w*\+?=/.test(text)) at += 1;
    else if (runner !== '' && text.startsWith('-') && text.length > 1)
      at += TAKES_VALUE.has(text) ? 2 : 1;
    else if (runner === 'timeout' && /^\d+(?:\.\d+)?[smhd]?$/.test(text)) at += 1;
    else if (RUNNERS.has(name) && words.length > at + 1) {
      runner = name;
      at += 1;
    } else if (name === '' && words[at]!.scripts.length === 0) at += 1;
    else {
      const args = words.slice(at + 1);
      return { name, args, texts: args.map((word) => word.text) };
    }
  }
  return undefined;
}

export function isFetcher(name: string): boolean {
  return FETCHERS.has(name);
}

export function isShell(name: string): boolean {
  return SHELLS.has(name);
}

/** Runs what it reads: a shell or another interpreter. */
export function isInterpreter(name: string): boolean {
  return SHELLS.has(name) || INTERPRETERS.test(name);
}

/** Turns disguised text into text again. */
export function isDecoder({ name, texts }: Program): boolean {
  if (COPIES.test(name) && texts.some((t) => isMediaPath(t))) return true;
  if (!DECODERS.has(name)) return false;
  if (name === 'base64' || name === 'gbase64' || name === 'base32')
    return texts.some((t) => /^-(?:-decode|[a-z]*d[a-z]*|D)$/i.test(t));
  if (name === 'xxd') return texts.some((t) => t.startsWith('-r'));
  if (name === 'openssl') return texts.includes('-d') || texts.includes('-decode');
  if (name === 'printf') return texts.some((t) => /\\x[0-9a-f]{2}|\\[0-7]{3}/i.test(t));
  if (name === 'tr') return texts.some((t) => /a-z|A-Z/.test(t));
  return true;
}

/** The code that an interpreter gets on its command line: `node -e CODE`, `python -c CODE`. */
export function inlineCode({ name, args, texts }: Program): Word | undefined {
  if (!isInterpreter(name) || isShell(name)) return undefined;
  if (name === 'deno' && texts[0] === 'eval') return args[1];
  return wordAfter(/^-{1,2}(?:[a-z]*[ecrp]|eval|print|execute)$/i, args);
}

/** The shell text that a command hands to a shell: `sh -c TEXT`, `eval TEXT`. */
export function shellText({ name, args }: Program): Word | undefined {
  if (name === 'eval') return args[0];
  return isShell(name) ? wordAfter(/^(?:-[a-z]*c|\/c|-command)$/i, args) : undefined;
}

function wordAfter(option: RegExp, args: readonly Word[]): Word | undefined {
  const at = args.findIndex(({ text }) => option.test(text));
  return at === -1 ? undefined : args[at + 1];
}

function baseName(text: string): string {
  const name = text
    .slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1)
    .toLowerCase();
  return name.replace(/\.exe$/, '').replace(/^@/, '');
}
