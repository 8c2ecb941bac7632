/** Refuses a lock whose paths no build may have written: a removal would delete them. Pure. */
import { printable } from '../../format/build/file-path.ts';
import { LOCK_FILE, isNeverWritten } from '../../format/build/protected-path.ts';
import type { Lock } from '../../format/lock/lock.ts';
import { wireTargetProblem } from '../../format/wiring/wire-target.ts';
import { ClientError } from '../errors.ts';

/** @throws {ClientError} `ERR_LOCK` when `lock` names a path that is never written */
export function checkLockPaths({ builds, made }: Lock): void {
  for (const [id, { files, pip, wiring = [] }] of Object.entries(builds)) {
    const edited = Object.values(pip).map(({ file }) => file);
    for (const path of [...Object.keys(files), ...edited]) check(path, `build "${id}"`);
    for (const { file, verb } of wiring) checkWired(file, verb, id);
  }
  for (const mark of made) {
    const folder = mark.endsWith('/') ? `${mark}x` : mark.replace(/#.*$/s, '');
    check(folder, `"made"`);
  }
}

function check(path: string, place: string): void {
  if (isNeverWritten(path)) throw refused(path, place);
}

/** No step of a guide could have been carried out there: taking it out would delete what the user wrote. */
function checkWired(path: string, verb: string, id: string): void {
  if (wireTargetProblem(path, verb) !== undefined) throw refused(path, `"wiring" of "${id}"`);
}

function refused(path: string, place: string): ClientError {
  return new ClientError(
    'ERR_LOCK',
    `Cannot use "${LOCK_FILE}": ${place} names "${printable(path)}", which no build may write`,
    { hint: `restore "${LOCK_FILE}" from version control, and look who changed it` },
  );
}
