/**
 * Reads shell text (POSIX sh and what bash adds) into pipelines: enough to see which program gets which words
 * and what is piped into what. It never fails: text that is not shell becomes meaningless commands.
 *
 *     curl -s "$URL" | sudo bash     one pipeline of two commands
 *     sh -c "$(wget -qO- x)"         one command; its third word holds a script
 *
 * The text is a publisher's: one pass, nesting bounded.
 */
import { ansiQuoted, wordWithVariables } from './word-text.ts';
import type { Pipeline, Script, ShellCommand, Word } from './parsed-shell.ts';

type Redirect = ShellCommand['redirects'][number];

/** Deeper substitutions are read as plain text. */
const MAX_DEPTH = 12;
const ASSIGNS = /^(?:export|local|readonly|[A-Za-z_]\w{0,60}=.{0,200})$/;
const BREAKS = new Set([' ', '\t', '\n', '\r', ';', '&', '|', '<', '>', '(', ')']);

/** @param offset where `text` begins in the file, added to every place */
export function parseShell(text: string, offset = 0): Script {
  return new Parser(text, offset, 0).script(undefined);
}

interface OpenCommand {
  words: Word[];
  redirects: Redirect[];
  body: Script | undefined;
  start: number;
}

class Parser {
  readonly #text: string;
  readonly #offset: number;
  #depth: number;
  #at = 0;
  #heredocs: { readonly end: string; readonly redirects: Redirect[] }[] = [];
  readonly #variables = new Map<string, string>();

  constructor(text: string, offset: number, depth: number) {
    this.#text = text;
    this.#offset = offset;
    this.#depth = depth;
  }

