/** The errors of the client's commands. `terminal/ask.ts` maps a code to an exit status. */
import { StackyardError } from '../format/errors.ts';

type ClientErrorCode =
  | 'ERR_USAGE'
  | 'ERR_NEEDS_ANSWER'
  | 'ERR_DECLINED'
  | 'ERR_NO_PROJECT'
  | 'ERR_NOT_INSTALLED'
  | 'ERR_BUILD_NOT_FOUND'
  | 'ERR_VERSION_NOT_FOUND'
  | 'ERR_REGISTRY_NOT_FOUND'
  | 'ERR_OWNER_REGISTRY'
  | 'ERR_ORIGIN'
  | 'ERR_RESOLVE'
  | 'ERR_RESOLVE_LIMIT'
  | 'ERR_STACK'
  | 'ERR_KIND'
  | 'ERR_DEPENDENCY'
  | 'ERR_INSTALLED'
  | 'ERR_CONFLICT'
  | 'ERR_PLAN_CHANGED'
  | 'ERR_INTEGRITY'
  | 'ERR_ROLLBACK'
  | 'ERR_LOG'
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
  | 'ERR_PROOF'
  | 'ERR_WRITE'
  | 'ERR_GIT'
  | 'ERR_CODE_HOST'
  | 'ERR_PERSONAL_DATA';

export class ClientError extends StackyardError<ClientErrorCode> {
  /** The question that nobody could answer. */
  question: OpenQuestion | undefined;
}

/** A question as it is put: the lines above it, and the answers. */
export interface OpenQuestion {
  readonly lines: readonly string[];
  readonly choices: readonly { readonly key: string; readonly label: string }[];
}
