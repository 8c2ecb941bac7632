/**
 * A fault of the parser of Python, for programs that load this file first (`NODE_OPTIONS=--import`): a text with this word takes all
 * memory, as a defect of the parser would. No known text does this to it.
 */
import { parser } from '../../scan/parse/python-parser.js';

const startParse = parser.startParse.bind(parser);
parser.startParse = (input, ...rest) => {
  const text = typeof input === 'string' ? input : input.read(0, input.length);
  if (text.includes('FAULT_MEMORY')) {
    for (const all: object[] = []; ;) all.push(Array.from({ length: 1_000 }, Math.random));
  }
  return startParse(input, ...rest);
};
