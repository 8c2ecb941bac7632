/** The files of a build folder as they were read: from git objects by the generator, from disk by the client. */

/** The type of an entry of a build folder. */
type EntryType = 'file' | 'executable' | 'symlink' | 'submodule' | 'other';

export interface SourceFile {
  /** Path within the build, with U+FFFD in place of bytes that are not UTF-8. */
  readonly path: string;
  readonly isUtf8Path: boolean;
  readonly type: EntryType;
  /** Octal mode in git of what is `other`. */
  readonly mode?: string;
  /** Bytes; 0 for an entry that is not a file. */
  readonly size: number;
  /** Absent for an entry that is not a file, and when the build exceeds its limits. */
  readonly bytes: Buffer | undefined;
}

export interface Source {
  readonly files: readonly SourceFile[];
  /** There are more files than `MAX_FILES`: none is listed. */
  readonly isCut: boolean;
  /** Folders and files whose content git does not have. */
  readonly unreadable?: readonly { readonly path: string; readonly problem: string }[];
}
