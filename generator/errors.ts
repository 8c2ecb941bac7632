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
  | 'ERR_DISK_FULL'
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

/** Codes of node and SQLite, which has none of its own for a limit on the size of a file; and what SQLite and git print. */
const FULL =
  /\b(?:ENOSPC|EDQUOT|EFBIG|SQLITE_FULL|SQLITE_IOERR_(?:WRITE|SHM\w+))\b|disk is full|No space left on|Disk quota exceeded/;

/** `error`, or one that says that a disk is full. Of an error in a worker thread only the text is known. */
export function explainFullDisk(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, message, cause } = error as NodeJS.ErrnoException;
  const isOurs = error instanceof StackyardError && !/^ERR_(?:GIT|STATE|WORKER)$/.test(error.code);
  const { code: earlier } = (cause ?? {}) as NodeJS.ErrnoException;
  if (isOurs || !FULL.test(`${code} ${earlier} ${message}`)) return error;
  const problem = `Cannot write what this run makes: no space is left on the disk (${message})`;
  const hint = 'what is published stays whole: make room, then run again';
  return new GeneratorError('ERR_DISK_FULL', problem, { cause: error, hint });
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
