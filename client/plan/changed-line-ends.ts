/** Files of builds whose line ends alone were changed, such as by a git checkout on Windows. */
import { integrityOf } from '../../format/archive/integrity.ts';

/** Whether `current` is the file with `integrity`, except that it has CRLF instead of LF. */
export function hasOnlyOtherLineEnds(current: Uint8Array, integrity: string): boolean {
  const text = Buffer.from(current).toString('latin1');
  if (!text.includes('\r\n')) return false;
  return integrityOf(Buffer.from(text.replaceAll('\r\n', '\n'), 'latin1')) === integrity;
}
