/** The commands of a script test other than `stackyard`: they read and change files. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Ended } from '../run/script-process.ts';
import { readProject } from '../client/registry-fixture.ts';

/** The files of a folder by their path. */
export type Snapshot = Readonly<Record<string, string>>;

type FileCommand = (folder: string, words: readonly string[], input: string) => string;

/** Name to function. A function returns the output, or throws an error whose message is printed. */
export const FILE_COMMANDS: Readonly<Record<string, FileCommand>> = {
  /** `write <file>`: the file gets the input. */
  write: (folder, [path = ''], input) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), input);
    return '';
  },
  /** `append <file>`: the input comes after what the file holds. */
  append: (folder, [path = ''], input) => {
    appendFileSync(join(folder, path), input);
    return '';
  },
  /** `edit <file> <old> <new>`: replaces the only occurrence of `old`. */
  edit: (folder, [path = '', old = '', replacement = '']) => {
    const parts = readFileSync(join(folder, path), 'utf8').split(old);
    if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} times ${old}`);
    writeFileSync(join(folder, path), parts.join(replacement));
    return '';
  },
  /** `delete <path>`: a file or folder. */
  delete: (folder, [path = '']) => {
    rmSync(join(folder, path), { recursive: true });
    return '';
  },
  /** `move <path> <new path>`: a file or a folder, and nothing else. */
  move: (folder, [from = '', to = '']) => {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    renameSync(join(folder, from), join(folder, to));
    return '';
  },
  /** `cat <file>`: prints it. */
  cat: (folder, [path = '']) => readFileSync(join(folder, path), 'utf8'),
  /** `tree [folder]`: prints the paths of its files. */
  tree: (folder, [path = '.']) =>
    Object.keys(readProject(join(folder, path)))
      .map((file) => `${file}\n`)
      .join(''),
  /** `git <arguments>`: runs git, for example on a pushed branch. */
  git: (folder, words) => execFileSync('git', words, { cwd: folder, encoding: 'utf8' }),
  /** `exists <path>`: fails if the path does not exist. */
  exists: (folder, [path = '']) => {
    if (!existsSync(join(folder, path))) throw new Error(`${path} is not there`);
    return '';
  },
  /** `missing <path>`: fails if the path exists. */
  missing: (folder, [path = '']) => {
    if (existsSync(join(folder, path))) throw new Error(`${path} is there`);
    return '';
  },
};

/** The outcome of a command of `FILE_COMMANDS`. */
export function runFileCommand(command: FileCommand, ...args: Parameters<FileCommand>): Ended {
  try {
    return { status: 0, stdout: command(...args), stderr: '' };
  } catch (error) {
    return { status: 1, stdout: '', stderr: `${(error as Error).message}\n` };
  }
}

/** `unchanged`: fails if the files of a folder changed, and prints their paths. */
export function compareWith(before: Snapshot, folder: string): Ended {
  const after = readProject(folder);
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const changed = paths.filter((path) => before[path] !== after[path]);
  const stdout = changed.map((path) => `${path}\n`).join('');
  return { status: changed.length === 0 ? 0 : 1, stdout, stderr: '' };
}
