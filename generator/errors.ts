/** What stops a whole run. A fault of one build is a finding and does not stop the others. */
import { printable } from '../format/build/file-path.ts';
import { StackyardError } from '../format/errors.ts';

type GeneratorErrorCode =
  | 'ERR_USAGE'
  | 'ERR_NOT_A_REPOSITORY'
  | 'ERR_NO_COMMITS'
  | 'ERR_NO_BUILDS'
  | 'ERR_SHALLOW_CLONE'
  | 'ERR_GIT'
  | 'ERR_CONFIG'
  | 'ERR_CLIENT_PACKAGE'
  | 'ERR_DEPLOY_IMMUTABLE'
  | 'ERR_DEPLOY_INDEX'
  | 'ERR_DEPLOY_LOG'
  | 'ERR_DEPLOY_LOST'
  | 'ERR_DEPLOY_TARGET'
  | 'ERR_INIT_FOLDER'
  | 'ERR_OSV'
  | 'ERR_PORT_IN_USE'
  | 'ERR_OUT_FOLDER'
  | 'ERR_REPORTS_DATABASE'
  | 'ERR_STATE'
  | 'ERR_STATE_NEWER'
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
  | 'ERR_STORE_FULL'
  | 'ERR_TAKE_DOWN';

export class GeneratorError extends StackyardError<GeneratorErrorCode> {}

/** The error for words that a command's schema accepts and the command does not. @param command its name */
export function usageError(command: string, problem: string): GeneratorError {
  const hint = `see stackyard-registry ${command} --help`;
  return new GeneratorError('ERR_USAGE', problem, { hint });
}

/** The lines for people: what went wrong, and what they can do. */
export function formatError({
  message,
  code,
  hint,
}: Pick<StackyardError, 'message' | 'code'> & { readonly hint?: string | undefined }): string {
  // What git says has several lines; any other one is of a hostile text.
  const lines = code === 'ERR_GIT' ? message.split('\n') : [message];
  const error = `error: ${lines.map(printable).join('\n  ')} [${code}]`;
  return hint === undefined ? error : `${error}\nhint: ${printable(hint)}`;
}
