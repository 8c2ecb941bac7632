/**
 * Which files of a build are parsed and analysed. All of them, in a build of usual size. Of a very large one, as much as can be
 * read in bounded time and memory: first the files in which an attack is most likely.
 */
import { MAX_CODE_BYTES } from '../parse/limits.ts';
import { languageOf } from '../parse/syntax.ts';
import { isTestOrExamplePath } from '../text/decode-text.ts';
import type { ScannedFile } from '../scanned-file.ts';
import { relevantFiles, sizeOf } from './relevant-files.ts';
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
/** Characters of the files that are analysed, and of all that are parsed. */
const [MAX_ANALYSED, MAX_PARSED] = [5_000_000, 10_000_000];

/** Why a file of a build with more code is not read, as a clause. */
export const BEYOND_BUILD = 'the build has more code than is read of one';

/** The plan for all `files` of a build. */
export function planReading(files: readonly ScannedFile[]): ReadingPlan {
  const relevant = relevantFiles(files);
  const code = files.filter(({ path, text }) => languageOf(path, text) !== undefined);
  if (sizeOf(code) <= LARGE)
    return { relevant, analysed: relevant, unparsed: new Set(), keepsTrees: true };
  const chosen = new Set(firstWithin(suspicionOrder(relevant), MAX_ANALYSED));
  const others = code.filter((file) => !chosen.has(file));
  const left = MAX_PARSED - sizeOf([...chosen]);
  const parsed = new Set(
    firstWithin(
      others.toSorted((a, b) => sizeOf([a]) - sizeOf([b])),
      left,
    ),
  );
  return {
    relevant,
    // In the order of the build, as for a small one.
    analysed: relevant.filter((file) => chosen.has(file)),
    unparsed: new Set(others.filter((file) => !parsed.has(file))),
    keepsTrees: false,
  };
}

/** The files that together have at most `limit` characters; what is too large to be parsed has none. */
function firstWithin(files: readonly ScannedFile[], limit: number): ScannedFile[] {
  let left = limit;
  return files.filter((file) => {
    const cost = file.bytes.length > MAX_CODE_BYTES ? 0 : sizeOf([file]);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
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
