/**
 * Which files of a build are parsed and analysed. All of them, in a build of usual size. Of a very large one, as much as can be
 * read in bounded time and memory: first the files in which an attack is most likely.
 */
import {
  MAX_PARTS_LENGTH,
  MAX_SOURCE_LENGTH,
  MAX_WHOLE_LENGTH,
  PART_LENGTH,
} from '../parse/is-bounded.ts';
import { nestingOf } from '../parse/parse-javascript.ts';
import { languageOf, withoutComments } from '../parse/syntax.ts';
import { isTestOrExamplePath } from '../text/decode-text.ts';
import type { ScannedFile } from '../scanned-file.ts';
import { matters, relevantFiles, sizeOf } from './relevant-files.ts';
import { wordPattern } from '../parse/word-list.ts';

interface ReadingPlan {
  /** The files that have to do with what the taint analysis looks for. */
  readonly relevant: readonly ScannedFile[];
  /** Those of them that it reads. */
  readonly analysed: readonly ScannedFile[];
  /** Code that is not parsed. */
  readonly unparsed: ReadonlySet<ScannedFile>;
  /** Whether all syntax trees fit into memory; otherwise only that of the last file is kept. */
  readonly keepsTrees: boolean;
}

/** In characters of code; a build with more is read within the limits below. */
const LARGE = 1_000_000;
/** Characters that the native parser would read in the time that is left for parsing and analysing. */
const MAX_WORK = 72_000_000;
/** Of these, for the files that are analysed. */
const MAX_ANALYSIS = 45_000_000;
/** How many times longer than the native parser each takes: to find pieces, both other parsers, the analysis of usual and of packed code. */
const [CUTS, BABEL, LEZER, ANALYSIS, PACKED_ANALYSIS] = [0.25, 8, 4, 6, 18];
/** Characters a line of packed code, on average. */
const PACKED_LINE = 200;

/** The plan for all `files` of a build. */
export function planReading(files: readonly ScannedFile[]): ReadingPlan {
  const relevant = relevantFiles(files);
  const code = files.filter(({ path, text }) => languageOf(path, text) !== undefined);
  if (sizeOf(code) <= LARGE)
    return { relevant, analysed: relevant, unparsed: new Set(), keepsTrees: true };
  let [work, analysis] = [MAX_WORK, MAX_ANALYSIS];
  const costs = new Map(code.map((file) => [file, costOf(file)]));
  const analysed = suspicionOrder(relevant).filter((file) => {
    const cost = costs.get(file)!;
    if (cost.parse + cost.analysis > analysis) return false;
    analysis -= cost.parse + cost.analysis;
    work -= cost.parse + cost.analysis;
    return true;
  });
  const parsed = new Set(analysed);
  for (const file of code.toSorted((a, b) => sizeOf([a]) - sizeOf([b]))) {
    const cost = costs.get(file)!.parse;
    if (parsed.has(file) || cost > work) continue;
    work -= cost;
    parsed.add(file);
  }
  const chosen = new Set(analysed);
  return {
    relevant,
    // In the order of the build, as for a small one.
    analysed: relevant.filter((file) => chosen.has(file)),
    unparsed: new Set(code.filter((file) => !parsed.has(file))),
    keepsTrees: false,
  };
}

