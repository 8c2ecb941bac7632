/** The errors of the client's commands. `terminal/exit-status.ts` maps a code to an exit status. */
import { StackyardError } from '../format/errors.ts';

export type ClientErrorCode =
  | 'ERR_USAGE'
  | 'ERR_NEEDS_ANSWER'
  | 'ERR_DECLINED'
  | 'ERR_NO_PROJECT'
  | 'ERR_NOT_INSTALLED'
  | 'ERR_BUILD_NOT_FOUND'
  | 'ERR_VERSION_NOT_FOUND'
  | 'ERR_RESOLVE'
  | 'ERR_RESOLVE_LIMIT'
  | 'ERR_STACK'
  | 'ERR_KIND'
  | 'ERR_DEPENDENCY'
  | 'ERR_INSTALLED'
  | 'ERR_CONFLICT'
  | 'ERR_PLAN_CHANGED'
  | 'ERR_INTEGRITY'
  | 'ERR_ARCHIVE'
  | 'ERR_PATH_POLICY'
  | 'ERR_CONSENT'
  | 'ERR_NETWORK'
  | 'ERR_REGISTRY_ANSWER'
  | 'ERR_INSECURE_URL'
  | 'ERR_LOCK'
  | 'ERR_PROJECT_FILE'
  | 'ERR_PROJECT_CHANGED'
  | 'ERR_BUSY'
  | 'ERR_JOURNAL'
  | 'ERR_INTERRUPTED'
  | 'ERR_PACKAGES'
  | 'ERR_WRITE'
  | 'ERR_GIT'
  | 'ERR_CODE_HOST'
  | 'ERR_PERSONAL_DATA';

export class ClientError extends StackyardError<ClientErrorCode> {}
