/** The first lines of what a failed step wrote, as a matrix keeps them: without colours, paths of this machine and noise. */
import { stripVTControlCharacters } from 'node:util';
import { MAX_ERROR_LINES, MAX_ERROR_LINE_CHARACTERS } from '../../format/index/compatibility.ts';

const CONTROLS = /\p{Cc}/gu;

const SIGN =
  /\b(?:error|err!|failed|failure|exception|cannot|not found|ended with status)\b|ERR_|Error:/i;
const NOISE = /^(?:npm (?:warn|notice)\b|\(node:\d+\)|\s*\^+\s*$|> )/;

/**
 * @param folders of this machine, which become `.`
 * @returns at least one line
 */
export function errorLines(output: string, folders: readonly string[]): string[] {
  let text = stripVTControlCharacters(output);
  for (const folder of folders) text = text.replaceAll(folder, '.');
  const lines = text
    .split(/\r?\n|\r/)
    .map((line) => line.replaceAll(CONTROLS, ' ').trimEnd())
    .filter((line) => line.trim() !== '' && !NOISE.test(line));
  const first = Math.max(
    0,
    lines.findIndex((line) => SIGN.test(line)),
  );
  const shown = lines
    .slice(first, first + MAX_ERROR_LINES)
    .map((line) => line.slice(0, MAX_ERROR_LINE_CHARACTERS).toWellFormed().trimEnd());
  return shown.length === 0 ? ['it wrote nothing'] : shown;
}
