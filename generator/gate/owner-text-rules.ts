/**
 * The reasons for yanks, withdrawals and deprecations, which terminals, pages and coding agents show. The text is hostile. The
 * schema of the owner file allows every character, because published files must stay readable: only the gate
 * refuses new ones.
 */
import type { Reason } from '../../format/registry/gate-verdict.ts';
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import { shownTextProblem } from '../../format/document/shown-text.ts';
import { reason } from './reason.ts';

/** A reason to refuse for each new text of `after` that people do not see as it is. */
export function checkOwnerTexts(
  file: string,
  before: OwnerFile | undefined,
  after: OwnerFile,
): Reason[] {
  const known = new Set(texts(before).map(([, text]) => text));
  return texts(after).flatMap(([what, text]) => {
    const problem = known.has(text) ? undefined : shownTextProblem(text);
    return problem === undefined ? [] : [reason('gate-owner-text', file, { what, problem })];
  });
}

/** What each text is about, and the text. */
function texts(file: OwnerFile | undefined): [what: string, text: string][] {
  const { yanked = {}, withdrawn = {}, deprecated = {} } = file ?? {};
  const reasons = [...Object.entries(yanked), ...Object.entries(withdrawn)];
  return [
    ...reasons.flatMap(([name, versions]) =>
      Object.entries(versions).map(([version, text]): [string, string] => [
        `${name}@${version}`,
        text,
      ]),
    ),
    ...Object.entries(deprecated).map(([name, { reason: text }]): [string, string] => [name, text]),
  ];
}
