/** Code that is decoded only to be run. */
import type { Finding } from '../../../format/finding/finding.ts';
import type { FindingLevel } from '../../../format/finding/texts/finding-text.ts';
import type { Rule } from '../../rule.ts';
import { once } from '../../once.ts';
import type { ScannedBuild, ScannedFile } from '../../scanned-file.ts';
import type { Fact } from '../../taint/api.ts';
import { DECODED, FETCHED, FILE, SPELLED } from '../../taint/label.ts';
import { UNKNOWN, type Value } from '../../taint/value.ts';
import { isMediaPath } from '../../text/file-kind.ts';
import { commandFindings } from '../../evidence/commands.ts';
import { inlineCode } from '../../evidence/fact-evidence.ts';
import { LOADERS, PICKLES, fileAt, found, isFromHere, quote } from '../../evidence/fact-finding.ts';
import { shiftedTexts } from '../../evidence/shifted-text.ts';
import { isNear as isNearby } from './remote-code.ts';
import { arrived, startOf } from '../../evidence/arrived-files.ts';

export const decodeExecute: Rule = {
  name: 'decode-execute',
  run: (build) => [
    ...build.taint.facts.flatMap((fact) => checkFact(build, fact)),
    ...commandFindings(build, 'decode-execute'),
  ],
};

/** The picture, font or the like that a value was read from. */
function pictureOf(value: Value | undefined): string | undefined {
  return value?.origins.find(({ label, what }) => label === FILE && isMediaPath(what))?.what;
}

/** A text as a list of its characters' codes. */
const NUMBERS = /(?:\b\d{2,3}\s{0,3},\s{0,3}){30}/;
const PICKLED_CALL =
  /\b(?:posix|nt|os|subprocess|builtins|pty|runpy)\b[^\w]{1,6}(?:system|popen|exec|eval|Popen|run|call|check_output|__import__|spawn)\b/;
/** A text that may be encoded, or the numbers of one. */
const ENCODED = /[A-Za-z0-9+/]{40}|\\x[0-9a-f]{2}|(?:\b\d{1,3}\s{0,3},\s{0,3}){20}/i;
/** A long text without blanks. */
const DENSE = /["'`](?!data:)[^\s"'`]{300}/;
/** Code generators spell out names; hidden code spells out commands. */
const MIN_SPELLED = 12;

/** How the text of a file hides code. */
const disguises = once(({ text = '' }: ScannedFile) => {
  const [shifted] = shiftedTexts(text);
  const isDense = DENSE.test(text);
  return { isEncoded: ENCODED.test(text), isDense, hasNumbers: NUMBERS.test(text), shifted };
});

function checkFact(build: ScannedBuild, fact: Fact): Finding[] {
  const { action, api, operand } = fact;
  const { labels, texts } = operand;
  const report = (
    code = '...',
    level?: FindingLevel,
    place: Pick<Fact, 'path' | 'at' | 'end'> = fact,
  ): Finding[] => [found(build, 'decode-execute', place, { how: api, code: quote(code) }, level)];
  const inline = action === 'spawn' ? inlineCode(fact) : undefined;
  const picture = pictureOf(action === 'execute' ? operand : inline);
  if (picture !== undefined && !fact.isLarge) return report(picture);
  // Decoded in another file, or read by a loader: only a constant shows the purpose.
  const isNear = isFromHere(fact, DECODED);
  if (action === 'execute' && (labels & FETCHED) === 0) {
    const isLoader = LOADERS.test(api);
    const isShown = texts.some((text) => /\w{4}/.test(text.replaceAll(/%\w/g, '')));
    const isCertain = isLoader || !isNear ? isShown : true;
    const isByChance = fact.isLarge && !isNearby(fact, DECODED);
    if ((labels & DECODED) !== 0 && isCertain && !isByChance) {
      // Loaders run encoded code of their callers: of a parameter, a pipe.
      // A pickle of data is usual; one that names a function of the system is not.
      const isData = PICKLES.test(api) && !texts.some((text) => PICKLED_CALL.test(text));
      const isOfCaller =
        texts.length === 0
          ? (labels & FILE) === 0 && !disguises(fileAt(build, fact)).isEncoded
          : !isShown && !texts.includes(UNKNOWN);
      const level = isData || isOfCaller ? 'warn' : 'error';
      return report(texts[0], level);
    }
    // Code generators also assemble text from single characters.
    if (!isLoader && !fact.isLarge && (labels & SPELLED) !== 0 && (labels & DECODED) === 0) {
      const { shifted, isEncoded, isDense, hasNumbers } = disguises(fileAt(build, fact));
      if (shifted !== undefined) return report(shifted.code);
      const isCipher =
        isDense ||
        (operand.origins.some((o) => o.what === 'xor') && (texts.length > 0 || isEncoded));
      const isList = api !== 'builtins.compile' && hasNumbers;
      const level =
        isCipher || isList || texts.some((t) => t.length >= MIN_SPELLED) ? 'warn' : 'info';
      return report(texts[0], level);
    }
  }
  if (
    action === 'write' &&
    !fact.isLarge &&
    ((fact.content.labels & (DECODED | FETCHED)) === DECODED ||
      pictureOf(fact.content) !== undefined)
  ) {
    const file = arrived(fact, operand.texts, []);
    const start = startOf(build, file);
    if (start !== undefined && fact.content.origins.some((o) => o.path === fact.path))
      return report(file.names[0], 'warn', start);
  }
  if (action === 'load') {
    const data = texts.find((t) => /^data:text\/javascript/i.test(t));
    if (data !== undefined) return report(data, 'warn');
    // There is no legitimate reason to hide the name of a module.
    const isHidden = (labels & (DECODED | SPELLED)) !== 0 && texts.every((t) => t === UNKNOWN);
    if (isHidden && !fact.isLarge && isFromHere(fact, DECODED | SPELLED))
      return report(undefined, 'warn');
    if (
      (labels & DECODED) !== 0 &&
      texts.some((t) => /^(?:node:)?(?:child_process|https?|fs|net|vm|dns)$/.test(t))
    )
      return report(texts[0], 'warn');
  }
  // To copy memory is usual; to start what was copied is not.
  const isCopy = (one: Fact): boolean => /Move|Write/.test(one.api);
  if (
    action === 'inject' &&
    !(
      isCopy(fact) &&
      !build.taint.facts.some((f) => f.path === fact.path && f.action === 'inject' && !isCopy(f))
    )
  )
    return report(texts[0], (labels & (DECODED | FETCHED)) !== 0 ? 'error' : 'warn');
  if (inline !== undefined && (inline.labels & DECODED) !== 0 && !fact.isLarge)
    return report(inline.texts[0]);
  if (
    action === 'spawn' &&
    (labels & DECODED) !== 0 &&
    (labels & FETCHED) === 0 &&
    !fact.isLarge &&
    isNear
  )
    return report(texts[0]);
  return [];
}
