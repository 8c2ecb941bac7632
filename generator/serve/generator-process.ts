/**
 * A run of the generator in a process of its own: what it needs of memory goes away with it, and it reads the newest
 * sources. It ends when this process ends.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isPackaged, packagedFile } from '../packaged.ts';
import { formatStep, progressLine, type ProgressStep } from '../pipeline/progress.ts';

/** What the process sends: the step that it is at, and once whether the index is there. */
export type GeneratorMessage = { readonly step: ProgressStep } | { readonly isWritten: true };

const GENERATE = isPackaged
  ? [packagedFile('bin.mjs'), 'generate']
  : [join(import.meta.dirname, '../main.ts'), 'generate'];
/** The variable of a process whose parent reads its steps: another parent may expect other messages. */
export const LISTENS = 'STACKYARD_GENERATOR_LISTENER';
const SECOND_MS = 1_000;

interface GeneratorRun {
  /** Exit status. */
  readonly status: number;
  /** Whether the index has what this run made, which may be less than everything. */
  readonly isWritten: boolean;
}

/** Runs `generate` with `args`; prints what it prints, and its steps. @param onStep also gets these */
export async function runGenerator(
  args: readonly string[],
  onStep: (step: ProgressStep) => void = () => {},
): Promise<GeneratorRun> {
  const [file = '', ...first] = GENERATE;
  const child = fork(file, [...first, ...args], {
    execArgv: ['--max-semi-space-size=8'],
    env: { ...process.env, [LISTENS]: '1' },
  });
  const show = process.stdout.isTTY ? progressLine((text) => void process.stdout.write(text)) : stepLines(); // oxfmt-ignore
  let isWritten = false;
  child.on('message', (message: GeneratorMessage) => {
    if ('isWritten' in message) {
      show.end();
      isWritten = message.isWritten;
      return;
    }
    show.show(message.step);
    onStep(message.step);
  });
  const [status] = (await once(child, 'close')) as [number | null];
  show.end();
  return { status: status ?? 1, isWritten };
}

/** Where there is no terminal: a line for each step, and one a second in a long one. */
function stepLines(): ReturnType<typeof progressLine> {
  let [last, time] = ['', 0];
  return {
    show: (step) => {
      if (step.what === last && Date.now() - time < SECOND_MS) return;
      [last, time] = [step.what, Date.now()];
      console.log(formatStep(step));
    },
    end: () => {},
  };
}
