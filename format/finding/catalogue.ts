/**
 * The English text of every finding: one table per group in `texts/`, combined here.
 * `docs/findings.md` is generated from it.
 */
import { type FindingText, textsOf } from './texts/finding-text.ts';
import { BEHAVIOUR_TEXTS } from './texts/behaviour.ts';
import { MANIFEST_TEXTS } from './texts/manifest.ts';
import { QUALITY_TEXTS } from './texts/quality.ts';
import { SUPPLY_CHAIN_TEXTS } from './texts/supply-chain.ts';

const safety = textsOf('safety');
const quality = textsOf('quality');
const agent = textsOf('agent');

/** The texts of the findings about wired fences in INTEGRATION.md. See `finding-text.ts`. */
const WHY =
  'Clients carry out wired fences in projects. One that is not completely clear is left to people, who rely on it.';
const SEE = 'Follow docs/integration-guide.md, which describes the form.';

const WIRING_TEXTS = {
  'expectations-line': wiring(
    (a) => `A line of expectations is "${a['found']}": it must be ${a['wanted']}`,
    'Write one request to the application on each line, as docs/integration-guide.md describes; a client sends none of a guide with such a line.',
  ),
  'wiring-place': wiring(
    () => 'A wired fence is not in a numbered step of the section "Steps"',
    `Move it into a step, or leave out the word "wire". ${SEE}`,
  ),
  'wiring-hidden': wiring(
    (a) =>
      `A wired fence is ${a['where']}: its page does not show it as code, so no client carries it out`,
    'Write the step without HTML around it, and close HTML before it in the same list item, or leave out the word "wire".',
  ),
  'wiring-language': wiring(
    (a) => `A wired fence has the language "${a['found']}": it must be ${a['wanted']}`,
    SEE,
  ),
  'wiring-verb': wiring(
    (a) => `A wired fence has the verb "${a['found']}": it must be ${a['wanted']}`,
    SEE,
  ),
  'wiring-target': wiring(
    (a) => `A wired fence has the target "${a['found']}": it must be ${a['wanted']}`,
    `Name a source file of the project, or a role. ${SEE}`,
  ),
  'wiring-anchor': wiring(
    (a) => `A wired fence has the anchor "${a['found']}": it must be ${a['wanted']}`,
    SEE,
  ),
  'wiring-unclosed': wiring(
    () => 'A wired fence has no closing marks',
    'Close it with the marks that opened it, at the same indentation.',
  ),
  'wiring-empty': wiring(() => 'A wired fence has no content', 'Write the block, or remove it.'),
  'wiring-block-syntax': wiring(
    (a) => `The block of a wired fence is not ${a['wanted']}`,
    'Correct the syntax: whole statements for "import" and "insert", one expression for the others.',
  ),
  'wiring-block-name': wiring(
    (a) => `The block of a wired fence uses "${a['name']}", which nothing in its step binds`,
    'Import it in the same step, or use only what the anchor provides.',
  ),
  'wiring-block-import': wiring(
    (a) =>
      `The block of a wired fence imports "${a['specifier']}": it may import files of the build, of builds that it requires, and declared packages`,
    'Correct the path, or declare the build or the package in stackyard.json.',
  ),
  'wiring-tag': wiring(
    (a) =>
      `The block of a wired fence imports ${a['names']} from "${a['specifier']}", which promises ${a['promised']}`,
    'Import what docs/modules.md promises for a tag, by its names.',
  ),
} as const satisfies Record<string, FindingText>;

function wiring(message: FindingText['message'], remedy: string): FindingText {
  return { group: 'manifest', level: 'error', message, why: WHY, remedy };
}

/** The texts of the safety findings about what runs automatically, and about shell text. See `finding-text.ts`. */
const SHELL_WHY =
  'People, programs and agents run commands in scripts and instructions exactly as written.';

