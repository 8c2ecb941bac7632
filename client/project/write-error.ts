/** Errors of the file system as errors of the client, with a hint. */
import { printable } from '../../format/build/file-path.ts';
import { StackyardError } from '../../format/errors.ts';
import { ClientError } from '../errors.ts';

/** Whether `error` is a system error with one of `codes`, or with any code. */
export function hasCode(error: unknown, ...codes: readonly string[]): error is Error {
  if (!(error instanceof Error) || error instanceof StackyardError) return false;
  if (!('code' in error) || typeof error.code !== 'string' || !('syscall' in error)) return false;
  return codes.length === 0 || codes.includes(error.code);
}

/** `ERR_WRITE` about `path` for a system error; every other error unchanged. */
export function writeError(path: string, error: unknown): unknown {
  if (!hasCode(error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  const known = REASONS[code];
  const reason = known === undefined ? error.message : `${known.reason} (${code})`;
  return new ClientError('ERR_WRITE', `Cannot write "${printable(path)}": ${reason}`, {
    hint: known?.hint,
    cause: error,
  });
}

/**
 * Refuses to replace a file that nobody may write: renaming a new file over it would ignore its mode.
 * @throws {ClientError} `ERR_WRITE`
 */
export function checkWritable(path: string, mode: number): void {
  if ((mode & 0o222) !== 0) return;
  const octal = (mode & 0o777).toString(8).padStart(4, '0');
  throw new ClientError(
    'ERR_WRITE',
    `Cannot write "${printable(path)}": it is read-only (mode ${octal})`,
    { hint: `allow writing it (chmod u+w "${printable(path)}"), then run again` },
  );
}

const PERMISSION = 'check the permissions of the file and of its folder, then run again';
const SPACE = 'make room on the disk, then run again';

const REASONS: Readonly<Record<string, { readonly reason: string; readonly hint: string }>> = {
  EACCES: { reason: 'permission denied', hint: PERMISSION },
  EPERM: { reason: 'the system does not permit it', hint: PERMISSION },
  EROFS: { reason: 'the file system is read-only', hint: 'work in a copy that can be written' },
  ENOSPC: { reason: 'no space is left on the disk', hint: SPACE },
  EDQUOT: { reason: 'the disk quota is used up', hint: SPACE },
  EBUSY: { reason: 'the file is in use', hint: 'close the programs that use it, then run again' },
  EMFILE: { reason: 'too many files are open', hint: 'close other programs, then run again' },
};
