/**
 * Text of publishers inside Markdown pages and inside the commands that a code host reads from a log. It
 * is hostile: it may try to link, show images, mention people, break out of a table or issue commands.
 */
import { quote } from '../../scan/text/quote.ts';

const MAX_LENGTH = 500;

/**
 * `text` as literal text in a line of Markdown: all but a few harmless characters are numeric entities, which
 * Markdown never interprets as structure. An invisible character prevents that `@` and `#` become mentions.
 */
export function escapeMarkdown(text: string, max: number = MAX_LENGTH): string {
  return entities(quote(text, max)).replaceAll(/&#(?:64|35);/g, '$&&#8203;');
}

/** `text` as code in Markdown, where hosts do not detect mentions and links. */
export function codeMarkdown(text: string, max: number = MAX_LENGTH): string {
  return `<code>${entities(quote(text, max))}</code>`;
}

/** The message of a workflow command: one line that contains no other command. */
export function escapeCommandData(text: string): string {
  return quote(text, MAX_LENGTH)
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A')
    .replaceAll('##[', '# #[');
}

/** The value of a property of a workflow command. */
export function escapeCommandProperty(text: string): string {
  return escapeCommandData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** A dot ends a sentence or stands in a number; elsewhere it could make an address. */
function entities(line: string): string {
  return line.replaceAll(/[^A-Za-z0-9 ,"'/()-]/gu, (character, at: number) =>
    character === '.' && isHarmlessDot(line, at) ? '.' : `&#${character.codePointAt(0)};`,
  );
}

function isHarmlessDot(line: string, at: number): boolean {
  const [before = '', after = ''] = [line[at - 1], line[at + 1]];
  return after === '' || after === ' ' || (/\d/.test(before) && /\d/.test(after));
}
