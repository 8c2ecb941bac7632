/**
 * Several CommonJS chunks as one ES module. The entry is plain code. The other chunks are comments at the
 * end, one line of JSON each, which are compiled when they are required: V8 skips a comment far faster than
 * it parses code, and most calls need few chunks. Stack traces name them `stackyard.mjs/<chunk>`. All text
 * is ASCII, which V8 stores with one byte per character.
 */
interface Chunk {
  readonly fileName: string;
  readonly code: string;
}

const LOADER = `
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
const partModules = new Map();
const programPath = fileURLToPath(import.meta.url);
const requireOutside = createRequire(import.meta.url);
let partLines;
function requirePart(name) {
  if (!name.startsWith('./')) return requireOutside(name);
  const known = partModules.get(name);
  if (known !== undefined) return known.exports;
  partLines ??= fs.readFileSync(programPath, 'latin1').split('\\n');
  const line = partLines.find((text) => text.startsWith('//' + name + ' '));
  const module = { exports: {} };
  partModules.set(name, module);
  const code = JSON.parse(line.slice(name.length + 3));
  const run = vm.compileFunction(code, ['require', 'exports', 'module', '__filename'], {
    filename: 'stackyard.mjs/' + name.slice(2),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  run(requirePart, module.exports, module, programPath);
  return module.exports;
}
`;

/** @param first code that runs before anything else, on every version of Node.js */
export function assembleProgram(main: Chunk, chunks: readonly Chunk[], first: string): string {
  const name = JSON.stringify(`./${main.fileName}`);
  return [
    '#!/usr/bin/env node',
    toAscii(first.trim()),
    LOADER.trim(),
    `partModules.set(${name}, { exports: {} });`,
    '((require, exports, module, __filename) => {',
    toAscii(main.code.trim()),
    `})(requirePart, partModules.get(${name}).exports, partModules.get(${name}), programPath);`,
    ...chunks.map(({ fileName, code }) => `//./${fileName} ${toLine(code)}`),
    '',
  ].join('\n');
}

/** A text as JSON on one line, without the start of a block comment. */
function toLine(code: string): string {
  return toAscii(JSON.stringify(code)).replaceAll('/*', '\\/*');
}

/** In strings, regular expressions and names: other characters occur only there. */
function toAscii(code: string): string {
  return code.replace(/[^\0-\x7F]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
