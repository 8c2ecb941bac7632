/** The dangers of batch and PowerShell text. Both ignore case, `^` and backticks within words. */
import { wordPattern, wordsOf } from '../parse/word-list.ts';
import type { Danger, DangerKind } from './shell-danger.ts';

const FETCHES = wordPattern(/\bWORDS\b/, {
  'classes and methods of .NET': wordsOf([
    'downloadstring downloadfile downloaddata net.webclient',
  ]),
  'commands of PowerShell and their short names': wordsOf([
    'invoke-webrequest invoke-restmethod start-bitstransfer iwr irm',
  ]),
});
const RUNS =
  /\b(?:iex|invoke-expression|scriptblock\]?::create|start-process|invoke-item|reflection\.assembly)\b|&\s?\$/;
/** A file that arrives is started: `start` alone proves little. */
const STARTS =
  /\b(?:downloadfile|start-bitstransfer|invoke-webrequest|iwr)\b[^\n]{0,600}(?:[;&|]\s{0,9}start )/;
const ENCODED =
  /\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,300}?\s-e(?:c|nc|nco|ncod|ncode|ncoded|ncodedcommand)?\s+["']?[a-z0-9+/=\0]{16}/;
/** Programs of the system that fetch and run. */
const CARRIERS: readonly (readonly [RegExp, DangerKind])[] = [
  [/\bmshta(?:\.exe)?\s+["']?(?:https?:|javascript:|vbscript:)/, 'fetch-run'],
  [/\bregsvr32(?:\.exe)?\b[^\n]{0,200}\/i:["']?https?:/, 'fetch-run'],
  [
    // The handler of addresses opens a page in the browser.
    /\brundll32(?:\.exe)?\s+["']?(?:javascript:|(?:(?!fileprotocolhandler)[^\n]){0,100}https?:|[^\n]{0,100}https?:\S{1,300}\.(?:hta|js|vbs|wsf|exe|dll|scr)\b)/,
    'fetch-run',
  ],
  [/\bmsiexec(?:\.exe)?\b[^\n]{0,200}\s["']?https?:/, 'fetch-run'],
  [/\bcertutil(?:\.exe)?\b[^\n]{0,200}-urlcache\b/, 'fetch-run'],
  [/\bcertutil(?:\.exe)?\b[^\n]{0,200}-decode\b/, 'decode-run'],
  [/\bbitsadmin(?:\.exe)?\b[^\n]{0,200}\/transfer\b/, 'fetch-run'],
];
const DECODES = /\bfrombase64string\b/;
const CONNECTS = /\bnet\.sockets\.tcpclient\b/;
/** What a program over a connection needs: the bytes of the connection, or something that runs them. A test of a port has neither. */
const TALKS =
  /getstream|networkstream|\.client\b|\.receive\b|getmethod|invokemember|\.invoke\(|\.\s*\(/;
/** Characters of a line that are read. */
const MAX_LINE = 20_000;
/** Characters; a longer script is judged by its line alone. */
const MAX_SCRIPT = 200_000;
/** No line without one of these is dangerous; most text has none. */
const ANY = wordPattern(/WORDS/i, {
  'PowerShell, its commands and their short names': [
    /powershell|pwsh|invoke-|start-bitstransfer|\biex\b|\biwr\b|\birm\b/,
  ],
  'programs of Windows that fetch and run': wordsOf([
    'mshta regsvr32 rundll32 msiexec certutil bitsadmin',
  ]),
  'methods and classes of .NET': wordsOf([
    'frombase64string downloadstring downloadfile downloaddata webclient tcpclient',
  ]),
});

/** The dangers in `text`, line by line. */
export function findWindowsDangers(text: string): Danger[] {
  // `^` and backticks may break up every word that is looked for.
  if (!ANY.test(text) && !(/[\^`]/.test(text) && ANY.test(plainText(text)))) return [];
  const found: Danger[] = [];
  let talks: boolean | undefined;
  let start = 0;
  for (const line of text.split('\n')) {
    const [from, end] = [start, start + line.length];
    start = end + 1;
    const kind = kindOf(line.slice(0, MAX_LINE));
    if (kind === 'connect' && !(talks ??= mayTalk(text))) continue;
    if (kind !== undefined)
      found.push({ kind, start: from, end, url: urlIn(line), isSecret: false });
  }
  return found;
}

function mayTalk(text: string): boolean {
  if (text.length > MAX_SCRIPT) return true;
  const plain = plainText(text);
  return TALKS.test(plain) || RUNS.test(plain);
}

/** Batch drops `^`, PowerShell drops the backtick: both are used to break up words. */
function plainText(text: string): string {
  return text.toLowerCase().replaceAll(/[\^`]|["']\s?\+\s?["']/g, '');
}

function kindOf(line: string): DangerKind | undefined {
  const plain = plainText(line);
  if (!ANY.test(plain)) return undefined;
  for (const [pattern, kind] of CARRIERS) if (pattern.test(plain)) return kind;
  if (ENCODED.test(plain)) return 'decode-run';
  if (CONNECTS.test(plain)) return 'connect';
  if ((FETCHES.test(plain) && RUNS.test(plain)) || STARTS.test(plain)) return 'fetch-run';
  return DECODES.test(plain) && RUNS.test(plain) ? 'decode-run' : undefined;
}

function urlIn(line: string): string {
  return /https?:[^\s'")|]{1,2000}/i.exec(line)?.[0] ?? '';
}
