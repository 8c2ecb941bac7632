/** Files of builds of which a checkout, such as git's on Windows, changed the line ends and nothing else. */
import { integrityOf } from '../../format/archive/integrity.ts';

/** Whether `current` is what was shipped with `integrity`, but for CRLF in the place of LF. */
export function hasOnlyOtherLineEnds(current: Uint8Array, integrity: string): boolean {
  const text = Buffer.from(current).toString('latin1');
  if (!text.includes('\r\n')) return false;
  return integrityOf(Buffer.from(text.replaceAll('\r\n', '\n'), 'latin1')) === integrity;
}
