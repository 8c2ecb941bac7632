/**
 * Adds the variables that a build reads to the text of a `.env.example`, in one block:
 *
 *     # alice/mailer
 *     # Address of the mail server (required)
 *     MAIL_URL=smtp://localhost:25
 *
 * An optional one has its example in the comment and no value: an example is no default, and who copies the file to `.env`
 * starts with the defaults. In a project that refuses to start without each variable of the file it is a comment as a whole.
 * Names, descriptions and examples come from manifests. They are untrusted: none may add another variable.
 */
import { isDeepStrictEqual, parseEnv } from 'node:util';
import type { Manifest } from '../../format/build/manifest.ts';
import { InternalError } from '../../format/errors.ts';
import { ClientError } from '../errors.ts';
import {
  endOfContent,
  type FileLine,
  findRun,
  insertLines,
  isBlank,
  joinFileLines,
  splitFileLines,
} from './file-lines.ts';
import { ENV_EXAMPLE } from './edited-files.ts';
import { quote, splitBom } from './project-file.ts';

interface EnvOutcome {
  readonly name: string;
  readonly required: boolean;
  readonly action: 'added' | 'kept';
  readonly description?: string;
  readonly example?: string;
  /** The added lines, joined by LF. */
  readonly text?: string;
  /** The previous version added it, and it stays the same. */
  readonly unchanged?: true;
}

interface EnvExampleEdit {
  /** `undefined`: there is no file and none is needed. */
  readonly text: string | undefined;
  readonly env: readonly EnvOutcome[];
}

type Variable = NonNullable<Manifest['env']>[string];

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Control characters, line and paragraph separators, and characters that change the writing direction. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/** Values that every reader of such files reads unquoted. */
const PLAIN_VALUE = /^[A-Za-z0-9_.:/@%+,?&~-]*$/;

/**
 * Adds a block for the variables of `build` that `text` does not have. A variable that is commented out
 * does not count.
 * @param earlier lines that the previous version added, by variable name: lines that are still there are
 *   replaced by those of this version
 * @param isStrict whether the project starts only with every variable that the file has
 * @throws {ClientError} `ERR_PROJECT_FILE` when the added lines would not be read back as intended
 */
export function editEnvExample(
  text: string | undefined,
  build: string,
  env: Manifest['env'],
  earlier: ReadonlyMap<string, string> = new Map(),
  isStrict = false,
): EnvExampleEdit {
  const { bom, body } = splitBom(text ?? '');
  const before = readVariables(body);
  let lines = splitFileLines(body);
  const outcomes: EnvOutcome[] = [];
  const block: string[] = [];
  const intended = new Map(before);
  for (const [name, variable] of Object.entries(env ?? {})) {
    refuseStrange(name, build);
    const { description, example } = variable;
    const required = variable.required ?? false;
    const old = earlier.get(name);
    const isComment = isStrict && !required;
    const isThere =
      before.has(name) ||
      (old !== undefined && findRun(lines, old.split('\n')) >= 0) ||
      (isComment && lines.some((line) => line.text.startsWith(`# ${name}=`)));
    const action = isThere && old === undefined ? 'kept' : 'added';
    const written = linesOf(name, variable, isComment);
    const outcome: EnvOutcome = {
      name,
      required,
      action,
      ...(description === undefined ? {} : { description }),
      ...(example === undefined ? {} : { example }),
      ...(action === 'kept' ? {} : { text: written.join('\n') }),
    };
    if (action === 'kept') {
      outcomes.push(outcome);
      continue;
    }
    const value = readVariables(written.join('\n')).get(name);
    if (!isThere) {
      outcomes.push(outcome);
      block.push(...written);
      if (value !== undefined) intended.set(name, value);
      continue;
    }
    const replaced = replaceVariable(lines, (old ?? '').split('\n'), written);
    const isSame = joinFileLines(replaced.lines) === joinFileLines(lines);
    outcomes.push(isSame ? { ...outcome, unchanged: true } : outcome);
    lines = replaced.lines;
    if (replaced.isNewValue && value === undefined) intended.delete(name);
    else if (replaced.isNewValue) intended.set(name, value!);
  }
  lines = insertBlock(lines, printable(build), block, earlier);
  const edited = joinFileLines(lines);
  if (edited === body) return { text, env: outcomes };
  if (!isDeepStrictEqual(readVariables(edited), intended)) throw unreadable(before, body);
  return { text: bom + edited, env: outcomes };
}

/** The variables that Node.js reads from `text`, by name. */
export function readVariables(text: string): Map<string, string> {
  const entries = Object.entries(parseEnv(text));
  return new Map(entries.map(([name, value]) => [name, value ?? '']));
}

/** `line` with its variable where it is one as a comment. */
export function withoutComment(line: string): string {
  return /^# [A-Za-z_][A-Za-z0-9_]*=/.test(line) ? line.slice(2) : line;
}

