/** Output for people: messages on standard error, results on standard output, no control characters. */
import pico from 'picocolors';
import type { NameCommands } from './own-command.ts';
import { printable } from './printable.ts';
import type { StyledText } from './styled-text.ts';
import { paintText, span } from './styled-text.ts';
import { wrapLine } from './wrap-line.ts';

export interface Terminal {
  /** A line of the result, on standard output. */
  readonly result: (line: StyledText) => void;
  /** A message on standard error; none when quiet. */
  readonly message: (line: string) => void;
  /** A detail on standard error, with `--verbose` only. */
  readonly detail: (line: string) => void;
  readonly warn: (line: string) => void;
  readonly error: (line: string) => void;
  readonly hint: (line: string) => void;
}

/** How a stream shows text. */
export interface Display {
  readonly hasColor: boolean;
  /** The width of the terminal; undefined for a file or a pipe, where lines are not wrapped. */
  readonly columns: number | undefined;
}

/** Which messages are printed, and how. */
export interface TerminalOptions {
  readonly isQuiet: boolean;
  readonly isVerbose: boolean;
  /** Standard output. */
  readonly results: Display;
  /** Standard error. */
  readonly messages: Display;
  /** How commands of this client are written. */
  readonly name: NameCommands;
}

/** The terminal of this process. */
export function openTerminal(options: TerminalOptions): Terminal {
  const { isQuiet, isVerbose, results, messages, name } = options;
  const pc = pico.createColors(messages.hasColor);
  const put = (stream: NodeJS.WriteStream, line: string, display: Display): void =>
    void stream.write(`${wrapLine(line, display.columns)}\n`);
  const print = (line: StyledText): void =>
    put(process.stderr, paintText(line, messages.hasColor, name), messages);
  const labelled = (label: string, line: string): void =>
    put(process.stderr, `${label} ${printable(name(line))}`, messages);
  return {
    result: (line) => put(process.stdout, paintText(line, results.hasColor, name), results),
    message: isQuiet ? () => {} : print,
    detail: isVerbose && !isQuiet ? (line) => print([span('faint', line)]) : () => {},
    warn: (line) => labelled(pc.yellow('warning:'), line),
    error: (line) => labelled(pc.red('error:'), line),
    hint: (line) => labelled(pc.cyan('hint:'), line),
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
