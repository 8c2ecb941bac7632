/** The types of a scan: a file and a build as published, and as opened for the rules. Types only. */
import type { FindingPlace } from '../format/finding/finding.ts';
import type { Manifest } from '../format/build/manifest.ts';
import type { Syntax } from './parse/syntax.ts';
import type { TaintResult } from './taint/api.ts';

/** A file as the publisher committed it. */
export interface BuildFile {
  /** Path within the build. */
  readonly path: string;
  /** Content, from a publisher: untrusted. */
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** A build before it is opened for a scan. */
export interface BuildContent {
  readonly id: string;
  readonly manifest: Manifest;
  /** Every file of the build, sorted by path bytes. */
  readonly files: readonly BuildFile[];
}

/** A file opened for a scan: text, syntax tree and lines are computed once, at first use. */
export interface ScannedFile extends BuildFile {
  /** The text as its language's runtime reads it, without byte order mark; `undefined` for what is not text. */
  readonly text: string | undefined;
  /** The syntax tree, or why there is none. */
  readonly syntax: Syntax;
  /** @param offset in UTF-16 units of `text` */
  readonly place: (offset: number, length: number) => FindingPlace;
}

/** A build opened for a scan. */
export interface ScannedBuild extends BuildContent {
  readonly files: readonly ScannedFile[];
  /** What the code of the build does, from the taint analysis. */
  readonly taint: TaintResult;
}