/** The comment line and the line with the variable and its example. */
function linesOf(
  name: string,
  { description, example, required }: Variable,
  isComment: boolean,
): string[] {
  const value = tryFormatValue(example ?? '');
  const isValue = required === true || isComment;
  const hint = isValue || !value ? '' : `, such as ${value}`;
  const need = required === true ? '(required)' : `(optional${hint})`;
  const words = [printable(description ?? ''), need];
  return [
    `# ${words.filter((word) => word !== '').join(' ')}`,
    ...(value === undefined ? ['# The example of the build cannot be written here'] : []),
    `${isComment ? '# ' : ''}${name}=${isValue ? (value ?? '') : ''}`,
  ];
}

/** Replaces the comment and the value of a variable, each if it still has the old text. */
function replaceVariable(
  lines: readonly FileLine[],
  old: readonly string[],
  now: readonly string[],
): { readonly lines: FileLine[]; readonly isNewValue: boolean } {
  const whole = findRun(lines, old);
  if (whole >= 0) {
    const ends = lines[whole]?.end === '\r\n' ? '\r\n' : '\n';
    const last = lines[whole + old.length - 1]?.end ?? '';
    const added = now.map((text, index) => ({
      text,
      end: index === now.length - 1 ? last : ends,
    }));
    const rest = lines.slice(whole + old.length);
    return { lines: [...lines.slice(0, whole), ...added, ...rest], isNewValue: true };
  }
  const name = /^[^=]*=/.exec(old.at(-1) ?? '')?.[0] ?? '=';
  const comment = findRun(lines, old.slice(0, -1));
  const isAbove = lines[comment + old.length - 1]?.text.startsWith(name) === true;
  if (comment < 0 || !isAbove || old.length !== 2 || now.length !== 2) {
    return { lines: [...lines], isNewValue: false };
  }
  const text = now[0] ?? '';
  return {
    lines: lines.map((line, index) => (index === comment ? { ...line, text } : line)),
    isNewValue: false,
  };
}

/** At the end after an empty line, or at the end of the block that has a variable of `earlier`. */
function insertBlock(
  lines: readonly FileLine[],
  build: string,
  block: readonly string[],
  earlier: ReadonlyMap<string, string>,
): FileLine[] {
  if (block.length === 0) return [...lines];
  const heading = `# ${build}`;
  for (const [at, { text }] of lines.entries()) {
    if (text !== heading) continue;
    const length = lines.slice(at).findIndex((line) => isBlank(line.text));
    const end = length < 0 ? lines.length : at + length;
    const names = lines.slice(at, end).map(({ text }) => withoutComment(text).split('=', 1)[0]!);
    if (names.some((name) => earlier.has(name))) return insertLines(lines, end, block);
  }
  const at = endOfContent(lines);
  return insertLines(lines, at, [...(at === 0 ? [] : ['']), heading, ...block]);
}

function refuseStrange(name: string, build: string): void {
  // An object cannot have `__proto__` as a plain entry: the reader of Node.js would lose it.
  if (VARIABLE_NAME.test(name) && name !== '__proto__') return;
  throw new ClientError(
    'ERR_DEPENDENCY',
    `Cannot add variable ${quote(name)} for ${quote(build)}: not a name of a variable`,
    { hint: 'use letters, digits and "_", and no digit at the front' },
  );
}

/** `example` in the first quotes with which it is read back unchanged; `undefined` when there are none. */
function tryFormatValue(example: string): string | undefined {
  if (example.search(UNPRINTABLE) >= 0 || !example.isWellFormed()) return undefined;
  if (PLAIN_VALUE.test(example)) return example;
  // Readers expand backslashes and dollar signs in double quotes, each by its own rules.
  const marks = /[\\$]/.test(example) ? ["'", '`', '"'] : ['"', "'", '`'];
  const quoted = marks.map((mark) => `${mark}${example}${mark}`);
  return quoted.find((value) =>
    isDeepStrictEqual(
      readVariables(`A=${value}\nB=1\n`),
      new Map([
        ['A', example],
        ['B', '1'],
      ]),
    ),
  );
}

function printable(text: string): string {
  return text.toWellFormed().replaceAll(UNPRINTABLE, ' ').trim();
}

function unreadable(before: ReadonlyMap<string, string>, text: string): Error {
  // Only a file that ends within quotes makes the added lines part of a value.
  if (!isDeepStrictEqual(readVariables(`${text}\n\n`), before) || /["'`]/.test(text)) {
    return new ClientError(
      'ERR_PROJECT_FILE',
      `Cannot add to "${ENV_EXAMPLE}": lines added at its end would not be read as variables`,
      { hint: 'close the quotes that are open in the file and run the command again' },
    );
  }
  return new InternalError(`the edit of "${ENV_EXAMPLE}" is not read back as meant`);
}
