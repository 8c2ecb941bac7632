/**
 * Code that replaces a wallet address with its own: in the clipboard, in pages, in network responses, in what a
 * wallet signs.
 *
 *     if (/^0x[a-fA-F0-9]{40}$/.test(copied)) clipboard.write('0x1111...')
 */
import type { Finding } from '../../../format/finding/finding.ts';
import { findingIn, ruleOfFiles } from '../../rule.ts';
import type { ScannedFile } from '../../scanned-file.ts';
import { isTestPath } from '../../text/file-kind.ts';
import { languageOf } from '../../parse/syntax.ts';
import { wordPattern } from '../../parse/word-list.ts';
import { quote } from '../../text/quote.ts';

const QUOTED_ADDRESS = wordPattern(/WORDS/, {
  Ethereum: [/0x[0-9a-fA-F]{40}/],
  'Bitcoin with a checksum of its own, Bitcoin and Tron': [
    /(?:bc1|BC1)[0-9a-zA-Z]{25,59}/,
    /[13T][1-9A-HJ-NP-Za-km-z]{25,33}/,
  ],
  Monero: [/[48][0-9AB][1-9A-HJ-NP-Za-km-z]{93}/],
});
/** A whole address as a constant. */
const ADDRESS = wordPattern(/WORDS/, {
  'a string of JavaScript or Python; its first group is the address': [
    new RegExp(`["'\`](${QUOTED_ADDRESS.source})["'\`]`),
  ],
  'a word of PowerShell; its second group is the address': [
    /Set-Clipboard[^\n"'`]{0,40}\s((?:bc1|0x)[0-9a-zA-Z]{25,59})/,
  ],
});
/** A regular expression that finds addresses. */
const PATTERN = wordPattern(/WORDS/, {
  Ethereum: [/0x\[[0-9a-fA-F-]{3,12}\]\{40/],
  Bitcoin: [/\[?(?:bc1|13|\[13\])[^\n]{0,24}?\[[0-9a-zA-Z-]{4,24}\]\{2[0-9],/],
  Tron: [/T\[[1-9A-Za-z-]{4,24}\]\{33/],
  Monero: [/\[48\]\[[0-9AB-]{2,8}\]/],
});

/** APIs through which the address is replaced. */
const PLACES: readonly (readonly [string, RegExp])[] = [
  [
    'the clipboard',
    wordPattern(/WORDS/, {
      JavaScript: [
        /\bclipboard\w{0,9}\.(?:write\w{0,4}|copy|set\w{0,9})\s{0,3}\(/,
        /\bclipboardData\.setData\s{0,3}\(/,
      ],
      Python: [/\bpyperclip\.copy\s{0,3}\(/, /\bclipboard_append\s{0,3}\(/],
      'interfaces and programs of the system': [
        /\bSetClipboard(?:Text|Data)\b/,
        /\bSet-Clipboard\b/,
        /\bxclip\b/,
        /\bpbcopy\b/,
      ],
    }),
  ],
  [
    'what the network answers',
    wordPattern(/WORDS/, {
      'fetch is replaced': [/\b(?:window|globalThis|self)\.fetch\s{0,3}=[^=]/],
      'a method of every request is replaced': [
        /\bXMLHttpRequest\.prototype\.\w{1,20}\s{0,3}=[^=]/,
      ],
    }),
  ],
];
/** The wallet's own function, or the receiver of what it is given, is replaced: the code needs no pattern to find the address. */
const WALLET =
  /\b(?:ethereum|solana|tronWeb|provider|wallet)\.(?:request|send(?:Async)?|sign(?:AndSend)?Transaction)\s{0,3}=[^=]|\bparams\[0\]\.to\s{0,3}=[^=]/;

export const addressSwap = ruleOfFiles('address-swap', checkFile);

function checkFile(file: ScannedFile): Finding[] {
  const { path, text } = file;
  if (text === undefined || languageOf(path, text) === undefined) return [];
  const place = placeIn(text);
  if (place === undefined) return [];
  const address = ADDRESS.exec(text);
  if (address === null) return [];
  const args = { place: place.name, address: quote(address[1] ?? address[2] ?? '') };
  const level = isTestPath(path) ? 'info' : 'warn';
  return [findingIn(file, 'address-swap', args, place.at, 1, level)];
}

function placeIn(text: string): { readonly name: string; readonly at: number } | undefined {
  const wallet = WALLET.exec(text);
  if (wallet !== null) return { name: 'what a wallet signs', at: wallet.index };
  for (const [name, pattern] of PLACES) {
    const match = pattern.exec(text);
    if (match !== null && PATTERN.test(text)) return { name, at: match.index };
  }
  return undefined;
}
