/**
 * Several CommonJS chunks as a program of two files. The entry is an ES module. The other chunks are lines of JSON in a file beside it,
 * which are read and compiled when they are required: most calls need few, and V8 would read all of one file. Stack traces name
 * them `stackyard.mjs/<chunk>`. All text is ASCII, which V8 stores with one byte per character.
 */
interface Chunk {
  readonly fileName: string;
  readonly code: string;
}

/** The file of the parts, in the folder of the program. */
export const PARTS_FILE = 'stackyard.parts.jsonl';

const LOADER = `
// Imports would copy all names of these modules, and load what is behind them.
const fs = process.getBuiltinModule('node:fs');
const vm = process.getBuiltinModule('node:vm');
const programPath = import.meta.filename;
const partModules = new Map();
let partsFile;
function requirePart(name) {
  if (!name.startsWith('./')) {
    return process.getBuiltinModule('node:module').createRequire(programPath)(name);
  }
  const known = partModules.get(name);
  if (known !== undefined) return known.exports;
  partsFile ??= fs.openSync(programPath.replace(/[^\\\\/]*$/, '${PARTS_FILE}'));
  const [start, length] = partPlaces[name];
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; ) {
    const count = fs.readSync(partsFile, bytes, at, length - at, start + at);
    if (count === 0) throw new Error('${PARTS_FILE} is of another build of stackyard: install it again');
    at += count;
  }
  const module = { exports: {} };
  partModules.set(name, module);
  const code = JSON.parse(bytes.latin1Slice());
  const run = vm.compileFunction(code, ['require', 'exports', 'module', '__filename'], {
    filename: 'stackyard.mjs/' + name.slice(2),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  run(requirePart, module.exports, module, programPath);
  return module.exports;
}
`;

/**
 * @param first code that runs before anything else, on every version of Node.js
 * @returns the text of the program, and that of `PARTS_FILE`
 */
export function assembleProgram(
  main: Chunk,
  chunks: readonly Chunk[],
  first: string,
): { readonly code: string; readonly parts: string } {
  const name = JSON.stringify(`./${main.fileName}`);
  const lines = chunks.map(({ code }) => toAscii(JSON.stringify(code)));
  let at = 0;
  const places = chunks.map(({ fileName }, index) => {
    const place = [at, lines[index]!.length];
    at += lines[index]!.length + 1;
    return [`./${fileName}`, place];
  });
  const code = [
    '#!/usr/bin/env node',
    toAscii(first.trim()),
    LOADER.trim(),
    `const partPlaces = ${JSON.stringify(Object.fromEntries(places))};`,
    `partModules.set(${name}, { exports: {} });`,
    '((require, exports, module, __filename) => {',
    toAscii(main.code.trim()),
    `})(requirePart, partModules.get(${name}).exports, partModules.get(${name}), programPath);`,
    '',
  ].join('\n');
  return { code, parts: lines.map((line) => `${line}\n`).join('') };
}

/** In strings, regular expressions and names: other characters occur only there. */
function toAscii(code: string): string {
  return code.replace(/[^\0-\x7F]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
