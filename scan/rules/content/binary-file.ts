/** Programs that people cannot read: native, byte-compiled, or for a virtual machine. Recognised by content. */
import { finding } from '../../../format/finding/finding.ts';
import type { FindingLevel } from '../../../format/finding/texts/finding-text.ts';
import { filesAtInstall } from '../../evidence/commands.ts';
import { ruleOfFiles } from '../../rule.ts';
import type { ScannedBuild, ScannedFile } from '../../scanned-file.ts';
import { contentGroup, contentType, type ContentType } from '../../text/content-type.ts';
import { isIdleFile } from '../../text/idle-file.ts';

const NAMES: Readonly<Partial<Record<ContentType, string>>> = {
  elf: 'a native program (ELF)',
  pe: 'a native program (PE)',
  macho: 'a native program (Mach-O)',
  wasm: 'WebAssembly',
  class: 'Java byte code',
  dex: 'Android byte code',
  pyc: 'Python byte code',
  lnk: 'a Windows shortcut',
};

export const binaryFile = ruleOfFiles('binary-file', (file, build) => {
  const type = contentType(file.bytes);
  const isJar = type === 'zip' && /\.(?:jar|war|ear|apk|aar)$/i.test(file.path);
  if (contentGroup(type) !== 'binary' && !isJar) return [];
  const what = isJar ? 'Java byte code (jar)' : (NAMES[type] ?? type);
  const args = { what, bytes: file.bytes.length };
  return [finding('binary-file', file.path, args, levelOf(build, file, type))];
});

function levelOf(build: ScannedBuild, { path }: ScannedFile, type: ContentType): FindingLevel {
  if (/^(?:elf|pe|macho|lnk)$/.test(type)) return isIdleFile(build, path) ? 'info' : 'warn';
  // The others access only what the program passes in that runs them; `compiled-cache` judges Python.
  const atInstall = filesAtInstall(build);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const isStarted = build.files.some(
    (file) => atInstall.has(file.path) && (file.path === path || file.text?.includes(name)),
  );
  return isStarted ? 'warn' : 'info';
}
