/** The first character of a publisher's text that people do not see as it acts. The text is hostile. */
import { findHidden } from '../../checks/unicode/hidden-characters.ts';

/** Control characters, line and paragraph separators, and what changes the direction of a text. */
const REFUSED = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
/** The same without tabs and newlines. */
const REFUSED_IN_LINES = /(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** @returns such as `U+202E`; `undefined` where there is none. @param hasLines whether tabs and newlines are allowed */
export function refusedCharacter(text: string, hasLines = false): string | undefined {
  const control = text.search(hasLines ? REFUSED_IN_LINES : REFUSED);
  const places = [control, ...findHidden(text).map(({ start }) => start)].filter((at) => at >= 0);
  if (places.length === 0) return undefined;
  const point = text.codePointAt(Math.min(...places)) ?? 0;
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}
