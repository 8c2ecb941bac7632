/** What this user's client has seen of transparency logs, in the folder for state. */
import { stateFolder } from '../project/state-folder.ts';
import { KeptLogs } from '../registry/log/kept-log.ts';
import { CacheFiles } from '../registry/network/cache-files.ts';

export function keptLogs(): KeptLogs {
  return new KeptLogs(new CacheFiles(stateFolder()));
}
