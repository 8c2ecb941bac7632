/**
 * Errors: the operation cannot go on. Each room has one subclass with its own stable codes. A problem
 * in a build is a finding instead (`finding/finding.ts`).
 */

/** Optional parts of an error. */
interface ErrorDetails {
  /** What the user can do, printed after `hint:`. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** An error with a stable `code` that callers and tests may rely on. */
export class StackyardError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly hint: string | undefined;

  constructor(code: Code, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = details.hint;
  }
}

/** Codes of `format/`: a value or document does not have the form that it must have. */
type FormatErrorCode =
  | 'ERR_INTEGRITY'
  | 'ERR_TARBALL'
  | 'ERR_DOCUMENT'
  | 'ERR_CANONICAL_JSON'
  | 'ERR_LOG_KEY'
  | 'ERR_LOG_BUNDLE'
  | 'ERR_LOG_ENTRY'
  | 'ERR_LOG_MAP'
  | 'ERR_NOTE'
  | 'ERR_NOTE_SIGNATURE'
  | 'ERR_CHECKPOINT';

/** Thrown by the parsers of `format/`. */
export class FormatError extends StackyardError<FormatErrorCode> {}

/** A state that our own code must never reach: a defect of ours, not of the input. */
export class InternalError extends Error {
  override name = 'InternalError';
}
