/** Opens a build for a scan: text, syntax trees and taint facts are computed once, at first use. */
import type { FindingPlace } from '../format/finding/finding.ts';
import type { BuildContent, BuildFile, ScannedBuild, ScannedFile } from './scanned-file.ts';
import { analyseTaint } from './taint/analysis/analyse.ts';
import type { TaintResult } from './taint/fact.ts';
import { LineTable } from './parse/line-table.ts';
import { readSyntax } from './parse/syntax.ts';
import type { Syntax } from './parse/syntax.ts';

/** A build for the rules; each file is decoded, parsed and analysed at its first use. */
export function openBuild(build: BuildContent): ScannedBuild {
  return new OpenedBuild(build);
}

// Getters of classes: V8 keeps the scope of a getter in an object literal, with every text of the build, until a full
// collection of garbage.
class OpenedBuild implements ScannedBuild {
  readonly id: string;
  readonly manifest: BuildContent['manifest'];
  readonly files: readonly ScannedFile[];
  #taint: TaintResult | undefined;

  constructor({ id, manifest, files }: BuildContent) {
    this.id = id;
    this.manifest = manifest;
    this.files = files.map((file) => new OpenedFile(file));
  }

  get taint(): TaintResult {
    return (this.#taint ??= analyseTaint(this.files));
  }
}

class OpenedFile implements ScannedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
  #text: { readonly value: string | undefined } | undefined;
  #syntax: Syntax | undefined;
  #lines: LineTable | undefined;

  constructor({ path, bytes, executable }: BuildFile) {
    this.path = path;
    this.bytes = bytes;
    this.executable = executable;
  }

  get text(): string | undefined {
    this.#text ??= { value: decode(this.bytes) };
    return this.#text.value;
  }

  get syntax(): Syntax {
    return (this.#syntax ??= readSyntax(this.path, this.text));
  }

  place(offset: number, length: number): FindingPlace {
    this.#lines ??= new LineTable(this.text ?? '');
    return this.#lines.place(offset, length);
  }
}

function decode(bytes: Uint8Array): string | undefined {
  // A NUL is legal UTF-8, but no text file has one.
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
