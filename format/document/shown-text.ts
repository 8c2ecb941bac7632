/**
 * Whether people see a text of a publisher as programs read it: it has a visible character, and none that hides, reorders or carries
 * what is not shown. The text is hostile. Ranges are listed, so that no version of a runtime decides otherwise:
 *
 *     Default_Ignorable_Code_Point   Unicode 17.0, DerivedCoreProperties.txt
 *     White_Space, Bidi_Control      Unicode 17.0, PropList.txt
 *     bases of selectors             Unicode 17.0, StandardizedVariants.txt, emoji-variation-sequences.txt; by block
 *     blank without White_Space      U+2800 BRAILLE PATTERN BLANK, U+1D159 MUSICAL SYMBOL NULL NOTEHEAD
 */

/** Control characters, line and paragraph separators, half surrogates, private use, and what is no character. */
const CONTROL =
  '\\u{0}-\\u{1F}\\u{7F}-\\u{9F}\\u{2028}\\u{2029}\\u{D800}-\\u{F8FF}\\u{FDD0}-\\u{FDEF}\\u{FFF9}-\\u{FFFB}\\u{FFFE}\\u{FFFF}\\u{F0000}-\\u{10FFFF}';
const IGNORABLE =
  '\\u{AD}\\u{34F}\\u{61C}\\u{115F}\\u{1160}\\u{17B4}\\u{17B5}\\u{180B}-\\u{180F}\\u{200B}-\\u{200F}\\u{202A}-\\u{202E}\\u{2060}-\\u{206F}\\u{3164}\\u{FE00}-\\u{FE0F}\\u{FEFF}\\u{FFA0}\\u{FFF0}-\\u{FFF8}\\u{1BCA0}-\\u{1BCA3}\\u{1D173}-\\u{1D17A}\\u{E0000}-\\u{E0FFF}';
const SPACE = '\\u{9}-\\u{D} \\u{85}\\u{A0}\\u{1680}\\u{2000}-\\u{200A}\\u{202F}\\u{205F}\\u{3000}';
const BLANK = '\\u{2800}\\u{1D159}';

const IDEOGRAPHS = '\\u{3400}-\\u{9FFF}\\u{F900}-\\u{FAFF}\\u{20000}-\\u{3FFFF}';
const EMOJI =
  '\\u{A9}\\u{AE}\\u{203C}\\u{2049}\\u{2122}\\u{2139}\\u{2190}-\\u{27BF}\\u{2900}-\\u{2BFF}\\u{3030}\\u{303D}\\u{3297}\\u{3299}\\u{1F000}-\\u{1FAFF}';
/** Digits of key caps, Myanmar, Mongolian, punctuation of East Asia, Phags-pa, Manichaean, hieroglyphs, letters of mathematics. */
const VARIED =
  '#*0-9\\u{1000}-\\u{109F}\\u{1807}-\\u{18AA}\\u{3001}\\u{3002}\\u{A840}-\\u{A877}\\u{AA60}-\\u{AA7F}\\u{FF01}-\\u{FF1F}\\u{10AC0}-\\u{10AFF}\\u{13000}-\\u{1345F}\\u{1D400}-\\u{1D7FF}';
/** Scripts whose spelling joins letters, or keeps them apart: of the Near East, of India and its neighbours, Mongolian. */
const JOINED =
  '\\u{590}-\\u{109F}\\u{1780}-\\u{18AF}\\u{1A20}-\\u{1C4F}\\u{A800}-\\u{ABFF}\\u{FB1D}-\\u{FDCF}\\u{FDF0}-\\u{FDFF}\\u{FE70}-\\u{FEFC}\\u{10800}-\\u{11FFF}\\u{1E800}-\\u{1EFFF}';

const PLAIN = /^[ -~]*[!-~][ -~]*$/;
const REFUSED = new RegExp(`[${CONTROL}]`, 'u');
const SEEN = new RegExp(`[^${CONTROL}${IGNORABLE}${SPACE}${BLANK}]`, 'u');
const HIDDEN = new RegExp(`[${IGNORABLE}]`, 'u');
// oxlint-disable-next-line no-misleading-character-class -- each is a code point of the class
const SELECTOR = /[\u{180B}-\u{180D}\u{180F}\u{FE00}-\u{FE0F}]/u;
const SELECTED = new RegExp(`[${EMOJI}${VARIED}${IDEOGRAPHS}]`, 'u');
const IDEOGRAPH_SELECTOR = /[\u{E0100}-\u{E01EF}]/u;
const IDEOGRAPH = new RegExp(`[${IDEOGRAPHS}]`, 'u');
const JOINER = /[\u{200C}\u{200D}]/u;
const JOINS = new RegExp(`[${EMOJI}${JOINED}]`, 'u');
const BRAILLE = /[\u{2801}-\u{28FF}]/u;
/** The flag of a part of a country: a black flag, its code in tags, and the tag that ends it (UTS #51). */
const FLAG = /\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}/gu;

/**
 * What is wrong with the text, such as `has U+202E, which people do not see as it acts`; `undefined` for a text that people see. An
 * empty text is none.
 * @param hasLines whether tabs and line feeds are allowed
 */
export function shownTextProblem(text: string, hasLines = false): string | undefined {
  if (text === '' || PLAIN.test(text)) return undefined;
  const points = Array.from(text.replaceAll(FLAG, '\u{1F3F4}'));
  const found = points.find((point, at) => {
    if (hasLines && (point === '\t' || point === '\n')) return false;
    const [before = '', after = ''] = [points[at - 1], points[at + 1]];
    return REFUSED.test(point) || (isUnseen(point) && !isSpelling(point, before, after));
  });
  if (found !== undefined) {
    const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `has U+${code}, which people do not see as it acts`;
  }
  return SEEN.test(text) ? undefined : 'has no visible character';
}

function isUnseen(point: string): boolean {
  return HIDDEN.test(point) || point === '\u{2800}';
}

/** Whether an unseen character belongs between its neighbours: it changes the form of a letter or an emoji. */
function isSpelling(point: string, before: string, after: string): boolean {
  if (point === '\u{2800}') return BRAILLE.test(before) || BRAILLE.test(after);
  if (SELECTOR.test(point)) return SELECTED.test(before);
  if (IDEOGRAPH_SELECTOR.test(point)) return IDEOGRAPH.test(before);
  if (!JOINER.test(point) || JOINER.test(before)) return false;
  return before === '\u{FE0F}' || JOINS.test(before) || JOINS.test(after);
}
