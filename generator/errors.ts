/** What stops a whole run. A fault of one build is a finding and does not stop the others. */
import { StackyardError } from '../format/errors.ts';

export type GeneratorErrorCode =
  | 'ERR_USAGE'
  | 'ERR_NOT_A_REPOSITORY'
  | 'ERR_NO_COMMITS'
  | 'ERR_NO_BUILDS'
  | 'ERR_SHALLOW_CLONE'
  | 'ERR_TREELESS_CLONE'
  | 'ERR_GIT'
  | 'ERR_CONFIG'
  | 'ERR_CLIENT_PACKAGE'
  | 'ERR_DEPLOY_BUSY'
  | 'ERR_DEPLOY_IMMUTABLE'
  | 'ERR_DEPLOY_INDEX'
  | 'ERR_DEPLOY_LOG'
  | 'ERR_DEPLOY_LOST'
  | 'ERR_DEPLOY_TARGET'
  | 'ERR_INIT_FOLDER'
  | 'ERR_OSV'
  | 'ERR_PORT_IN_USE'
  | 'ERR_LAYOUT'
  | 'ERR_OUT_FOLDER'
  | 'ERR_STATE'
  | 'ERR_STATE_NEWER'
  | 'ERR_IMMUTABLE'
  | 'ERR_WORKER'
  | 'ERR_INDEX'
  | 'ERR_INDEX_BUSY'
  | 'ERR_LOG'
  | 'ERR_LOG_FORK'
  | 'ERR_LOG_KEY'
  | 'ERR_LOG_PUBLISHED'
  | 'ERR_MATRIX'
  | 'ERR_SIGNALS'
  | 'ERR_STORE'
  | 'ERR_STORE_ACCESS'
  | 'ERR_STORE_CLOCK'
  | 'ERR_STORE_UNREACHABLE';

export class GeneratorError extends StackyardError<GeneratorErrorCode> {}

/** Makes the errors for wrong usage of one program. @param help the command that describes it */
export function usageError(help: string): (problem: string) => GeneratorError {
  return (problem) => new GeneratorError('ERR_USAGE', problem, { hint: `see ${help}` });
}

/**
 * The option `--scan-seconds`, a whole number from 1 to 99,999; `undefined` where it was not given.
 * @throws {GeneratorError} `ERR_USAGE`
 */
export function parseScanSeconds(
  text: string | undefined,
  usage: (problem: string) => GeneratorError,
): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw usage(`Option --scan-seconds is "${text}": it must be a number from 1 to 99999`);
}