  /** Reads up to `close` (past it) or the end. */
  script(close: ')' | '}' | undefined): Script {
    const pipelines: Pipeline[] = [];
    let pipeline: ShellCommand[] = [];
    let command = this.#open();
    const endCommand = (): void => {
      const isEmpty = command.words.length + command.redirects.length === 0;
      if (!isEmpty || command.body !== undefined) {
        this.#remember(command);
        pipeline.push({ ...command, end: this.#offset + this.#at });
      }
      command = this.#open();
    };
    const endPipeline = (): void => {
      endCommand();
      if (pipeline.length > 0) pipelines.push(pipeline);
      pipeline = [];
    };
    while (this.#at < this.#text.length) {
      const c = this.#text[this.#at]!;
      if (c === ' ' || c === '\t' || c === '\r') this.#at += 1;
      else if (c === '\\' && /^\\\r?\n/.test(this.#text.slice(this.#at, this.#at + 3))) {
        this.#at = this.#text.indexOf('\n', this.#at) + 1;
      } else if (c === '#') this.#skipLine();
      else if (c === '\n') {
        this.#at += 1;
        endPipeline();
        this.#readHeredocs();
      } else if (c === ';') {
        endPipeline();
        this.#at += 1;
      } else if (c === '&' && this.#text[this.#at + 1] !== '>') {
        endPipeline();
        this.#at += this.#text[this.#at + 1] === '&' ? 2 : 1;
      } else if (c === '|') {
        const isOr = this.#text[this.#at + 1] === '|';
        if (isOr) endPipeline();
        else endCommand();
        this.#at += isOr || this.#text[this.#at + 1] === '&' ? 2 : 1;
      } else if (c === ')') {
        endPipeline();
        this.#at += 1;
        if (close === ')') return pipelines;
      } else if (c === '(') {
        this.#at += 1;
        if (command.words.length === 0 && this.#depth < MAX_DEPTH) command.body = this.#nested(')');
      } else if (isGroup(this.#text, this.#at, c, command)) {
        this.#at += 1;
        if (c === '{' && this.#depth < MAX_DEPTH) command.body = this.#nested('}');
        else if (c === '}' && close === '}') {
          endPipeline();
          return pipelines;
        }
      } else if (c === '<' || c === '>' || c === '&') this.#redirect(command);
      else this.#addWord(command);
    }
    endPipeline();
    return pipelines;
  }

  #open(): OpenCommand {
    return { words: [], redirects: [], body: undefined, start: this.#offset + this.#at };
  }

  #nested(close: ')' | '}'): Script {
    this.#depth += 1;
    const script = this.script(close);
    this.#depth -= 1;
    return script;
  }

  #addWord(command: OpenCommand): void {
    const word = this.#word();
    if (command.words.length === 0) command.start = word.start;
    // A number before a redirection is its descriptor.
    if (/^\d$/.test(word.text) && /[<>]/.test(this.#text[this.#at] ?? '')) return;
    command.words.push(...wordWithVariables(word, this.#variables));
  }

  /** Keeps `NAME=value` for the commands that follow. */
  #remember({ words }: OpenCommand): void {
    if (!words.every(({ text }) => ASSIGNS.test(text))) return;
    for (const { text, scripts } of words) {
      const equals = text.indexOf('=');
      if (equals > 0 && scripts.length === 0 && this.#variables.size < 200) {
        this.#variables.set(text.slice(0, equals), text.slice(equals + 1));
      }
    }
  }

  #redirect(command: OpenCommand): void {
    const [operator = '<'] =
      /^(?:<<<|<<-|<<|<>|<&|>>|>&|>\||&>>|&>|<|>)/.exec(this.#text.slice(this.#at, this.#at + 3)) ??
      [];
    if ((operator === '<' || operator === '>') && this.#text[this.#at + 1] === '(') {
      command.words.push(this.#word());
      return;
    }
    this.#at += operator.length;
    while (this.#text[this.#at] === ' ' || this.#text[this.#at] === '\t') this.#at += 1;
    const target = this.#word();
    if (operator.startsWith('<<') && operator !== '<<<') {
      this.#heredocs.push({ end: target.text, redirects: command.redirects });
      return;
    }
    command.redirects.push({ operator, target });
  }

  /** The bodies of `<<END` that begin on this line, as the target of a redirection `<<`. */
  #readHeredocs(): void {
    for (const { end, redirects } of this.#heredocs) {
      const start = this.#at;
      let bodyEnd = this.#text.length;
      while (this.#at < this.#text.length) {
        const lineStart = this.#at;
        this.#skipLine();
        const line = this.#text.slice(lineStart, this.#at);
        this.#at += 1;
        if (line.trim() === end) {
          bodyEnd = lineStart;
          break;
        }
      }
      this.#at = Math.min(this.#at, this.#text.length);
      const text = this.#text.slice(start, bodyEnd);
      const place = { start: this.#offset + start, end: this.#offset + bodyEnd };
      redirects.push({ operator: '<<', target: { text, ...place, scripts: [] } });
    }
    this.#heredocs = [];
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end === -1 ? this.#text.length : end;
  }

  #word(): Word {
    const start = this.#at;
    const parts: string[] = [];
    const scripts: Script[] = [];
    while (this.#at < this.#text.length) {
      const c = this.#text[this.#at]!;
      if ((c === '<' || c === '>') && this.#at === start && this.#text[this.#at + 1] === '(') {
        this.#at += 1;
        this.#substitution(scripts, parts);
      } else if (BREAKS.has(c)) break;
      else if (c === '\\') {
        if (this.#text[this.#at + 1] !== '\n') parts.push(this.#text[this.#at + 1] ?? '');
        this.#at += 2;
      } else if (c === "'") parts.push(this.#single());
      else if (c === '"') this.#double(parts, scripts);
      else if (c === '$' || c === '`') this.#dollar(parts, scripts);
      else {
        parts.push(c);
        this.#at += 1;
      }
    }
    // A character that no rule matches must not stop the parser.
    if (this.#at === start) this.#at += 1;
    this.#at = Math.min(this.#at, this.#text.length);
    const place = { start: this.#offset + start, end: this.#offset + this.#at };
    return { text: parts.join(''), ...place, scripts };
  }

  #single(): string {
    const close = this.#text.indexOf("'", this.#at + 1);
    const end = close === -1 ? this.#text.length : close;
    const inner = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return inner;
  }

  #double(parts: string[], scripts: Script[]): void {
    this.#at += 1;
    while (this.#at < this.#text.length) {
      const c = this.#text[this.#at]!;
      if (c === '"') {
        this.#at += 1;
        return;
      }
      if (c === '\\') {
        parts.push(this.#text[this.#at + 1] ?? '');
        this.#at += 2;
      } else if (c === '$' || c === '`') this.#dollar(parts, scripts);
      else {
        parts.push(c);
        this.#at += 1;
      }
    }
  }

  #dollar(parts: string[], scripts: Script[]): void {
    const next = this.#text[this.#at + 1];
    if (this.#text[this.#at] === '`') {
      this.#backticks(scripts);
    } else if (next === '(') {
      this.#at += 1;
      this.#substitution(scripts, parts);
    } else if (next === "'") {
      this.#at += 1;
      const [value, end] = ansiQuoted(this.#text, this.#at);
      parts.push(value);
      this.#at = end;
    } else {
      parts.push('$');
      this.#at += 1;
    }
  }

  /** At the `(` of `$(`, `<(` or `>(`. */
  #substitution(scripts: Script[], parts: string[]): void {
    this.#at += 1;
    if (this.#depth >= MAX_DEPTH) {
      parts.push('(');
      return;
    }
    scripts.push(this.#nested(')'));
  }

  #backticks(scripts: Script[]): void {
    const start = this.#at + 1;
    let end = start;
    while (end < this.#text.length && this.#text[end] !== '`')
      end += this.#text[end] === '\\' ? 2 : 1;
    this.#at = end + 1;
    if (this.#depth >= MAX_DEPTH) return;
    const inner = this.#text.slice(start, end).replaceAll('\\`', '`');
    scripts.push(new Parser(inner, this.#offset + start, this.#depth + 1).script(undefined));
  }
}

/** `{` and `}` are words of their own, at the start of a command. */
function isGroup(text: string, at: number, c: string, command: OpenCommand): boolean {
  if (command.words.length > 0 || (c !== '{' && c !== '}')) return false;
  const next = text[at + 1];
  return next === undefined || BREAKS.has(next);
}
