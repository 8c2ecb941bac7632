/** What a user demands of the log of a registry, with `registry add`: its key, and witnesses. */
import type { Lock, LogPolicy } from '../../format/lock/lock.ts';
import { isNoteKey, parseNoteKey } from '../../format/log/note-key.ts';
import { ClientError } from '../errors.ts';
import type { Open } from './name-registries.ts';

export interface LogPolicyOptions {
  readonly key?: string | undefined;
  /** How many must confirm each state, and then their keys. */
  readonly witnesses?: readonly string[] | undefined;
}

/** `undefined` where no option is given. @throws {ClientError} `ERR_USAGE` */
export function parseLogPolicy({ key, witnesses }: LogPolicyOptions): LogPolicy | undefined {
  if (key === undefined && witnesses === undefined) return undefined;
  if (key !== undefined && (!isNoteKey(key) || parseNoteKey(key).kind !== 'note')) {
    throw refused(`Option --key is ${JSON.stringify(key)}, which is not the public key of a log`);
  }
  return {
    ...(key === undefined ? {} : { key }),
    ...(witnesses === undefined ? {} : { witnesses: parseWitnesses(witnesses) }),
  };
}

/**
 * The lock with the policy for the registry `name`. The log must meet it now; this user keeps it as well, for
 * other projects.
 * @param open opens registries for which the user states it
 * @throws {ClientError} `ERR_LOG`, and those of the registry
 */
export async function stateLogPolicy(
  lock: Lock,
  name: string,
  policy: LogPolicy,
  open: Open,
): Promise<Lock> {
  const known = lock.registries[name]!;
  await open(known.address).log?.info();
  const log = { ...known.log, ...policy };
  return { ...lock, registries: { ...lock.registries, [name]: { ...known, log } } };
}

function parseWitnesses([number = '', ...keys]: readonly string[]): LogPolicy['witnesses'] {
  const other = keys.find((key) => !isNoteKey(key) || parseNoteKey(key).kind !== 'cosignature');
  if (other !== undefined) {
    throw refused(
      `Option --witnesses has ${JSON.stringify(other)}, which is not the public key of a witness`,
    );
  }
  if (new Set(keys).size !== keys.length) throw refused('Option --witnesses has a key twice');
  const count = /^[1-9]\d?$/.test(number) ? Number(number) : 0;
  if (count >= 1 && count <= keys.length && keys.length <= 16) return { count, keys };
  throw refused(`Option --witnesses demands ${JSON.stringify(number)} of ${keys.length} witnesses`);
}

function refused(problem: string): ClientError {
  return new ClientError('ERR_USAGE', problem, {
    hint: 'write --witnesses <count> <key>..., such as --witnesses 2 with three keys; a key is what "npm run log:key" prints on standard error',
  });
}
