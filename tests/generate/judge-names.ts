/**
 * Prints as JSON what this Node.js makes of hard names and texts: `one-unicode.long.test.ts` compares versions of Node.js.
 *
 *     node tests/generate/judge-names.ts
 */
import { quote } from '../../scan/text/quote.ts';
import { findLookAlikes } from '../../scan/text/idle-file.ts';
import { fileKind } from '../../scan/text/decode-text.ts';
import { checkFilePaths, collisionKey } from '../../format/build/file-path.ts';
import { parseManifest } from '../../format/build/manifest.ts';
import { wordsOf } from '../../format/index/word-forms.ts';
import { characterClass } from '../../format/unicode.ts';

/** Pairs that some Unicode takes for one name: by case, by normal form, assigned in 16.0, in 17.0, never. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['a\uA7CE.ts', 'a\uA7CF.ts'],
  ['a\uA7D2.ts', 'a\uA7D3.ts'],
  ['a\uA7DA.ts', 'a\uA7DB.ts'],
  ['a\u0264.ts', 'a\uA7CB.ts'],
  ['a\u{10D50}.ts', 'a\u{10D70}.ts'],
  ['a\u{16EA0}.ts', 'a\u{16EBB}.ts'],
  ['stra\u00DFe.ts', 'STRASSE.ts'],
  ['\u03BF\u03B4\u03BF\u03C2.ts', '\u039F\u0394\u039F\u03A3.ts'],
  ['\u0130.ts', 'i\u0307.ts'],
  ['\u212A.ts', 'k.ts'],
  ['\uFB01.ts', 'fi.ts'],
  ['\u1E9B\u0323.ts', '\u1E61\u0323.ts'],
  ['\uAC01.ts', '\u1100\u1161\u11A8.ts'],
];

function judge(): unknown {
  // What each Unicode since 15 added, and its neighbours.
  const points = [0x0264, 0xa7c0, 0x1c80, 0x10d40, 0x10ec0, 0x11380, 0x16d40, 0x16ea0, 0x1e5d0];
  const added = points.flatMap((start) =>
    Array.from({ length: 0x60 }, (_, n) => String.fromCodePoint(start + n)),
  );
  const letters = new RegExp(`[${characterClass('L', 'N')}]`, 'u');
  const hosts = [
    'https://\uA7CE.example/',
    'https://\u{16EA0}.example/',
    'https://b\u00FCcher.example/',
  ];
  return {
    paths: PAIRS.map((pair) => checkFilePaths(pair).map(({ code }) => code)),
    keys: added.map((one) => collisionKey(one)),
    words: added.map((one) => wordsOf(`${one}x-${one}`)),
    letters: added.map((one) => letters.test(one)),
    quotes: added.map((one) => quote(one)),
    kinds: ['a.\u212AT', 'a.MD', 'a.T\u017F'].map(fileKind),
    lookAlikes: PAIRS.map(([one]) => findLookAlikes(`admin \u0430dmin${one.slice(0, -3)}`)),
    manifests: hosts.map((homepage) => parseManifest(Buffer.from(JSON.stringify({ homepage })))),
  };
}

console.log(JSON.stringify(judge(), null, 1));
