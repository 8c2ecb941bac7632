/** A line for people: plain text, or spans with the role that each plays. Colours are chosen here, in one place. */
import pico from 'picocolors';
import { printable } from './printable.ts';

/** What a span means; the colour follows from it. */
export type Role =
  | 'added'
  | 'changed'
  | 'removed'
  | 'good'
  | 'bad'
  | 'path'
  | 'command'
  | 'number'
  | 'strong'
  | 'faint';

interface Span {
  readonly role: Role;
  readonly text: string;
}

/** One line; a string has no role. */
export type StyledText = string | readonly (string | Span)[];

/** `text` with a role. */
export function span(role: Role, text: string | number): Span {
  return { role, text: String(text) };
}

/** The role of a rating of risk. */
export function riskRole(risk: string): Role {
  return risk === 'ok' ? 'good' : risk === 'caution' ? 'changed' : 'bad';
}

/** The line without roles. */
export function plainText(line: StyledText): string {
  if (typeof line === 'string') return line;
  return line.map((part) => (typeof part === 'string' ? part : part.text)).join('');
}

/**
 * The line without control characters, coloured by its roles if `hasColor`.
 * @param name how commands of this client are written
 */
export function paintText(
  line: StyledText,
  hasColor: boolean,
  name: NameCommands = (text) => text,
): string {
  if (typeof line === 'string') return printable(line);
  const colors = pico.createColors(hasColor);
  const paints: Readonly<Record<Role, (text: string) => string>> = {
    added: colors.green,
    changed: colors.yellow,
    removed: colors.red,
    good: colors.green,
    bad: colors.red,
    path: colors.cyan,
    command: colors.cyan,
    number: colors.magenta,
    strong: colors.bold,
    faint: colors.dim,
  };
  const textOf = ({ role, text }: Span): string => (role === 'command' ? name(text) : text);
  return line
    .map((part) =>
      typeof part === 'string' ? printable(part) : paints[part.role](printable(textOf(part))),
    )
    .join('');
}

/** Changes the commands in a text. */
export type NameCommands = (text: string) => string;

/**
 * Writes `start` instead of `stackyard` where a text has a command of this client.
 * @param start what the user types before the name of a command
 * @param names of the commands
 */
export function nameCommands(start: string, names: readonly string[]): NameCommands {
  if (start === 'stackyard') return (text) => text;
  const words = [...names, '--help', '--version', 'help', '<command>'].join('|');
  // Ids such as stackyard/account, and sentences about the program, stay.
  const command = new RegExp(`(?<![\\w/@:.-])stackyard (?=(?:${words})(?![\\w/-]))`, 'g');
  return (text) => text.replace(command, () => `${start} `);
}
