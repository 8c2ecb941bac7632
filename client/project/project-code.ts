/** Reads the code of a project for the rewriting of imports and for wiring; each part once, when it is needed. */
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectCode } from '../place/context.ts';
import { readAliases } from './module-aliases.ts';
import { readPythonRoots } from './python-roots.ts';
import { isEsPackage, sourceFiles } from './source-files.ts';

export function openProjectCode(project: string): ProjectCode {
  const texts = new Map<string, string | undefined>();
  return {
    paths: once(() => sourceFiles(project)),
    read: (path) => {
      if (!texts.has(path)) texts.set(path, readSource(join(project, path)));
      return texts.get(path);
    },
    isTaken: (path) => lstatSync(join(project, path), { throwIfNoEntry: false }) !== undefined,
    has: (path) => existsSync(join(project, path)),
    isEsPackage: (path) => isEsPackage(project, path),
    aliases: once(() => readAliases(project)),
    pythonRoots: once(() => readPythonRoots(project)),
  };
}

/** The text in `bytes`; `undefined` for what is none in UTF-8. */
export function decodeSource(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function readSource(file: string): string | undefined {
  const status = lstatSync(file, { throwIfNoEntry: false });
  return status?.isFile() === true ? decodeSource(readFileSync(file)) : undefined;
}

function once<Value>(read: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => (found ??= { value: read() }).value;
}
