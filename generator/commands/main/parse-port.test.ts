import { expect, it } from 'vitest';
import { GeneratorError } from '../../errors.ts';
import { parsePort } from './parse-port.ts';

const usage = (problem: string): GeneratorError => new GeneratorError('ERR_USAGE', problem);

it.each([
  ['0', 0],
  ['65535', 65_535],
])('parsePort() reads %s', (text, port) => {
  expect(parsePort(text, 'Option --port', usage)).toBe(port);
});

it.each(['65536', '-1', '1.5', 'x', '', '000080'])('parsePort() refuses %j', (text) => {
  expect(() => parsePort(text, 'Option --port', usage)).toThrow(
    `Option --port is "${text}": it must be 0 to 65535`,
  );
});
