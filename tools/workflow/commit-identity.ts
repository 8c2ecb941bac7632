/** Who the committer of the workflows is. */
import { GATE_ADDRESS } from '../../format/provenance/merge-message.ts';

/** Whose the commits of the workflows are, as git's variables. */
export function commitIdentity(): Record<string, string> {
  const [name, email] = ['stackyard-gate', GATE_ADDRESS];
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}
