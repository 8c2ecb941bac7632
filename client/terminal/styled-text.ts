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

export interface Span {
  readonly role: Role;
  readonly text: string;
}

/** One line; a string has no role. */
export type StyledText = string | readonly (string | Span)[];

/** `text` with a role. */
export function span(role: Role, text: string | number): Span {
  return { role, text: String(text) };
}

/** The line without roles. */
export function plainText(line: StyledText): string {
  if (typeof line === 'string') return line;
  return line.map((part) => (typeof part === 'string' ? part : part.text)).join('');
}

/** The line without control characters, coloured by its roles if `hasColor`. */
export function paintText(line: StyledText, hasColor: boolean): string {
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
  return line
    .map((part) =>
      typeof part === 'string' ? printable(part) : paints[part.role](printable(part.text)),
    )
    .join('');
}
