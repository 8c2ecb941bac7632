/**
 * Opens a build for a scan: text, syntax and taint facts are computed once, at first use. Of a large build only the tree of the
 * last file is kept: what rules need of a tree is computed when it is made, and kept instead.
 */
import type { FindingPlace } from '../format/finding/finding.ts';
import type { BuildContent, BuildFile, ScannedBuild, ScannedFile } from './scanned-file.ts';
import { analyseTaint } from './taint/analyse.ts';
import type { TaintResult } from './taint/api.ts';
import { decodeText } from './text/decode-text.ts';
import { LineTable } from './parse/line-table.ts';
import { BEYOND_BUILD, planReading } from './taint/reading-plan.ts';
import { importsOf } from './package/imports.ts';
import { languageNeedsOf } from './text/language-needs.ts';
import { readSyntax, type Syntax } from './parse/syntax.ts';

/** A build for the rules; each file is decoded, parsed and analysed at its first use. */
export function openBuild(build: BuildContent): ScannedBuild {
  return new OpenedBuild(build);
}

// Getters of classes: V8 keeps the scope of a getter in an object literal, with every text of the build, until a full
// collection of garbage.
class OpenedBuild implements ScannedBuild, SyntaxReader {
  readonly id: string;
  readonly manifest: BuildContent['manifest'];
  readonly files: readonly ScannedFile[];
  #taint: TaintResult | undefined;
  #plan: ReturnType<typeof planReading> | undefined;
  #isAnalysed = false;
  #last: Syntax | undefined;

  constructor({ id, manifest, files }: BuildContent) {
    this.id = id;
    this.manifest = manifest;
    this.files = files.map((file) => new OpenedFile(file, this));
  }

  get taint(): TaintResult {
    this.#isAnalysed = true;
    this.#plan ??= planReading(this.files);
    return (this.#taint ??= analyseTaint(this.#plan.relevant, this.#plan.analysed));
  }

  begin(): void {
    this.#plan ??= planReading(this.files);
    // The analysis needs whole trees: they would have to be made twice if another rule read them first.
    if (!this.#plan.keepsTrees && !this.#isAnalysed) void this.taint;
  }

  read(file: ScannedFile, gap: string | undefined): Syntax {
    if (this.#plan?.unparsed.has(file) === true) {
      return { language: 'unread', reason: BEYOND_BUILD };
    }
    if (this.#plan?.keepsTrees === false && this.#last !== undefined && 'release' in this.#last)
      this.#last.release();
    return readSyntax(file.path, file.text, file.bytes.length, gap);
  }

  end(file: ScannedFile): void {
    if (this.#plan?.keepsTrees !== false) return;
    void importsOf(file);
    void languageNeedsOf(file);
    this.#last = file.syntax;
  }
}

/** Reads the syntax of the files of a build, in three steps. */
interface SyntaxReader {
  /** Before the syntax of a file is read. */
  readonly begin: () => void;
  readonly read: (file: ScannedFile, gap: string | undefined) => Syntax;
  /** After it was read, while there is a tree: computes what others need of it. */
  readonly end: (file: ScannedFile) => void;
}

class OpenedFile implements ScannedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
  #decoded: ReturnType<typeof decodeText> | undefined;
  #syntax: Syntax | undefined;
  #lines: LineTable | undefined;
  readonly #reader: SyntaxReader;

  constructor({ path, bytes, executable }: BuildFile, reader: SyntaxReader) {
    this.path = path;
    this.bytes = bytes;
    this.executable = executable;
    this.#reader = reader;
  }

  get text(): string | undefined {
    reading(this.path);
    this.#decoded ??= decodeText(this.path, this.bytes);
    return this.#decoded.text;
  }

  get syntax(): Syntax {
    reading(this.path);
    if (this.#syntax === undefined) this.#reader.begin();
    if (this.#syntax === undefined) {
      void this.text;
      this.#syntax = this.#reader.read(this, this.#decoded?.gap);
      this.#reader.end(this);
    }
    return this.#syntax;
  }

  place(offset: number, length: number): FindingPlace {
    this.#lines ??= new LineTable(this.text ?? '');
    return this.#lines.place(offset, length);
  }
}

let tell: ((path: string) => void) | undefined;
let last = '';

/** From now on calls `listener`, if there is one, for each file that is read after another one. */
export function watchReading(listener: ((path: string) => void) | undefined): void {
  tell = listener;
}

/** Called when the text or the syntax of a file is read. */
function reading(path: string): void {
  if (tell === undefined || path === last) return;
  last = path;
  tell(path);
}
