/**
 * Letters of other scripts that look like Latin ones, according to Unicode Technical Standard 39: those that look
 * the same in the usual fonts for code.
 */

const CYRILLIC =
  'аaвBеeѕsіiјjкkмMнHоoрpсcтTуyхxһhԁdԛqԝwАAВBЕEЅSІIЈJКKМMНHОOРPСCТTУYХXҮYӀlԌGԜWвbɡgғfӏl';
const GREEK = 'ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXοoνvαaρpιiυuγyκk';
const OTHERS = 'օoսuհhոnցgզqɑaɩiʏYᴄcᴏoᴠvᴡwᴢzꜱsＡAＢBＣCＤDＥEａaｂbｃcｄdｅeｉiｌlｏoｓsｔt';

const LOOKS_LIKE = new Map<string, string>();
for (const pairs of [CYRILLIC, GREEK, OTHERS]) {
  const letters = Array.from(pairs);
  for (let at = 0; at + 1 < letters.length; at += 2) {
    const [letter = '', latin = ''] = letters.slice(at, at + 2);
    if (!LOOKS_LIKE.has(letter)) LOOKS_LIKE.set(letter, latin);
  }
}

const WORD = /[\p{L}\p{N}_$]+/gu;
const FOREIGN =
  /[\u0370-\u03FF\u0400-\u052F\u0530-\u058F\u0250-\u02AF\u1D00-\u1D7F\uA730-\uA73F\uFF21-\uFF5A]/;

interface LookAlike {
  readonly word: string;
  /** The word in Latin letters that it looks like. */
  readonly latin: string;
  readonly start: number;
}

/** `word` with every look-alike letter made Latin. */
function latinOf(word: string): string {
  return Array.from(word, (letter) => LOOKS_LIKE.get(letter) ?? letter).join('');
}

/**
 * The words of `text` that look Latin and are not: Latin letters mixed with look-alikes alone, or look-alikes
 * alone where the same file has the Latin word.
 */
export function findLookAlikes(text: string): LookAlike[] {
  if (!FOREIGN.test(text)) return [];
  const found: LookAlike[] = [];
  let latinWords: ReadonlySet<string> | undefined;
  for (const match of text.matchAll(WORD)) {
    const [word] = match;
    if (!FOREIGN.test(word) || word.length < 3 || word.length > 200) continue;
    const latin = latinOf(word);
    // A letter that is not a look-alike shows the reader which script it is.
    if (!/^[A-Za-z0-9_$]+$/.test(latin)) continue;
    latinWords ??= new Set(text.match(/[A-Za-z_$][A-Za-z0-9_$]{2,60}/g));
    if (!/[A-Za-z]/.test(word) && !latinWords.has(latin)) continue;
    found.push({ word, latin, start: match.index });
  }
  return found;
}
