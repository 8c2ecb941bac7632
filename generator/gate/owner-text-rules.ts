/**
 * The reasons for yanks and deprecations, which terminals, pages and coding agents show. The text is hostile. The
 * schema of the owner file allows every character, because published files must stay readable: only the gate
 * refuses new ones.
 */
import { findHidden } from '../../checks/unicode/hidden-characters.ts';
import type { Reason } from '../../format/registry/gate-verdict.ts';
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import { reason } from './reason.ts';

/** Control characters, line and paragraph separators, and what changes the direction of a text. */
const REFUSED = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** A reason to refuse for each new text of `after` that has a control or hidden character. */
export function checkOwnerTexts(
  file: string,
  before: OwnerFile | undefined,
  after: OwnerFile,
): Reason[] {
  const known = new Set(texts(before).map(([, text]) => text));
  return texts(after).flatMap(([what, text]) => {
    const at = known.has(text) ? -1 : refusedAt(text);
    if (at < 0) return [];
    const point = (text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return [reason('gate-owner-text', file, { what, character: `U+${point}` })];
  });
}

function refusedAt(text: string): number {
  const found = [text.search(REFUSED), ...findHidden(text).map(({ start }) => start)];
  const places = found.filter((at) => at >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}

/** What each text is about, and the text. */
function texts(file: OwnerFile | undefined): [what: string, text: string][] {
  const { yanked = {}, deprecated = {} } = file ?? {};
  return [
    ...Object.entries(yanked).flatMap(([name, versions]) =>
      Object.entries(versions).map(([version, text]): [string, string] => [
        `${name}@${version}`,
        text,
      ]),
    ),
    ...Object.entries(deprecated).map(([name, { reason: text }]): [string, string] => [name, text]),
  ];
}
