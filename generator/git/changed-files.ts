/** The files below a folder that differ between an indexed commit and the head. */
import { gitAt } from './repository.ts';
import type { Repository } from './repository.ts';

export interface ChangedFile {
  /** Path in the repository. */
  readonly path: string;
  /** Object id at the head; `undefined` when the file is gone or is no plain file. */
  readonly blob: string | undefined;
}

/** @param since an indexed commit; without it every file at the head counts as changed */
export async function changedFiles(
  repository: Repository,
  folder: string,
  since: string | undefined,
): Promise<ChangedFile[]> {
  const git = gitAt(repository.folder);
  if (since === undefined) {
    const listed = await git.raw([
      'ls-tree',
      '-r',
      '-z',
      '--full-tree',
      repository.head,
      '--',
      folder,
    ]);
    return splitAtNul(listed).map((line) => {
      const [meta = '', path = ''] = line.split('\t', 2);
      const [mode = '', , blob = ''] = meta.split(' ');
      return { path, blob: isPlainFile(mode) ? blob : undefined };
    });
  }
  const options = ['-r', '-z', '--raw', '--no-renames', '--no-abbrev'];
  const tokens = splitAtNul(
    await git.raw(['diff-tree', ...options, since, repository.head, '--', folder]),
  );
  return tokens.flatMap((meta, at) => {
    if (at % 2 === 1) return [];
    const [, mode = '', , blob = ''] = meta.split(' ');
    return [{ path: tokens[at + 1] ?? '', blob: isPlainFile(mode) ? blob : undefined }];
  });
}

function splitAtNul(text: string): string[] {
  return text.split('\0').filter((part) => part !== '');
}

function isPlainFile(mode: string): boolean {
  return mode.startsWith('100');
}
