/**
 * The only place where a reason of the gate becomes English. `docs/gate-reasons.md` is generated from it.
 * What is wrong with the build itself is a finding, with the text of `format/finding-texts/`.
 */
import { printable } from '../../format/build/file-path.ts';
import { FINDING_TEXTS } from '../../format/finding/catalogue.ts';
import { findingMessage, type Finding } from '../../format/finding/finding.ts';
import type { Reason } from './gate-verdict.ts';

/** `refuse`: cannot be merged as it is. `review`: an admin decides. */
type ReasonLevel = 'refuse' | 'review';

type ReasonArgs = Readonly<Record<string, string | number>>;

export interface ReasonText {
  readonly level: ReasonLevel;
  readonly message: (args: ReasonArgs) => string;
  readonly remedy: string;
}

const WAIT = 'Nothing to do: an admin looks at it.';
const YANK_INSTEAD = 'Yank the version instead: an entry under "yanked" in the owner file.';
const NEW_VERSION = 'Restore the published files, and publish the change under a new "version".';

export const REASON_TEXTS = {
  'gate-nothing': refuse(
    () => 'The pull request changes nothing on the base branch',
    'Close it, or push the commits that are missing.',
  ),
  'gate-conflict': refuse(
    (a) =>
      `The pull request cannot be merged: files in conflict with the base branch: ${a['count']}`,
    'Merge the base branch into yours, settle the conflicts, and push.',
  ),
  'gate-unrelated': refuse(
    () => 'The pull request shares no history with the base branch',
    'Start your branch from the base branch.',
  ),
  'gate-size': refuse(
    (a) => `The pull request changes more than ${a['limit']} files and folders`,
    'Publish one build at a time, with fewer files.',
  ),
  'gate-unreadable': refuse(
    (a) => `The folder cannot be read from git: ${a['problem']}`,
    'Commit the folder again with git.',
  ),
  'gate-commit-time': refuse(
    (a) => `Commit ${a['commit']} ${a['problem']}`,
    'Correct the clock of the machine, and commit again: git commit --amend --no-edit.',
  ),
  'gate-mixed': refuse(
    (a) => `The pull request changes "${a['file']}" together with builds, reports or decisions`,
    'Open two pull requests: one for what you publish, one for the registry itself.',
  ),
  'gate-stray': refuse(
    () => 'The path is not a build, owner file, report, flag or decision',
    'Move it into a build folder builds/<owner>/<name>/, or remove it.',
  ),
  'gate-attributes': refuse(
    (a) => `A file "${a['name']}" would steer git in the registry's own repository`,
    'Publish the build without it.',
  ),
  'gate-owner-foreign': refuse(
    (a) => `"${a['login']}" may not change builds of "${a['owner']}"`,
    'Publish below the folder of your own login, or ask the owner to list you under "maintainers" first.',
  ),
  'gate-owner-account': refuse(
    (a) =>
      `Account ${a['id']} is called "${a['login']}" now, but the folder belongs to account ${a['account']}`,
    'Publish from the account that the owner file names, or ask an admin.',
  ),
  'gate-owner-unclaimed': refuse(
    (a) => `No owner file on the base branch names the account of "${a['owner']}"`,
    'Ask an admin to add the owner file with your numeric account id.',
  ),
  'gate-owner-new': refuse(
    (a) => `A new owner needs an owner file that names the author's own account, ${a['id']}`,
    'Add builds/<your login>/owner.json with { "account_id": <your numeric account id> }.',
  ),
  'gate-owner-id': refuse(
    () => 'Field "account_id" of a published owner file may not change',
    'Restore the field; an admin can hand builds over.',
  ),
  'gate-owner-text': refuse(
    (a) => `The reason for "${a['what']}" ${a['problem']}`,
    'Write the reason on one line, in characters that people see.',
  ),
  'gate-admin-id': refuse(
    (a) => `Admin "${a['login']}" has no account id: the login alone proves nothing`,
    'Look the id up with "gh api users/<login> --jq .id", and write { "login": ..., "account_id": ... } under "admins" in registry.config.json.',
  ),
  'gate-owner-deleted': refuse(
    () => 'The owner file may not be deleted',
    'Restore the file; deprecate builds that you give up.',
  ),
  'gate-build-deleted': refuse(
    () => 'The pull request deletes a build that has published versions and is not deprecated',
    'Restore the folder, or deprecate the build in the owner file: its versions stay available.',
  ),
  'gate-version-published': refuse(
    (a) => `Version ${a['version']} was published by commit ${a['commit']} with other content`,
    NEW_VERSION,
  ),
  'gate-version-precedence': refuse(
    (a) =>
      `Version ${a['version']} differs from ${a['published']}, published by commit ${a['commit']}, in build metadata only`,
    'Raise one of the three numbers or the prerelease in "version".',
  ),
  'gate-version-order': refuse(
    (a) =>
      `Version ${a['version']} is not greater than ${a['newest']}, the newest of its major line`,
    'Raise "version" above it.',
  ),
  'gate-name-reserved': refuse(
    (a) => `The name "${a['name']}" is reserved by the registry`,
    'Choose another name.',
  ),
  'gate-name-near': refuse(
    (a) =>
      `The name "${a['name']}" is easily mistaken for ${a['whose']} "${a['near']}": ${a['slip']}`,
    'Choose another name, or ask an admin with the appeal form to list the id under "approved_names".',
  ),
  'gate-requirement': refuse(
    (a) => `The build requires "${a['id']}", which the registry does not have`,
    'Publish that build first, or correct field "builds".',
  ),
  'gate-requirement-range': refuse(
    (a) => `No version of "${a['id']}" is in the range "${a['range']}" that the build requires`,
    'Correct the range in field "builds", or publish a version that it takes.',
  ),
  'gate-requirement-yanked': refuse(
    (a) => `Every version of "${a['id']}" in the range "${a['range']}" is yanked`,
    'Require versions in field "builds" that are not yanked.',
  ),
  'gate-danger': refuse(
    () => 'The build is dangerous: a safety finding is at level error',
    'Remove what the findings name, or appeal with the form if a finding is wrong: an admin can accept it with a reason.',
  ),
  'gate-move-unaccepted': refuse(
    (a) => `The owner of "${a['to']}" does not accept "${a['id']}"`,
    'The new owner lists the old id first: "accepts": { "<name>": "<old owner>/<old name>" } in the owner file.',
  ),
  'gate-move-accepted': refuse(
    (a) => `"${a['id']}" moved to "${a['to']}", which must go on accepting it`,
    'Restore the entry under "accepts".',
  ),
  'gate-move-unpublished': refuse(
    (a) => `"${a['id']}" cannot move to "${a['to']}": both must be published builds`,
    'Publish the build under its new id first.',
  ),
  'gate-move-cycle': refuse(
    (a) => `"${a['id']}" cannot move to "${a['to']}": the way leads back, or over too many ids`,
    'Name the id at the end of the way.',
  ),
  'gate-withdrawal-late': refuse(
    (a) => `Version ${a['version']} was published at ${a['at']}, more than ${a['hours']} hours ago`,
    YANK_INSTEAD,
  ),
  'gate-withdrawal-role': refuse(
    () => 'A maintainer cannot withdraw a version',
    'Ask the owner or an admin, or yank the version.',
  ),
  'gate-withdrawal-undone': refuse(
    (a) => `Version ${a['version']} was withdrawn, which is permanent`,
    'Restore the entry under "withdrawn", and publish the content as a new version.',
  ),
  'gate-withdrawal-unknown': refuse(
    (a) => `Version ${a['version']} cannot be withdrawn: it was never published`,
    'Correct the name and the version.',
  ),
  'gate-take-down-role': refuse(
    () => 'Only admins take a version down',
    'Ask the admins of the registry, or yank the version; its owner can withdraw it for 72 hours after its publication.',
  ),
  'gate-take-down-undone': refuse(
    (a) =>
      `${a['version']} was taken down, which is permanent, and the statement about it never changes`,
    'Restore the entry under "taken_down".',
  ),
  'gate-take-down-unknown': refuse(
    (a) => `${a['version']} cannot be taken down: it was never published`,
    'Correct the name and the version; "*" is the whole build.',
  ),
  'gate-taken-down': refuse(
    (a) => `${a['version']} was taken down: it is not published again`,
    'Publish what may be published under another version or id, or ask the admins of the registry.',
  ),
  'gate-statement-changed': refuse(
    () => 'A report or flag is never changed or deleted',
    'Restore the file; write a new report, of which the last one counts.',
  ),
  'gate-statement-account': refuse(
    (a) => `Field "account" is "${a['account']}": it must be the author's own, "host:${a['id']}"`,
    'Report for yourself only.',
  ),
  'gate-statement-count': refuse(
    (a) => `The pull request holds more than ${a['limit']} reports and flags`,
    'Open several pull requests.',
  ),
  'gate-statement': refuse(
    (a) => `The report or flag cannot be used: ${a['problem']}`,
    'Write it with "stackyard report", or see docs/signals.md.',
  ),
  'gate-waiver': refuse(
    (a) => `The waiver of "${a['code']}" in "${a['of']}" cannot be used: ${a['problem']}`,
    'Correct the waiver; docs/publishing.md has an example.',
  ),
  'gate-moderation': refuse(
    () => 'Only admins decide about reports, flags and findings',
    'Use the appeal form.',
  ),
  'gate-moderation-file': refuse(
    (a) => `The file of decisions cannot be used: ${a['problem']}`,
    'Mend the file; its schema is schemas/moderation.schema.json.',
  ),
  'gate-advisory': refuse(
    (a) => `The advisory cannot be used: ${a['problem']}`,
    'Mend the file; its schema is schemas/advisory.schema.json, and docs/trust.md has an example.',
  ),
  'gate-advisory-build': refuse(
    (a) => `The advisory is about "${a['id']}", which the registry does not have`,
    'Correct "package.name" to the id of a published build.',
  ),
  'gate-advisory-count': refuse(
    (a) => `The pull request holds more than ${a['limit']} advisories`,
    'Open several pull requests.',
  ),
  'gate-advisory-deleted': refuse(
    () => 'An advisory is never deleted or renamed',
    'Restore the file; an advisory that was a mistake gets the field "withdrawn".',
  ),
  'gate-advisory-filer': refuse(
    (a) => `Field "database_specific.filer" must be ${a['wanted']}`,
    'It records who filed the advisory, and never changes.',
  ),
  'gate-advisory-id': refuse(
    (a) =>
      `The advisory is new, and its id "${a['id']}" is not the next one of this registry, "${a['wanted']}"`,
    'Rename the file and set field "id" to that id; ids in other databases are "aliases", and only an admin imports their advisories.',
  ),
  'gate-advisory-range': refuse(
    (a) => `No published version of "${a['id']}" is affected`,
    'Correct "ranges" or "versions".',
  ),
  'gate-advisory-modified': refuse(
    (a) => `Field "modified" is ${a['modified']}: ${a['problem']}`,
    'Set "modified" to the present time in UTC.',
  ),
  'gate-advisory-published': refuse(
    (a) => `Field "published" of an advisory may not change: it was ${a['published']}`,
    'Restore the field.',
  ),
  'gate-advisory-text': refuse(
    (a) => `Field "${a['field']}" ${a['problem']}`,
    'Write the text in characters that people see.',
  ),
  'gate-no-build': review(
    () => 'The pull request changes the registry itself, and publishes nothing',
    'Nothing to do: a maintainer of the registry reviews and merges it.',
  ),
  'gate-first-build': review((a) => `The first build of "${a['owner']}"`, WAIT),
  'gate-new-name': review((a) => `A new name: "${a['id']}"`, WAIT),
  'gate-name-like': review(
    (a) => `The name "${a['name']}" is like that of ${a['whose']} "${a['near']}": ${a['slip']}`,
    WAIT,
  ),
  'gate-name-twin': review((a) => `"${a['twin']}" has the same name`, WAIT),
  'gate-owner-near': review(
    (a) => `Owner "${a['owner']}" is easily mistaken for owner "${a['near']}": ${a['slip']}`,
    WAIT,
  ),
  'gate-capability': review((a) => `This version can ${a['can']}; ${a['version']} could not`, WAIT),
  'gate-unread-changed': review(
    (a) => `The code in this file was not read, and it differs from version ${a['version']}`,
    WAIT,
  ),
  'gate-caution': review(() => 'A safety finding is at level warn', WAIT),
  'gate-waiver-own': review(
    (a) => `Admin "${a['login']}" accepts a finding of an own build`,
    'Another admin looks at it.',
  ),
  'gate-waiver-stale': review(
    (a) =>
      `The waiver of "${a['code']}" does not hold: the file is another one than in version ${a['version']}`,
    'Appeal again if the finding is wrong for this content as well.',
  ),
  'gate-consent': review(
    (a) => `An install needs consent ("${a['class']}"): ${a['paths']}. ${a['does']}`,
    'Nothing to do: an admin looks at it. Without the files, or with them as source files in the folder "base", nobody has to.',
  ),
  'gate-owner-renamed': review(
    (a) => `The owner's account is called "${a['login']}" now, and the folder "${a['owner']}"`,
    WAIT,
  ),
  'gate-admin': review(
    (a) => `Admin "${a['login']}" changes builds of "${a['owner']}"`,
    'Another admin looks at it.',
  ),
  'gate-maintainers': review(() => 'The maintainers change', WAIT),
  'gate-maintainer-id': review(
    (a) => `Maintainer "${a['login']}" has no account id: the login alone proves nothing`,
    'Look the id up with "gh api users/<login> --jq .id", and write { "login": ..., "account_id": ... } under "maintainers"; until then an admin looks at each pull request.',
  ),
  'gate-advisory-import': review(
    (a) => `Advisory "${a['id']}" of another database is imported`,
    WAIT,
  ),
  'gate-advisory-reduced': review(
    (a) =>
      `"${a['login']}" withdraws, narrows or rewords "${a['id']}", an advisory of ${a['whose']}`,
    WAIT,
  ),
  'gate-advisory-restored': review((a) => `Advisory "${a['id']}" is withdrawn no more`, WAIT),
  'gate-move': review((a) => `"${a['id']}" moves to "${a['to']}"`, WAIT),
  'gate-move-back': review((a) => `"${a['id']}" is moved no more`, WAIT),
  'gate-unyank': review((a) => `"${a['version']}" is yanked no more`, WAIT),
  'gate-restored': review((a) => `Version ${a['version']} is put back as it was published`, WAIT),
} as const satisfies Record<string, ReasonText>;

/** A code of the table; codes are never renamed and never change their meaning. */
type ReasonCode = keyof typeof REASON_TEXTS;

function refuse(message: ReasonText['message'], remedy: string): ReasonText {
  return { level: 'refuse', message, remedy };
}

function review(message: ReasonText['message'], remedy: string): ReasonText {
  return { level: 'review', message, remedy };
}

/** @param file path in the repository; `""` when the whole pull request is meant */
export function reason(code: ReasonCode, file: string, args: ReasonArgs = {}): Reason {
  const { level, message, remedy } = REASON_TEXTS[code];
  return { level, code, file: printable(file), line: 0, message: message(args), remedy };
}

/** A finding that stops publication. @param folder the build's folder in the repository */
export function findingReason(found: Finding, folder: string): Reason {
  return {
    level: 'refuse',
    code: found.code,
    file: [folder, found.file].filter((part) => part !== '').join('/'),
    line: found.place?.line ?? 0,
    message: findingMessage(found),
    remedy: FINDING_TEXTS[found.code].remedy,
  };
}
