/** Which files of leaving builds are deleted, and which stay because the user edited them or must agree. Pure. */
import { integrityOf } from '../../format/archive/integrity.ts';
import { type LockedBuild, placedIntegrity } from '../../format/project/lock.ts';
import { isProtected, keptWithoutConsent } from './consent.ts';
import type { Overlay } from './overlay.ts';
import type { PlannedFile, Warning } from './plan.ts';

/**
 * Plans to delete the files of `leaving` from `overlay`. A file that the user edited is kept, unless
 * `force`; a file that also belongs to a staying build is kept too.
 * @param allow what the user consented to: a lock is no consent, and may state any file
 * @param reformatted paths of files whose formatting alone changed: nobody edited them
 */
export function planFileRemoval(
  leaving: ReadonlyMap<string, LockedBuild>,
  staying: ReadonlyMap<string, LockedBuild>,
  force: boolean,
  overlay: Overlay,
  reformatted: ReadonlySet<string> = new Set(),
  allow: readonly string[] = [],
): { readonly files: PlannedFile[]; readonly warnings: Warning[] } {
  const files: PlannedFile[] = [];
  const warnings: Warning[] = [];
  const isShared = (path: string): boolean =>
    [...staying.values()].some((build) => Object.hasOwn(build.files, path));
  for (const [id, build] of leaving) {
    for (const [path, { from, mode }] of Object.entries(build.files)) {
      const current = overlay.get(path);
      if (current === undefined || isShared(path)) continue;
      const integrity = placedIntegrity(build, path) ?? '';
      const planned = { build: id, path, from, mode, before: integrityOf(current) };
      if (isProtected({ path, mode }, build.kind, allow)) {
        files.push({ ...planned, action: 'orphan' });
        warnings.push(keptWithoutConsent(path));
        continue;
      }
      if (force || reformatted.has(path) || isAsShipped(current, integrity)) {
        overlay.drop(path);
        files.push({ ...planned, action: 'delete' });
        continue;
      }
      files.push({ ...planned, action: 'orphan' });
      const message = `you edited it, so it stays; --force removes it as well ("stackyard undo" brings it back)`;
      warnings.push({ code: 'file-orphaned', path, message });
    }
  }
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), warnings };
}

/** A file whose line ends alone changed does not count as edited. */
function isAsShipped(current: Uint8Array, integrity: string): boolean {
  return integrityOf(current) === integrity || hasOnlyOtherLineEnds(current, integrity);
}

/** Whether `current` is the file with `integrity`, except that it has CRLF instead of LF, or the reverse. */
export function hasOnlyOtherLineEnds(current: Uint8Array, integrity: string): boolean {
  const text = Buffer.from(current).toString('latin1').replaceAll('\r\n', '\n');
  return [text, text.replaceAll('\n', '\r\n')].some(
    (other) => integrityOf(Buffer.from(other, 'latin1')) === integrity,
  );
}
