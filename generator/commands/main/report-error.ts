/** How a command of the generator reports the error that ends it, and reads its arguments. */
import { StackyardError } from '../../../format/errors.ts';
import type { GeneratorError } from '../../errors.ts';

/**
 * Prints an error on standard error.
 * @returns the exit status: 2 for wrong usage, 1 otherwise
 * @throws what is no error of ours
 */
export function reportError(error: unknown): 1 | 2 {
  if (!(error instanceof StackyardError)) throw error;
  console.error(`error: ${error.message} [${error.code}]`);
  if (error.hint !== undefined) console.error(`hint: ${error.hint}`);
  return error.code === 'ERR_USAGE' ? 2 : 1;
}

/**
 * What `parse` returns.
 * @param usage makes the error for arguments that cannot be parsed
 * @throws {GeneratorError} `ERR_USAGE`
 */
export function parseOrRefuse<Values>(
  parse: () => Values,
  usage: (problem: string) => GeneratorError,
): Values {
  try {
    return parse();
  } catch (cause) {
    throw usage(cause instanceof Error ? cause.message.split('. ')[0]! : String(cause));
  }
}
