/** The exit status of every error code: scripts and agents may rely on these numbers. */
import type { ClientError } from '../errors.ts';
import { InternalError, StackyardError, type FormatError } from '../../format/errors.ts';

export const EXIT_DONE = 0;
export const EXIT_INTERNAL = 1;
export const EXIT_USAGE = 2;
export const EXIT_DIFFERENT = 10;

const STATUS: Record<(ClientError | FormatError)['code'], number> = {
  ERR_USAGE: EXIT_USAGE,
  ERR_INSECURE_URL: EXIT_USAGE,
  ERR_BUILD_NOT_FOUND: 3,
  ERR_VERSION_NOT_FOUND: 3,
  ERR_NOT_INSTALLED: 3,
  ERR_REGISTRY_NOT_FOUND: 3,
  ERR_NO_PROJECT: 4,
  ERR_RESOLVE: 4,
  ERR_RESOLVE_LIMIT: 4,
  ERR_STACK: 4,
  ERR_KIND: 4,
  ERR_DEPENDENCY: 4,
  ERR_INSTALLED: 4,
  ERR_OWNER_REGISTRY: 4,
  ERR_CONFLICT: 5,
  ERR_PLAN_CHANGED: 5,
  ERR_INTEGRITY: 6,
  ERR_ROLLBACK: 6,
  ERR_LOG: 6,
  ERR_ORIGIN: 6,
  ERR_ARCHIVE: 6,
  ERR_TARBALL: 6,
  ERR_PATH_POLICY: 6,
  ERR_CONSENT: 6,
  ERR_PERSONAL_DATA: 6,
  ERR_NETWORK: 7,
  ERR_REGISTRY_ANSWER: 7,
  ERR_DOCUMENT: 7,
  ERR_GIT: 7,
  ERR_CODE_HOST: 7,
  ERR_NEEDS_ANSWER: 8,
  ERR_DECLINED: 8,
  ERR_LOCK: 9,
  ERR_PROJECT_FILE: 9,
  ERR_PROJECT_CHANGED: 9,
  ERR_BUSY: 9,
  ERR_JOURNAL: 9,
  ERR_WRITE: 9,
  ERR_PACKAGES: 11,
  ERR_PROOF: 12,
  ERR_INTERRUPTED: 130,
  ERR_CANONICAL_JSON: EXIT_INTERNAL,
  ERR_LOG_KEY: 2,
  ERR_LOG_BUNDLE: 6,
  ERR_LOG_ENTRY: 6,
  ERR_LOG_MAP: 6,
  ERR_NOTE: 6,
  ERR_NOTE_SIGNATURE: 6,
  ERR_CHECKPOINT: 6,
};

/** The exit status for `error`; 1 for a defect of the client. */
export function exitStatus(error: unknown): number {
  if (error instanceof InternalError || !(error instanceof StackyardError)) return EXIT_INTERNAL;
  return STATUS[error.code as keyof typeof STATUS] ?? EXIT_INTERNAL;
}