const AUTO_RUN_TEXTS = {
  'auto-run-script': safety.warn(
    (a) => `The script "${a['script']}" ${a['does']} when packages are installed: "${a['text']}"`,
    'Package managers run such scripts automatically: most malicious packages start this way.',
    'Let the user run it: give the script a name of its own, and describe it in INTEGRATION.md.',
  ),
  'auto-run-file': safety.info(
    (a) => `When ${a['when']}, ${a['what']} runs${a['text'] === '' ? '' : `: "${a['text']}"`}`,
    'Opening, entering or installing a project must not run code that the user did not start.',
    'Remove it, or let the user turn it on.',
  ),
  'shell-fetch-run': safety.warn(
    (a) => `What ${a['url']} serves is run, whatever it is then: "${a['line']}"`,
    `${SHELL_WHY} What an address serves can change after every review.`,
    'Name a package and version, or fetch a file, compare its digest, and run it then.',
  ),
  'shell-fetch-decode': safety.error(
    (a) => `Encoded text is decoded and run: "${a['line']}"`,
    `${SHELL_WHY} Commands are encoded to be overlooked.`,
    'Write the commands as they are.',
  ),
  'shell-fetch-connect': safety.error(
    (a) => `A shell is connected to a remote host: "${a['line']}"`,
    `${SHELL_WHY} A reverse shell gives others control of the machine.`,
    'Remove it.',
  ),
  'shell-fetch-send': safety.error(
    (a) => `Secrets, or who and where the user is, go to ${a['url']}: "${a['line']}"`,
    `${SHELL_WHY} Environments, key files and names of machines belong to the user.`,
    'Remove it.',
  ),
  'shell-fetch-destroy': safety.warn(
    (a) => `The user's files are deleted: "${a['line']}"`,
    `${SHELL_WHY} Deleted files cannot be restored.`,
    'Delete what the build itself made, by its full name.',
  ),
  'shell-fetch-inline': safety.info(
    (a) => `Code within a command reaches for network or processes: "${a['line']}"`,
    `${SHELL_WHY} Code in a string is easily overlooked.`,
    'Put the code into a file.',
  ),
  'shell-fetch-unread': safety.info(
    (a) => `Shell text was read up to ${a['limit']} characters`,
    'Text that the checks did not read is not cleared.',
    'Split the file.',
  ),
} as const satisfies Record<string, FindingText>;

/** What ended a scan, by `cause`. */
const SCAN_ENDS: Readonly<Record<string, (detail: unknown) => string>> = {
  memory: () => 'the scanner had not enough memory',
  time: (limit) => `the scanner needed more than ${String(limit)} s of processor time`,
};

const SAFETY_TEXTS = {
  'file-executable': safety.info(
    () => 'The file is executable and is installed with mode 755',
    'People who install a build should know which files can be run.',
    'Nothing, if it is meant to be run; else clear the bit.',
  ),
  'check-failed': safety.warn(
    (a) => `Check "${a['check']}" failed: ${a['problem']}`,
    'A check that did not finish has not cleared the build.',
    'Report it to the registry: this is a defect of the check.',
  ),
  'scan-ended': safety.error(
    (a) => `The build was not scanned: ${(SCAN_ENDS[String(a['cause'])] ?? String)(a['detail'])}`,
    'Code that ends the scanner is not cleared, and usual code does not do this.',
    'Split the file, or publish the source instead of what is generated from it. If the files are usual code, report it to the registry: it is a defect of the scanner.',
  ),
  'source-unread': safety.warn(
    (a) => `The code in this file was not read completely: ${a['reason']}`,
    'Code that was not read is not cleared: a file over 1 MB, or nested deeper than 250 levels. The level is info for tests that nothing starts, and for code without a source or sink in a build with more code than is read of one.',
    'Split the file, or publish the source instead of what is generated from it; save Python as UTF-8.',
  ),
} as const satisfies Record<string, FindingText>;

/** The texts of the safety findings about what a build's files hide. See `finding-text.ts`. */
const HIDDEN_WHY =
  'Invisible characters make code look different from what it does, and carry instructions that only machines read.';

