/**
 * Orders files by how likely an attack is in them: one that combines several abilities, such as to decode and to run, in
 * little code. Decides only what is read of a build that is too large to be read completely.
 */
import { wordPattern } from '../parse/word-list.ts';
import type { ScannedFile } from '../scanned-file.ts';

/** Each is one ability, in JavaScript or in Python. */
const ABILITIES: readonly RegExp[] = [
  wordPattern([
    {
      why: 'runs code',
      words: [/\beval\s{0,3}\(/, /\bexec\s{0,3}\(/, /\bFunction\s{0,3}\(/, '_compile', 'runIn'],
    },
    { why: 'runs data', words: ['__import__', 'importlib', 'marshal', 'pickle', 'ctypes'] },
  ]),
  wordPattern([
    { why: 'starts programs in JavaScript', words: ['child_process', 'execa', 'cross-spawn'] },
    {
      why: 'starts programs in Python',
      words: ['subprocess', 'os.system', 'os.popen', 'startfile'],
    },
    { why: 'shells', words: ['/bin/sh', '/bin/bash', 'powershell', 'cmd.exe'] },
  ]),
  wordPattern([
    { why: 'network in JavaScript', words: [/\bfetch\s{0,3}\(/, 'XMLHttpRequest', 'sendBeacon'] },
    {
      why: 'modules',
      words: [/['"](?:node:)?(?:https?|net|dgram|dns|tls)['"]/, 'axios', 'WebSocket'],
    },
    { why: 'network in Python', words: ['requests', 'urllib', 'urlopen', 'httpx', 'aiohttp'] },
    { why: 'sockets and messengers', words: ['socket', 'webhook', 'smtplib'] },
  ]),
  wordPattern([
    { why: 'decodes in JavaScript', words: [/\batob\b/, 'fromCharCode', 'createDecipher'] },
    { why: 'decodes in Python', words: ['b64decode', 'fromhex', 'unhexlify', 'codecs', 'Fernet'] },
    { why: 'decodes', words: [/['"]base64['"]/, 'zlib', /(?:\\x[2-7][0-9a-f]){4}/] },
  ]),
  wordPattern([
    { why: 'the environment', words: [/\bprocess\.env\b(?!\.)/, /\benviron\b(?!\.|\[)/] },
    { why: 'secrets', words: ['.ssh', '.aws', '.npmrc', 'id_rsa', 'wallet', 'Login Data'] },
    { why: 'data of the user', words: ['clipboard', 'keychain', 'document.cookie', 'ImageGrab'] },
  ]),
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
      return { file, size, rank };
    })
    .sort((a, b) => b.rank - a.rank || a.size - b.size)
    .map(({ file }) => file);
}

function abilitiesOf({ path, text = '' }: ScannedFile): number {
  const count = ABILITIES.filter((one) => one.test(text)).length;
  return AT_INSTALL.test(path) ? ABILITIES.length + count : count;
}
