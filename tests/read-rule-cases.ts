/**
 * Reads the cases of `tests/builds/`. `<case>.txt` is a case; a folder `<case>/` beside it holds those of its
 * files that are not text.
 */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { BuildFile } from '../scan/scanned-file.ts';
import { parseRuleCase, type ExpectedFinding } from './rule-case.ts';

export interface ReadCase {
  readonly name: string;
  readonly expected: readonly ExpectedFinding[];
  /** Sorted by path. */
  readonly files: readonly BuildFile[];
}

const ROOT = join(import.meta.dirname, 'builds');

/**
 * The cases in the folder `root`, sorted by name.
 * @throws {Error} names the case or the folder that is not whole
 */
export function readRuleCases(root: string = ROOT): ReadCase[] {
  const entries = readdirSync(root, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => basename(entry.name, '.txt'));
  const alone = folders.find((folder) => !names.includes(folder));
  if (alone !== undefined) throw new Error(`${alone}/ has no ${alone}.txt beside it`);
  return names.sort().map((name) => readCase(root, name, folders.includes(name)));
}

function readCase(root: string, name: string, hasFolder: boolean): ReadCase {
  const { expected, files } = parseCase(join(root, `${name}.txt`));
  const all = [
    ...files.map(({ path, text, executable }) => ({ path, bytes: Buffer.from(text), executable })),
    ...(hasFolder ? filesIn(join(root, name)) : []),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
  const twice = all.find(({ path }, at) => path === all[at + 1]?.path);
  if (twice !== undefined) throw new Error(`${name} holds ${twice.path} twice`);
  if (all.length === 0) throw new Error(`${name} holds no file`);
  return { name, expected, files: all };
}

function parseCase(file: string): ReturnType<typeof parseRuleCase> {
  try {
    return parseRuleCase(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`Cannot read ${file}`, { cause: error });
  }
}

function filesIn(folder: string): BuildFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => ({ path, stat: statSync(join(folder, path)) }))
    .filter(({ stat }) => stat.isFile())
    .map(({ path, stat }) => ({
      path,
      bytes: readFileSync(join(folder, path)),
      executable: (stat.mode & 0o100) !== 0,
    }));
}
