/**
 * Adds the variables that a build reads to the text of a `.env.example`, in one block:
 *
 *     # alice/mailer
 *     # Address of the mail server (required)
 *     MAIL_URL=smtp://localhost:25
 *
 * Names, descriptions and examples come from manifests: untrusted, and none may become a variable.
 */
import { isDeepStrictEqual, parseEnv } from 'node:util';
import type { Manifest } from '../../format/manifest.ts';
import { InternalError } from '../../format/errors.ts';
import { ClientError } from '../errors.ts';
import { appendLines, quote, splitBom } from './project-file.ts';

interface EnvOutcome {
  readonly name: string;
  readonly required: boolean;
  readonly action: 'added' | 'kept';
  readonly description?: string;
  readonly example?: string;
}

export interface EnvExampleEdit {
  /** `undefined`: there was no file and none is needed. */
  readonly text: string | undefined;
  readonly env: readonly EnvOutcome[];
}

const FILE = '.env.example';
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Control characters, line and paragraph separators, and marks that turn the direction of writing. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/** Values that every reader of such files takes as they stand. */
const PLAIN_VALUE = /^[A-Za-z0-9_.:/@%+,?&~-]*$/;

/**
 * `text` with a block for the variables of `build` that it does not have. A variable that is commented
 * out does not count as one.
 * @throws {ClientError} `ERR_PROJECT_FILE` when what is appended would not be read back as meant
 */
export function editEnvExample(
  text: string | undefined,
  build: string,
  env: Manifest['env'],
): EnvExampleEdit {
  const before = readVariables(text ?? '');
  const outcomes: EnvOutcome[] = [];
  const block: string[] = [];
  const intended = new Map(before);
  for (const [name, variable] of Object.entries(env ?? {})) {
    refuseStrange(name, build);
    const { description, example } = variable;
    const required = variable.required ?? false;
    const action = before.has(name) ? 'kept' : 'added';
    outcomes.push({
      name,
      required,
      action,
      ...(description === undefined ? {} : { description }),
      ...(example === undefined ? {} : { example }),
    });
    if (action === 'kept') continue;
    const value = tryFormatValue(example ?? '');
    const words = [printable(description ?? ''), required ? '(required)' : '(optional)'];
    block.push(`# ${words.filter((word) => word !== '').join(' ')}`);
    if (value === undefined) block.push('# The example of the build cannot be written here');
    block.push(`${name}=${value ?? ''}`);
    intended.set(name, value === undefined ? '' : (example ?? ''));
  }
  if (block.length === 0) return { text, env: outcomes };
  const { body } = splitBom(text ?? '');
  const gap = body === '' || /(?:^|\n)[ \t]*\r?\n$/.test(body) ? [] : [''];
  const edited = appendLines(text ?? '', [...gap, `# ${printable(build)}`, ...block]);
  if (!isDeepStrictEqual(readVariables(edited), intended)) throw unreadable(before, text ?? '');
  return { text: edited, env: outcomes };
}

/** The variables that Node reads in `text`; the order is that of the names. */
function readVariables(text: string): Map<string, string> {
  const entries = Object.entries(parseEnv(splitBom(text).body));
  return new Map(entries.map(([name, value]) => [name, value ?? '']));
}

function refuseStrange(name: string, build: string): void {
  // An object cannot hold `__proto__` as a plain entry: Node's reader would lose it.
  if (VARIABLE_NAME.test(name) && name !== '__proto__') return;
  throw new ClientError(
    'ERR_DEPENDENCY',
    `Cannot add variable ${quote(name)} for ${quote(build)}: not a name of a variable`,
    { hint: 'use letters, digits and "_", and no digit at the front' },
  );
}

/** `example` in the first quotes that give it back; `undefined` when none does. */
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
  // Only a file that ends within quotes takes in what follows it.
  if (!isDeepStrictEqual(readVariables(`${text}\n\n`), before) || /["'`]/.test(text)) {
    return new ClientError(
      'ERR_PROJECT_FILE',
      `Cannot add to "${FILE}": what is added at its end would not be read as variables`,
      { hint: 'close the quotes that are open in the file and run the command again' },
    );
  }
  return new InternalError(`the edit of "${FILE}" is not read back as meant`);
}
