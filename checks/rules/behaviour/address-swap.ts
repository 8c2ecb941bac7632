/**
 * Code that puts its own wallet address where another stood: in the clipboard, in pages, in answers of the
 * network, in what a wallet is asked to sign.
 *
 *     if (/^0x[a-fA-F0-9]{40}$/.test(copied)) clipboard.write('0x1111...')
 */
import type { Finding } from '../../../format/finding/finding.ts';
import { at, finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedFile } from '../../scanned-file.ts';
import { isTestPath } from '../../file/file-kind.ts';
import { languageOf } from '../../parse/syntax.ts';
import { quote } from '../../unicode/quote.ts';

/** A whole address as a constant: Ethereum, Bitcoin, Tron, Monero. */
const ADDRESS =
  /["'`](0x[0-9a-fA-F]{40}|(?:bc1|BC1)[0-9a-zA-Z]{25,59}|[13T][1-9A-HJ-NP-Za-km-z]{25,33}|[48][0-9AB][1-9A-HJ-NP-Za-km-z]{93})["'`]|Set-Clipboard[^\n"'`]{0,40}\s((?:bc1|0x)[0-9a-zA-Z]{25,59})/;
/** A regular expression that finds addresses. */
const PATTERN =
  /0x\[[0-9a-fA-F-]{3,12}\]\{40|\[?(?:bc1|13|\[13\])[^\n]{0,24}?\[[0-9a-zA-Z-]{4,24}\]\{2[0-9],|T\[[1-9A-Za-z-]{4,24}\]\{33|\[48\]\[[0-9AB-]{2,8}\]/;

/** Ways for the address to get there. */
const PLACES: readonly (readonly [string, RegExp])[] = [
  [
    'the clipboard',
    /\bclipboard\w{0,9}\.(?:write\w{0,4}|copy|set\w{0,9})\s{0,3}\(|\bpyperclip\.copy\s{0,3}\(|\bSetClipboard(?:Text|Data)\b|\bSet-Clipboard\b|\bclipboardData\.setData\s{0,3}\(|\bxclip\b|\bpbcopy\b|\bclipboard_append\s{0,3}\(/,
  ],
  [
    'what the network answers',
    /\b(?:window|globalThis|self)\.fetch\s{0,3}=[^=]|\bXMLHttpRequest\.prototype\.\w{1,20}\s{0,3}=[^=]/,
  ],
];
/** The wallet's own function is replaced: no pattern is needed to find what to change. */
const WALLET =
  /\b(?:window\.|globalThis\.)?(?:ethereum|solana|tronWeb)\.(?:request|send|sendAsync|signTransaction|signAndSendTransaction)\s{0,3}=[^=]/;

/** Larger files are judged by their beginning. */
const MAX_READ = 1_000_000;

export const addressSwap: Rule = {
  name: 'address-swap',
  run: ({ files }) => files.flatMap(judge),
};

function judge(file: ScannedFile): Finding[] {
  const { path } = file;
  if (file.text === undefined || languageOf(path, file.text) === undefined) return [];
  const text = file.text.slice(0, MAX_READ);
  const place = placeIn(text);
  if (place === undefined) return [];
  const address = ADDRESS.exec(text);
  if (address === null) return [];
  const args = { place: place.name, address: quote(address[1] ?? address[2] ?? '') };
  const found = finding('address-swap', path, args, isTestPath(path) ? 'info' : 'warn');
  return [at(found, file.place(place.at, 1))];
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
