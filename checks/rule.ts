/** What a check is: one file in this folder, one question, a pure function of a build. */
import type { Finding, FindingPlace } from '../format/finding/finding.ts';
import type { Manifest } from '../format/build/manifest.ts';
import type { Flow } from './taint/analyse.ts';
import type { Syntax } from './parse/syntax.ts';

/** A file as the publisher committed it. */
export interface BuildFile {
  /** Path within the build. */
  readonly path: string;
  /** Content, from a publisher: untrusted. */
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** A build before it is opened for checking. */
export interface BuildContent {
  readonly id: string;
  readonly manifest: Manifest;
  /** Every file of the build, sorted by path bytes. */
  readonly files: readonly BuildFile[];
}

/** A file with what checks ask of it: each is worked out once, when a check first asks. */
export interface CheckedFile extends BuildFile {
  /** The text without byte order mark; `undefined` when the bytes are not UTF-8 or hold a NUL. */
  readonly text: string | undefined;
  /** The syntax tree, or why there is none. */
  readonly syntax: Syntax;
  /** @param offset in UTF-16 units of `text` */
  readonly place: (offset: number, length: number) => FindingPlace;
}

export interface CheckedBuild extends BuildContent {
  readonly files: readonly CheckedFile[];
  /** What the code of the build does, as data flow analysis sees it. */
  readonly flow: Flow;
}

export interface Check {
  /** The name of its file; its findings' codes begin with it. */
  readonly name: string;
  readonly run: (build: CheckedBuild) => Finding[];
}
