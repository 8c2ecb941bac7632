/** Output for people: messages on standard error, results on standard output, no control characters. */
import pico from 'picocolors';

/** Control, bidirectional and invisible characters, which could change what a terminal shows. */
export const UNPRINTABLE: RegExp =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u{0}-\u{8}\u{B}-\u{1F}\u{7F}-\u{9F}\u{AD}\u{61C}\u{180E}\u{200B}-\u{200F}\u{2028}-\u{202E}\u{2060}-\u{206F}\u{FEFF}\u{FFF9}-\u{FFFB}\u{E0000}-\u{E007F}]/gu;

/** `text` of a registry or a build without these characters; tabs and newlines are kept. */
export function printable(text: string): string {
  return text.toWellFormed().replace(UNPRINTABLE, '');
}

/** `text` on one line. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}

export interface Terminal {
  /** A line of the result, on standard output. */
  readonly result: (line: string) => void;
  /** A message on standard error; none when quiet. */
  readonly message: (line: string) => void;
  /** A detail on standard error, with `--verbose` only. */
  readonly detail: (line: string) => void;
  readonly warn: (line: string) => void;
  readonly error: (line: string) => void;
  readonly hint: (line: string) => void;
}

/** Which messages are printed, and how. */
export interface TerminalOptions {
  readonly isQuiet: boolean;
  readonly isVerbose: boolean;
  readonly hasColor: boolean;
}

/** The terminal of this process. */
export function openTerminal({ isQuiet, isVerbose, hasColor }: TerminalOptions): Terminal {
  const pc = pico.createColors(hasColor);
  const print = (line: string): void => void process.stderr.write(`${printable(line)}\n`);
  return {
    result: (line) => void process.stdout.write(`${printable(line)}\n`),
    message: isQuiet ? () => {} : print,
    detail: isVerbose && !isQuiet ? (line) => print(pc.dim(line)) : () => {},
    warn: (line) => process.stderr.write(`${pc.yellow('warning:')} ${printable(line)}\n`),
    error: (line) => process.stderr.write(`${pc.red('error:')} ${printable(line)}\n`),
    hint: (line) => process.stderr.write(`${pc.cyan('hint:')} ${printable(line)}\n`),
  };
}

/** Prints nothing. */
export const SILENT: Terminal = {
  result: () => {},
  message: () => {},
  detail: () => {},
  warn: () => {},
  error: () => {},
  hint: () => {},
};
