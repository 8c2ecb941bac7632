/** Runs a document: its commands in a real shell, its files and patches in the folder where the shell is. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { applyPatch, parsePatch } from 'diff';
import { settleLines } from '../scripts/expected-lines.ts';
import type { Document } from './document.ts';
import type { Shell } from './shell.ts';

export interface DocumentRun {
  readonly shell: Shell;
  /** Where the shell starts. */
  readonly folder: string;
  /** What the document writes to what stands for it in this run, such as an address to another one. */
  readonly names: readonly (readonly [string, string])[];
}

/**
 * The document with the output that its commands printed: the same document when all output is as shown.
 * `[..]` in shown output stands for any text in a line, `...` for any lines.
 */
export async function runDocument(document: Document, run: DocumentRun): Promise<Document> {
  const { shell, names } = run;
  let folder = run.folder;
  const happened = [];
  for (const part of document) {
    if (part.kind === 'file') writeIn(folder, part.path, `${part.lines.join('\n')}\n`);
    if (part.kind === 'patch') patchIn(folder, `${part.lines.join('\n')}\n`);
    if (part.kind !== 'command') {
      happened.push(part);
      continue;
    }
    const ended = await shell.run(
      names.reduce((all, [shown, real]) => all.replaceAll(shown, real), part.command),
    );
    folder = ended.folder;
    const text = names.reduce((all, [shown, real]) => all.replaceAll(real, shown), ended.output);
    // A page does not show whether the last line has an end.
    const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
    const actual = ended.status === 0 ? lines : [...lines, `[status ${ended.status}]`];
    happened.push({ ...part, output: settleLines(part.output, actual) });
  }
  return happened;
}

function writeIn(folder: string, path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

function patchIn(folder: string, patch: string): void {
  for (const change of parsePatch(patch)) {
    const path = (change.newFileName ?? '').replace(/^b\//, '');
    const patched = applyPatch(readFileSync(join(folder, path), 'utf8'), change);
    if (patched === false) throw new Error(`The patch does not apply to ${path}`);
    writeIn(folder, path, patched);
  }
}
