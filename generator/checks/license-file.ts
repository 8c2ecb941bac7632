/** Is the text of the licence there? Whether it is the right text is another check's question. */
import { finding } from '../../format/finding.ts';
import type { Check } from './check.ts';

const LICENSE_FILE = /^(?:licen[cs]e|copying|unlicense)(?:[-.][\w.-]+)?$|^licenses\/[^/]+$/i;

export const licenseFile: Check = {
  name: 'license-file',
  run: ({ manifest, files }) => {
    const found = files.filter((f) => LICENSE_FILE.test(f.path));
    if (found.length === 0) {
      return [finding('license-file-missing', '', { license: manifest.license })];
    }
    if (found.some((f) => !isBlank(f.bytes))) return [];
    return found.slice(0, 1).map((f) => finding('license-file-empty', f.path));
  },
};

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}
