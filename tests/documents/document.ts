/**
 * The parts of a Markdown document that can be run: a block of language `console` holds commands and
 * their output, a block such as "ts src/days.ts" holds a file, and a block `diff` holds changes to files.
 * Every other line is text.
 */

interface Text {
  readonly kind: 'text';
  readonly line: string;
}

/** A command and the lines that it prints. */
interface Command {
  readonly kind: 'command';
  readonly command: string;
  readonly output: readonly string[];
}

/** A file that the reader creates, or a patch that the reader applies. */
interface Edit {
  readonly kind: 'file' | 'patch';
  /** Of a file: its path. */
  readonly path: string;
  readonly lines: readonly string[];
}

export type Document = readonly (Text | Command | Edit)[];

const FENCE = /^```(?<language>\w*)(?: (?<path>\S+))?$/;
const PROMPT = '$ ';

/** @throws {SyntaxError} when a block has no end, or output stands before the first command of its block */
export function parseDocument(text: string): Document {
  const lines = text.replace(/\n$/, '').split('\n');
  const document: (Text | Command | Edit)[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    document.push({ kind: 'text', line });
    const fence = FENCE.exec(line)?.groups;
    if (fence === undefined) continue;
    const end = lines.indexOf('```', at + 1);
    if (end < 0) throw new SyntaxError(`The block at line ${at + 1} has no end`);
    document.push(...parseBlock(fence, lines.slice(at + 1, end)));
    document.push({ kind: 'text', line: '```' });
    at = end;
  }
  return document;
}

/** The inverse of `parseDocument`. */
export function formatDocument(document: Document): string {
  const lines = document.flatMap((part) => {
    if (part.kind === 'text') return [part.line];
    if (part.kind === 'command') return [`${PROMPT}${part.command}`, ...part.output];
    return part.lines;
  });
  return `${lines.join('\n')}\n`;
}

function parseBlock(
  fence: Readonly<Record<string, string | undefined>>,
  lines: readonly string[],
): Document {
  const { language, path = '' } = fence;
  if (language === 'console') return parseCommands(lines);
  if (language === 'diff') return [{ kind: 'patch', path, lines }];
  if (path !== '') return [{ kind: 'file', path, lines }];
  return lines.map((line) => ({ kind: 'text', line }));
}

function parseCommands(lines: readonly string[]): Command[] {
  const commands: Command[] = [];
  for (const line of lines) {
    const last = commands.at(-1);
    if (line.startsWith(PROMPT)) {
      commands.push({ kind: 'command', command: line.slice(PROMPT.length), output: [] });
    } else if (last === undefined) {
      throw new SyntaxError(`Output stands before the first command: ${JSON.stringify(line)}`);
    } else {
      commands[commands.length - 1] = { ...last, output: [...last.output, line] };
    }
  }
  return commands;
}