const HIDDEN_CONTENT_TEXTS = {
  'hidden-text-bidi': safety.warn(
    (a) =>
      `Has ${a['count']} characters that turn the direction of text (${a['point']}): "${a['line']}"`,
    `${HIDDEN_WHY} Bidirectional controls put code into what looks like a comment (CVE-2021-42574).`,
    'Remove them, or write them as escapes. Close embeddings and isolates in the line that opens them.',
  ),
  'hidden-text-tag': safety.error(
    (a) => `Has ${a['count']} tag characters, which are invisible (${a['point']}): "${a['line']}"`,
    `${HIDDEN_WHY} Tag characters spell hidden ASCII text; outside flags nothing uses them.`,
    'Remove them.',
  ),
  'hidden-text-encoded': safety.error(
    (a) =>
      `Has ${a['count']} invisible characters in a row, as if they carried data (${a['point']}): "${a['line']}"`,
    `${HIDDEN_WHY} Runs of selectors, zero-width or private characters encode payloads.`,
    'Remove them, or keep data in a file of its own in a form that can be read.',
  ),
  'hidden-text-filler': safety.warn(
    (a) =>
      `A filler that is a letter to programs and blank to people (${a['point']}): "${a['line']}"`,
    `${HIDDEN_WHY} Hangul fillers are valid names in code.`,
    'Remove it, or write it as an escape.',
  ),
  'hidden-text-invisible': safety.info(
    (a) => `Has ${a['count']} invisible characters (${a['point']}): "${a['line']}"`,
    `${HIDDEN_WHY} Within a name, a key or an instruction they change what it means.`,
    'Remove them, or write them as escapes.',
  ),
  'hidden-text-look-alike': safety.warn(
    (a) =>
      `Name "${a['word']}" looks like "${a['latin']}" and has letters of another script (${a['script']})`,
    'Two names that look the same and differ let a reviewer approve code that does something else.',
    'Write the name in one script.',
  ),
  'spelled-code': safety.warn(
    (a) => `Code is written as ${a['how']}: it reads "${a['code']}"`,
    'Code that starts programs or opens connections is spelled out in numbers or letters to be overlooked.',
    'Write the code as code.',
  ),
  secret: safety.warn(
    (a) => `This looks like a secret (${a['what']}): ${a['value']}`,
    'A published version is permanent: everyone who reads it can use the secret.',
    'Revoke the secret where it came from, then remove it. For documentation use a value that contains "example".',
  ),
  'binary-file': safety.warn(
    (a) => `The file is ${a['what']}, ${a['bytes']} bytes`,
    'A binary cannot be reviewed.',
    'Publish the source, and let a package manager bring programs.',
  ),
  'compiled-cache': safety.error(
    (a) => `The file is byte code or the cache of a tool: ${a['path']}`,
    'Byte code and caches are used instead of the sources beside them: an import runs code that nobody can review.',
    'Remove the file, and add its folder to .gitignore. The client never writes such files.',
  ),
  'disguised-file': safety.error(
    (a) => `Named as ${a['name']}, the file is ${a['content']}`,
    'A program with the name of a picture or a document is there to be overlooked.',
    'Give the file the name of what it is, or remove it.',
  ),
  'archive-file': safety.warn(
    (a) => `The file is an archive (${a['type']})${a['holds']}`,
    'What is in an archive is installed without being looked at.',
    'Publish the files themselves.',
  ),
} as const satisfies Record<string, FindingText>;

/** The texts of the findings about instructions to coding agents. See `finding-text.ts`. */
const AGENT_TEXTS = {
  'agent-instructions': agent.info(
    () => 'Coding agents load this file as instructions',
    'Agents obey this text: read it before you install the build.',
    'Nothing: the finding informs the people who install the build.',
  ),
  'agent-injection': safety.error(
    // Not `agent`: it does harm, and risk is computed from safety findings.
    (a) => `Coding agents are instructed ${a['says']} ${a['where']}: "${a['line']}"`,
    'Agents follow what they read with the rights of the user who started them.',
    'Remove it. Documentation that quotes such an attack must state that next to the quotation.',
  ),
  'integration-step-file': quality.warn(
    (a) => `INTEGRATION.md names "${a['path']}", which the build does not have`,
    'People and agents stop at a step that cannot be carried out.',
    'Correct the path, or publish the file.',
  ),
  'integration-step-variable': quality.warn(
    (a) =>
      `INTEGRATION.md names variable "${a['name']}", which neither the manifest nor any file has`,
    'People and agents stop at a step that cannot be carried out.',
    'Correct the name, or declare the variable in "env".',
  ),
} as const satisfies Record<string, FindingText>;

/** Every finding that the registry knows, by code. */
export const FINDING_TEXTS = {
  ...MANIFEST_TEXTS,
  ...SAFETY_TEXTS,
  ...BEHAVIOUR_TEXTS,
  ...HIDDEN_CONTENT_TEXTS,
  ...AUTO_RUN_TEXTS,
  ...SUPPLY_CHAIN_TEXTS,
  ...AGENT_TEXTS,
  ...QUALITY_TEXTS,
  ...WIRING_TEXTS,
} as const satisfies Record<string, FindingText>;

/** A code of the catalogue; codes are never renamed and never change their meaning. */
export type FindingCode = keyof typeof FINDING_TEXTS;
