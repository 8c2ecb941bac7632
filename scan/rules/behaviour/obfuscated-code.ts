/** Code that is written so that nobody can read it. The rule `packed-code` reports minified code. */
import type { Finding } from '../../../format/finding/finding.ts';
import { findingIn, ruleOfFiles } from '../../rule.ts';
import type { ScannedFile } from '../../scanned-file.ts';
import { languageOf } from '../../parse/syntax.ts';
import { pageScripts } from '../../parse/page-scripts.ts';
import { longRun } from '../../parse/long-run.ts';
import { wordPattern } from '../../parse/word-list.ts';

/** What stands before letters that do not begin a name. */
const BEFORE = String.raw`[\p{L}\d'"\x60]`;

/** One way to make code unreadable. */
interface Shape {
  readonly name: string;
  readonly pattern: RegExp;
  /** How often it must occur; once by default. */
  readonly times?: number;
  /** A text that this rejects has no match: this excludes most texts in a tenth of the time. */
  readonly mayHold?: (text: string) => boolean;
}

const SPELLS = (text: string): boolean => /chr\(|fromCharCode\(/.test(text);

const JAVASCRIPT: readonly Shape[] = [
  {
    name: 'renamed to hexadecimal numbers',
    pattern: /\b_0x[0-9a-f]{3,8}\b/g,
    times: 20,
    mayHold: (text) => text.includes('_0x'),
  },
  {
    name: 'packed',
    pattern: /\bfunction\s{0,3}\(p,\s{0,3}a,\s{0,3}c,\s{0,3}k,\s{0,3}e,\s{0,3}[dr]\)/g,
    mayHold: (text) => text.includes('(p,'),
  },
  {
    name: 'its strings in a shuffled table',
    pattern: wordPattern(/WORDS/g, {
      'the loop that turns the table until it fits': [
        /while\s{0,3}\(\s{0,3}!!\[\]\s{0,3}\)\s{0,3}\{\s{0,9}try\s{0,3}\{/,
        /-parseInt\(\w{1,20}\(0x[0-9a-f]{1,6}(?:,[^()]{1,20})?\)\)\/0x1\b/,
      ],
    }),
    mayHold: (text) => /!!\[\]|-parseInt\(/.test(text),
  },
  {
    name: 'run from a text that only it can read',
    pattern: wordPattern(/\beval\b["']?\]?\s{0,3}\(\s{0,3}(?!__webpack)WORDS/g, {
      'a function of its own decodes the text': [
        /[\w$.]{1,40}\s{0,3}\(\s{0,3}\[?\s{0,3}["'`][^"'`\n]{150}/,
      ],
      'its letters are replaced': [
        /(["'`])[^"'`\n]{150,20000}\1\s{0,3}\.\s{0,3}(?:replace|split)\b/,
      ],
    }),
  },
  {
    name: 'written in brackets and signs',
    pattern: /[[\]()!+]{400}/g,
    mayHold: longRun(/[[\]()!+]/, 400),
  },
];
const PYTHON: readonly Shape[] = [
  {
    name: 'renamed to letters that look alike',
    pattern: /\b(?=[IlO0_1]{9})[IlO_][IlO0_1]{8,60}\b(?<=[IlO].{0,60})/g,
    times: 20,
  },
  {
    name: 'packed',
    pattern: /\b(?:exec|eval)\s{0,3}\(\s{0,3}\(?_{1,9}\)?\s{0,3}\(\s{0,3}b?['"]/g,
  },
  {
    name: 'run from pieces',
    pattern: /\bexec\s{0,3}\(\s{0,3}(["'])\1\.join\(/g,
  },
  {
    name: 'encrypted for a runtime',
    pattern: /\b__pyarmor__\s{0,3}\(\s{0,3}__name__|\bfrom pytransform import pyarmor_runtime\b/g,
  },
  {
    name: 'imported by a built name',
    pattern:
      /__import__\(\s{0,3}(?:['"](?:\\x[0-9a-f]{2}){2}|['"]['"]\.join|\w{1,20}\(\s{0,3}b?['"]|bytes\(\[\d)/gi,
  },
  {
    name: 'run by a built name',
    pattern:
      /\b(?:eval|exec)\(\s{0,3}["'](?:\\x[0-9a-f]{2}|\\[01][0-7]{2}){3}|\bgetattr\(\s{0,3}__builtins__,.{0,60}?(?:__str__\(\)\[|<<)/gi,
  },
];
/** The first halves of the characters from U+10000 to U+10FFF and from U+12000 to U+147FF. */
const FIRST_HALVES = Array.from(
  '\uD800\uD801\uD802\uD803\uD808\uD809\uD80A\uD80B\uD80C\uD80D\uD80E\uD80F\uD810\uD811',
);
const ANY: readonly Shape[] = [
  {
    name: 'spelled in escapes',
    pattern:
      /(?:\\x[2-7][0-9a-f]){50}|(?:\\u00[2-7][0-9a-f]){40}|(?:\[["'](?:\\(?:u00|x)[2-7][0-9a-f]){4,40}["']\][^"']{0,80}){8}/gi,
    mayHold: (text) => text.includes('\\'),
  },
  {
    name: 'spelled in octal escapes',
    pattern: /(?:\\(?:1[0-7]{2}|0?[4-7][0-7])){50}/g,
    mayHold: (text) => text.includes('\\'),
  },
  {
    name: 'spelled by arithmetic',
    pattern:
      /(?:\b(?:chr|fromCharCode)\(\s{0,3}(?:0x)?[\da-f]{1,6}\s{0,3}[-+*^/%]{1,2}[-+*^/%\s\da-fx()]{1,40}\)\s{0,3}\+\s{0,3}(?:String\.)?){8}/g,
    mayHold: SPELLS,
  },
  {
    name: 'named in mathematical letters',
    pattern: new RegExp(String.raw`(?<!${BEFORE})[\u{1D400}-\u{1D7FF}]{2,60}\s{0,3}[.(=]`, 'gu'),
    times: 2,
    mayHold: (text) => text.includes('\uD835'),
  },
  {
    name: 'named in letters of scripts that nobody writes any more',
    // Cuneiform, hieroglyphs, Linear A and such, without Osage and Rohingya.
    pattern: new RegExp(
      String.raw`(?<!${BEFORE})[\u{10000}-\u{104AF}\u{10500}-\u{10CFF}\u{10D40}-\u{10FFF}\u{12000}-\u{1467F}]{2,60}\s{0,3}[.(=]`,
      'gu',
    ),
    times: 2,
    mayHold: (text) => FIRST_HALVES.some((half) => text.includes(half)),
  },
  {
    name: 'spelled in character codes',
    pattern:
      /(?:\b(?:chr|fromCharCode)\(\s{0,3}\d{2,3}\s{0,3}\)\s{0,3}\+\s{0,3}(?:String\.)?){12}|\bfromCharCode\(\s{0,3}(?:\d{2,3}\s{0,3},\s{0,3}){20}/g,
    mayHold: SPELLS,
  },
  {
    name: 'pushed out of sight by spaces',
    pattern: /[;{}\w)][ \t]{160,2000}[\w(;[{$]/g,
    mayHold: longRun(/[ \t]/, 160),
  },
];

/** Characters of a file that are judged: code is smaller. */
const MAX_READ = 1_000_000;

/** Characters of a `setup.py`; large ones of known packages have a third of it. */
const MAX_SETUP = 200_000;

/** Different names; a setup file of people has a few abbreviations. */
const MIN_GENERATED = 30;

export const obfuscatedCode = ruleOfFiles('obfuscated-code', checkFile);

/** The first kind of obfuscation that the file has. */
export function obfuscationOf(
  file: ScannedFile,
): { readonly name: string; readonly at: number } | undefined {
  const { path, text } = file;
  if (text === undefined || (languageOf(path, text) ?? pageScripts(path, text)) === undefined)
    return undefined;
  const first = text.slice(0, MAX_READ);
  if (/(?:^|\/)setup\.py$/.test(file.path)) {
    if (text.length > MAX_SETUP)
      return { name: 'a setup file that nobody can read to its end', at: 0 };
    const at = generatedNamesAt(first);
    if (at !== undefined) return { name: 'a setup file whose names are random letters', at };
  }
  const isPython = languageOf(file.path, file.text) === 'python';
  for (const { name, pattern, times = 1, mayHold } of [
    ...(isPython ? PYTHON : JAVASCRIPT),
    ...ANY,
  ]) {
    if (mayHold?.(first) === false) continue;
    let count = 0;
    for (const match of first.matchAll(pattern)) {
      count += 1;
      if (count >= times) return { name, at: match.index };
    }
  }
  return undefined;
}

/** Where the first of many names is that a program made: large and small letters that nobody can pronounce. */
function generatedNamesAt(text: string): number | undefined {
  const names = new Set<string>();
  let first: number | undefined;
  for (const { 0: name, index } of text.matchAll(/(?<![\w.])_{0,2}[A-Za-z]{10,60}(?!\w)/g)) {
    if (!/[a-z].{0,60}[A-Z]/.test(name) || !/[b-df-hj-np-tv-xz]{6}/i.test(name)) continue;
    names.add(name);
    first ??= index;
    if (names.size >= MIN_GENERATED) return first;
  }
  return undefined;
}

function checkFile(file: ScannedFile): Finding[] {
  const shape = obfuscationOf(file);
  if (shape === undefined) return [];
  return [findingIn(file, 'obfuscated-code', { shape: shape.name }, shape.at, 1)];
}