function costOf({ path, text = '' }: ScannedFile): Record<'parse' | 'analysis', number> {
  const isPython = languageOf(path, text) === 'python';
  if (text.length > (isPython ? MAX_SOURCE_LENGTH : MAX_WHOLE_LENGTH)) {
    const length = partLength(path, text, isPython);
    return { parse: CUTS * text.length + length, analysis: ANALYSIS * length };
  }
  if (isPython) {
    // What documents a function is one expression.
    const code = text.replaceAll(/"{3}[^]*?"{3}|^[ \t]*#.*/gm, '');
    return { parse: LEZER * text.length, analysis: ANALYSIS * code.length };
  }
  const isNative = nestingOf(path, text) === 'shallow';
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  const isPacked = text.length > PACKED_LINE * lines;
  return {
    parse: (isNative ? 1 : BABEL) * text.length,
    analysis: (isPacked ? PACKED_ANALYSIS : ANALYSIS) * text.length,
  };
}

/** Of a text that is read in pieces, how much of it: characters without comments, of JavaScript in the parts that matter. */
function partLength(path: string, text: string, isPython: boolean): number {
  const code = withoutComments(path, text);
  let { length } = code.replaceAll(/\s/g, '');
  if (isPython || length <= MAX_WHOLE_LENGTH) return Math.min(MAX_SOURCE_LENGTH, length);
  length = 0;
  for (let at = 0; at < code.length; at += PART_LENGTH)
    if (matters('javascript', code.slice(at, at + PART_LENGTH))) length += PART_LENGTH;
  return Math.min(MAX_PARTS_LENGTH, length);
}

// Orders files by how likely an attack is in them: one that combines several abilities, such as to decode and to run, in
// little code. Decides only what is read of a build that is too large to be read completely.

/** Each is one ability, in JavaScript or in Python. */
const ABILITIES: readonly RegExp[] = [
  wordPattern(/WORDS/, {
    'runs code': [/\beval\s{0,3}\(/, /\bexec\s{0,3}\(/, /\bFunction\s{0,3}\(/, '_compile', 'runIn'],
    'runs data': ['__import__', 'importlib', 'marshal', 'pickle', 'ctypes'],
  }),
  wordPattern(/WORDS/, {
    'starts programs in JavaScript': ['child_process', 'execa', 'cross-spawn'],
    'starts programs in Python': ['subprocess', 'os.system', 'os.popen', 'startfile'],
    shells: ['/bin/sh', '/bin/bash', 'powershell', 'cmd.exe'],
  }),
  wordPattern(/WORDS/, {
    'network in JavaScript': [/\bfetch\s{0,3}\(/, 'XMLHttpRequest', 'sendBeacon'],
    modules: [/['"](?:node:)?(?:https?|net|dgram|dns|tls)['"]/, 'axios', 'WebSocket'],
    'network in Python': ['requests', 'urllib', 'urlopen', 'httpx', 'aiohttp'],
    'sockets and messengers': ['socket', 'webhook', 'smtplib'],
  }),
  wordPattern(/WORDS/, {
    'decodes in JavaScript': [/\batob\b/, 'fromCharCode', 'createDecipher'],
    'decodes in Python': ['b64decode', 'fromhex', 'unhexlify', 'codecs', 'Fernet'],
    decodes: [/['"]base64['"]/, 'zlib', /(?:\\x[2-7][0-9a-f]){4}/],
  }),
  wordPattern(/WORDS/, {
    'the environment': [/\bprocess\.env\b(?!\.)/, /\benviron\b(?!\.|\[)/],
    secrets: ['.ssh', '.aws', '.npmrc', 'id_rsa', 'wallet', 'Login Data'],
    'data of the user': ['clipboard', 'keychain', 'document.cookie', 'ImageGrab'],
  }),
];
/** Characters: from here on, each time that the size doubles counts as one ability less, as bundles have all of them. */
const BUNDLE = 30_000;
/** Runs before anybody uses the build. */
const AT_INSTALL = /(?:^|\/)(?:setup\.py|[\w.-]{0,40}install[\w.-]{0,40}\.[cm]?[jt]s)$/;

/** The most suspicious first; of equals the shorter one, then that which comes first. */
export function suspicionOrder(files: readonly ScannedFile[]): ScannedFile[] {
  return files
    .map((file) => {
      const size = (file.text ?? '').length;
      let rank = abilitiesOf(file);
      for (let limit = BUNDLE; size > limit; limit *= 2) rank -= 1;
      if (isTestOrExamplePath(file.path)) rank -= ABILITIES.length;
      return { file, size, rank };
    })
    .sort((a, b) => b.rank - a.rank || a.size - b.size)
    .map(({ file }) => file);
}

const MAX_ORDINARY = 500_000;

/** Whether a file alone does no harm: it has at most one ability, and neither runs nor starts anything. */
export function isOrdinary(file: ScannedFile): boolean {
  const { path, text = '' } = file;
  if (text.length > MAX_ORDINARY || ABILITIES.slice(0, 2).some((one) => one.test(text)))
    return false;
  return abilitiesOf(file) <= (isTestOrExamplePath(path) ? 2 : 1);
}

function abilitiesOf({ path, text = '' }: ScannedFile): number {
  const count = ABILITIES.filter((one) => one.test(text)).length;
  return AT_INSTALL.test(path) ? ABILITIES.length + count : count;
}
