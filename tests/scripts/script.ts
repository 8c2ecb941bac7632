/**
 * The form of a script test. The first character of a line gives its kind:
 *
 *     # A comment for the reader.
 *     $ stackyard info alice/web README.md
 *     < a line of standard input
 *     | a line of standard output
 *     ! a line of standard error
 *     ? 3
 *
 * `?` is the exit status; without it the status is 0. A stream that ends without a newline has the last
 * line `\ no newline at end`. Empty lines have no meaning.
 */

/** Comments or empty lines, unchanged. */
interface Prose {
  readonly kind: 'prose';
  readonly line: string;
}

export interface Step {
  readonly kind: 'step';
  readonly command: string;
  readonly input: readonly string[];
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  readonly status: number;
}

export type Script = readonly (Prose | Step)[];

const STREAMS = { '<': 'input', '|': 'stdout', '!': 'stderr' } as const;
const MARKS = Object.entries(STREAMS) as [keyof typeof STREAMS, (typeof STREAMS)['<']][];

/** @throws {SyntaxError} names the line that has no valid form */
export function parseScript(text: string): Script {
  const script: (Prose | Step)[] = [];
  let step: (Step & Record<(typeof STREAMS)[keyof typeof STREAMS], string[]>) | undefined;
  for (const [index, line] of text.replace(/\n$/, '').split('\n').entries()) {
    const mark = line.charAt(0);
    const fail = (reason: string): SyntaxError =>
      new SyntaxError(`Line ${index + 1} of the script ${reason}: ${JSON.stringify(line)}`);
    if (mark === '' || mark === '#') {
      step = undefined;
      script.push({ kind: 'prose', line });
    } else if (line.startsWith('$ ')) {
      const command = line.slice(2);
      step = { kind: 'step', command, input: [], stdout: [], stderr: [], status: 0 };
      script.push(step);
    } else if (step === undefined) {
      throw fail('belongs to no command');
    } else if (isStreamMark(mark) && (line.length === 1 || line.charAt(1) === ' ')) {
      step[STREAMS[mark]].push(line.slice(2));
    } else if (/^\? [1-9]\d{0,2}$/.test(line)) {
      script[script.length - 1] = { ...step, status: Number(line.slice(2)) };
      step = undefined;
    } else {
      throw fail('is neither a command nor its input, output or exit status');
    }
  }
  return script;
}

/** The inverse of `parseScript`. */
export function formatScript(script: Script): string {
  const lines = script.flatMap((part) => (part.kind === 'prose' ? [part.line] : formatStep(part)));
  return `${lines.join('\n')}\n`;
}

function formatStep(step: Step): string[] {
  const streams = MARKS.flatMap(([mark, stream]) =>
    step[stream].map((line) => (line === '' ? mark : `${mark} ${line}`)),
  );
  return [`$ ${step.command}`, ...streams, ...(step.status === 0 ? [] : [`? ${step.status}`])];
}

function isStreamMark(mark: string): mark is keyof typeof STREAMS {
  return mark in STREAMS;
}
