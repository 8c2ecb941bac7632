/** What a check is: one file in this folder, one question, a pure function of a build. */
import type { Finding } from '../../format/finding.ts';
import type { Manifest } from '../../format/manifest.ts';

export interface CheckedFile {
  /** Path within the build. */
  readonly path: string;
  /** Content, from a publisher: untrusted. */
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

export interface CheckedBuild {
  readonly id: string;
  readonly manifest: Manifest;
  /** Every file of the build, sorted by path bytes. */
  readonly files: readonly CheckedFile[];
}

export interface Check {
  /** The name of its file; its findings' codes begin with it. */
  readonly name: string;
  readonly run: (build: CheckedBuild) => Finding[];
}
