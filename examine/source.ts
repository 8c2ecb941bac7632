/** The files of a build folder as they were read: from git objects by the generator, from disk by the client. */

/** What an entry of a build folder is. */
export type EntryType = 'file' | 'executable' | 'symlink' | 'submodule';

export interface SourceFile {
  /** Path within the build, with U+FFFD where it is not UTF-8. */
  readonly path: string;
  readonly isUtf8Path: boolean;
  readonly type: EntryType;
  /** Bytes; 0 for what is not a file. */
  readonly size: number;
  /** Absent for what is not a file, and where the build is over its limits. */
  readonly bytes: Buffer | undefined;
}

export interface Source {
  readonly files: readonly SourceFile[];
  /** There are more files than `MAX_FILES`: the list is cut and no content was read. */
  readonly isCut: boolean;
}
