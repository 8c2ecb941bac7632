/**
 * Orders files by how likely an attack is in them: one that combines several abilities, such as to decode and to run, in
 * little code. Decides only what is read of a build that is too large to be read completely.
 */
import { isTestOrExamplePath } from '../text/file-kind.ts';
import type { ScannedFile } from '../scanned-file.ts';
import { wordPattern } from '../parse/word-list.ts';

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
