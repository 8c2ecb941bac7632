/** Programs that people cannot read: native, byte-compiled, or for a virtual machine. Recognised by content. */
import { finding, type Finding } from '../../../format/finding/finding.ts';
import type { FindingLevel } from '../../../format/finding/texts/finding-text.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedBuild, ScannedFile } from '../../scanned-file.ts';
import { contentGroup, contentType, type ContentType } from '../../text/content-type.ts';
import { extensionOf } from '../../text/file-kind.ts';
import { isIdleFile } from '../../text/idle-file.ts';
import { isObject, readJsonObject } from '../../text/json-text.ts';
import { machineOf } from '../../text/native-platform.ts';

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

export const binaryFile: Rule = {
  name: 'binary-file',
  run: (build) =>
    build.files.flatMap((file): Finding[] => {
      const type = contentType(file.bytes);
      const isJar = type === 'zip' && /\.(?:jar|war|ear|apk|aar)$/i.test(file.path);
      if (contentGroup(type) !== 'binary' && !isJar) return [];
      const what = isJar ? 'Java byte code (jar)' : (NAMES[type] ?? type);
      const args = { what, bytes: file.bytes.length };
      return [finding('binary-file', file.path, args, levelOf(build, file, type))];
    }),
};

function levelOf(build: ScannedBuild, file: ScannedFile, type: ContentType): FindingLevel {
  // WebAssembly runs in a sandbox: it accesses only what its caller passes in.
  if (type === 'wasm') return 'info';
  if (type === 'lnk') return 'error';
  if (type === 'pyc') return hasSource(build, file) ? 'info' : 'warn';
  const isKnown = isDeclared(build, file, type) || hasRecipe(build, file);
  return isKnown || isIdleFile(build, file.path) ? 'info' : 'warn';
}

/** `pkg/__pycache__/mod.cpython-312.pyc` beside `pkg/mod.py`. */
function hasSource({ files }: ScannedBuild, { path }: ScannedFile): boolean {
  const source = path.replace(/__pycache__\/([^/.]+)[^/]*$/, '$1.py').replace(/\.pyc$/, '.py');
  return source !== path && files.some((file) => file.path === source);
}

/** A file from which the binary is made is in its folder or above: a source of the same name, or a recipe that names it. */
function hasRecipe({ files }: ScannedBuild, { path }: ScannedFile): boolean {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const stem = path.slice(folder.length).replace(/\..*$/, '').replace(/^lib/, '');
  if (stem.length < 3) return false;
  return files.some(({ path: other, text }) => {
    const parent = other.slice(0, other.lastIndexOf('/') + 1);
    if (!folder.startsWith(parent) || text === undefined) return false;
    const name = other.slice(parent.length);
    if (parent === folder && SOURCE.test(name)) return name.replace(/\..*$/, '') === stem;
    return RECIPE.test(name) && text.slice(0, 200_000).includes(stem);
  });
}

const SOURCE = /\.(?:c|cc|cpp|cxx|m|go|rs|zig|s|asm|pyx|java|cs|nim)$/i;
const RECIPE =
  /^(?:gnumakefile|makefile(?:\..{1,20})?|cmakelists\.txt|meson\.build|binding\.gyp|cargo\.toml|build\.(?:sh|rs|zig|gradle|bat|ps1)|go\.mod|dockerfile)$/i;

/** The package declares one platform: `os` and `cpu` in package.json match the header of the binary. */
function isDeclared({ files }: ScannedBuild, file: ScannedFile, type: ContentType): boolean {
  const machine = machineOf(type, file.bytes);
  const manifest = readJsonObject(files.find(({ path }) => path === 'package.json')?.text);
  if (machine === undefined || manifest === undefined) return false;
  if (
    !['node', 'so', 'dylib', 'dll', 'exe', ''].includes(extensionOf(file.path).replace(/^\d+$/, ''))
  )
    return false;
  const scripts = manifest['scripts'];
  if (isObject(scripts) && ['preinstall', 'install', 'postinstall'].some((name) => name in scripts))
    return false;
  return machine.os.some((os) => names(manifest['os'], os)) && names(manifest['cpu'], machine.cpu);
}

function names(value: unknown, wanted: string): boolean {
  return Array.isArray(value) && value.length === 1 && value[0] === wanted;
}
