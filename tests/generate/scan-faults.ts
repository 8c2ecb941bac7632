/**
 * Faults of the parser of Python, for processes that load this file first (`NODE_OPTIONS=--import`): a text with one of these words does to
 * the process what a defect of the parser would do. The parser is a package; no known text does this to it.
 */
import { parser } from '@lezer/python';

const FAULTS: Readonly<Record<string, () => void>> = {
  FAULT_CRASH: () => crash(),
  FAULT_TIME: () => {
    for (;;);
  },
  FAULT_MEMORY: () => {
    for (const all: object[] = []; ;) all.push(Array.from({ length: 1_000 }, Math.random));
  },
};

function crash(): void {
  process.kill(process.pid, 'SIGSEGV');
  // It arrives at once, but not within this call.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function suffer(text: string): void {
  for (const [word, fault] of Object.entries(FAULTS)) if (text.includes(word)) fault();
}

const startParse = parser.startParse.bind(parser);
parser.startParse = (input, ...rest) => {
  suffer(typeof input === 'string' ? input : input.read(0, input.length));
  return startParse(input, ...rest);
};
