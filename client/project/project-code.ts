/** Reads the code of a project for the rewriting of imports and for wiring; each part once, when it is needed. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryDecodeText } from '../edit/project-file.ts';
import type { ProjectCode } from '../plan/place/project-code.ts';
import { readAliases } from './module-aliases.ts';
import { readPythonRoots } from './python-roots.ts';
import { statusAt } from './read-file.ts';
import { isEsPackage, sourceFiles } from './source-files.ts';

export function openProjectCode(project: string): ProjectCode {
  const texts = new Map<string, string | undefined>();
  return {
    paths: once(() => sourceFiles(project)),
    read: (path) => {
      if (!texts.has(path)) texts.set(path, readSource(join(project, path)));
      return texts.get(path);
    },
    isTaken: (path) => statusAt(join(project, path)) !== undefined,
    has: (path) => existsSync(join(project, path)),
    isEsPackage: (path) => isEsPackage(project, path),
    aliases: once(() => readAliases(project)),
    pythonRoots: once(() => readPythonRoots(project)),
  };
}

function readSource(file: string): string | undefined {
  const status = statusAt(file);
  return status?.isFile() === true ? tryDecodeText(readFileSync(file)) : undefined;
}

function once<Value>(read: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => (found ??= { value: read() }).value;
}
