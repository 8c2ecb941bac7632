/** Checks texts of the user that will be public permanently. */
import { shownTextProblem } from '../../format/document/shown-text.ts';
import { personalDataIn } from '../../format/statement/personal-data.ts';
import { ClientError } from '../errors.ts';
import { oneLine } from '../terminal/printable.ts';

/**
 * `text` on one line.
 * @param flag the option of the text, such as `--reason`
 * @throws {ClientError} `ERR_USAGE` when it is missing or too long, `ERR_PERSONAL_DATA`
 */
export function checkedText(text: string | undefined, flag: string, maxCharacters: number): string {
  const line = oneLine(text ?? '');
  if (line === '') {
    throw new ClientError('ERR_USAGE', `Option ${flag} is missing or empty`, {
      hint: `give a reason, such as ${flag} "It fails to start on Node 24"`,
    });
  }
  const hidden = shownTextProblem(line);
  if (hidden !== undefined) {
    throw new ClientError('ERR_USAGE', `The text of ${flag} ${hidden}`, {
      hint: 'write it in characters that people see',
    });
  }
  const { length } = Array.from(line);
  if (length > maxCharacters) {
    throw new ClientError('ERR_USAGE', `The text of ${flag} has ${length} characters`, {
      hint: `at most ${maxCharacters} are allowed`,
    });
  }
  const found = personalDataIn(line);
  if (found === undefined) return line;
  throw new ClientError('ERR_PERSONAL_DATA', `The text of ${flag} seems to hold ${found}`, {
    hint: 'it would be public permanently: leave it out',
  });
}
