/** For tests: a project folder as plain data, to compare trees by path, bytes and mode. */
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { integrityOf } from '../../format/archive/integrity.ts';
import type { FileChange } from '../../client/plan/plan.ts';

/** A new empty folder. */
export async function makeProject(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'stackyard-install-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), text);
    if (path.endsWith('.sh')) await chmod(join(project, path), 0o750);
  }
  return project;
}

/** Every entry below `root`, `.stackyard/` included: path to mode and content. */
export async function treeOf(root: string, folder = ''): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const name of (await readdir(join(root, folder))).toSorted()) {
    const path = folder === '' ? name : `${folder}/${name}`;
    const status = await lstat(join(root, path));
    const mode = (status.mode & 0o7777).toString(8);
    if (status.isDirectory()) {
      tree[path] = `folder ${mode}`;
      Object.assign(tree, await treeOf(root, path));
    } else if (status.isSymbolicLink()) {
      tree[path] = `symlink ${await readlink(join(root, path))}`;
    } else {
      tree[path] = `file ${mode} ${await readFile(join(root, path), 'utf8')}`;
    }
  }
  return tree;
}

/** A write of `text` that replaces `before`, or creates the file. */
export function write(
  path: string,
  text: string,
  before?: string,
  executable?: boolean,
): FileChange {
  const expected = before === undefined ? undefined : integrityOf(Buffer.from(before));
  return { path, bytes: Buffer.from(text), executable, expected };
}

/** The deletion of a file whose text is `before`. */
function drop(path: string, before = ''): FileChange {
  return { ...write(path, '', before), bytes: undefined };
}

export const BEFORE: Readonly<Record<string, string>> = {
  'package.json': '{"name":"p"}\n',
  'src/main.ts': 'main();\n',
  'bin/run.sh': '#!/bin/sh\n',
  'old/gone/one.ts': 'one\n',
  'old/gone/deep/two.sh': 'two\n',
  'old/kept/mine.txt': 'mine\n',
  'old/kept/theirs.txt': 'theirs\n',
  'stackyard.lock.json': '{"lockVersion":1}\n',
};

/** Deletions, creates, replacements, new nested folders, an empty file, mode changes. */
export const WRITES: readonly FileChange[] = [
  drop('old/gone/one.ts', BEFORE['old/gone/one.ts']),
  drop('old/gone/deep/two.sh', BEFORE['old/gone/deep/two.sh']),
  drop('old/kept/theirs.txt', BEFORE['old/kept/theirs.txt']),
  write('package.json', '{"name":"p","dependencies":{}}\n', BEFORE['package.json']),
  write('src/auth/session/store.ts', 'export {};\n'),
  write('src/auth/.gitkeep', ''),
  write('src/main.ts', 'main();\n', BEFORE['src/main.ts'], true),
  write('bin/run.sh', '#!/bin/sh\nexit 0\n', BEFORE['bin/run.sh']),
  write('bin/tool', '#!/bin/sh\n', undefined, true),
];
export const COMMIT: FileChange = write(
  'stackyard.lock.json',
  '{"lockVersion":1,"builds":{}}\n',
  BEFORE['stackyard.lock.json'],
);
/** Folders that the deletions may leave empty; one of them has another file. */
export const EMPTIED: readonly string[] = ['old', 'old/gone', 'old/gone/deep', 'old/kept'];
/** The removal of the last build: deletes the lock. */
export const LAST_COMMIT: FileChange = drop(COMMIT.path, BEFORE[COMMIT.path]);
