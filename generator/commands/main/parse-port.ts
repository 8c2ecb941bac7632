import { printable } from '../../../format/build/file-path.ts';
import type { GeneratorError } from '../../errors.ts';

/**
 * A port, as a user gave it.
 * @param name of the option or variable
 * @param usage makes the error for another text
 * @throws {GeneratorError} `ERR_USAGE`
 */
export function parsePort(
  text: string,
  name: string,
  usage: (problem: string) => GeneratorError,
): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw usage(`${name} is "${printable(text)}": it must be 0 to 65535`);
}
