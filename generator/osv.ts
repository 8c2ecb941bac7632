/**
 * The JSON files of an OSV dump: a folder with `.json` files and with `.zip` archives of them, at any depth, as OSV
 * publishes `npm/all.zip` and `PyPI/all.zip`. The content is hostile.
 */
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Unzip, UnzipInflate, type UnzipFile } from 'fflate';
import { isOsvId } from '../format/advisory/advisory.ts';
import {
  OsvEntry,
  packageKey,
  type PackageEcosystem,
} from '../format/advisory/package-advisories.ts';
import type { OsvAffected } from '../format/advisory/osv-range.ts';
import { documentOrError } from '../format/document/document.ts';
import { FormatError } from '../format/errors.ts';
import { GeneratorError } from './errors.ts';

/** No entry is larger. */
const MAX_ENTRY_BYTES = 5_000_000;
/** The last record of an archive, with the longest comment. */
const MAX_ZIP_END_BYTES = 22 + 65_535;

interface DumpFile {
  /** For messages: `npm/all.zip: GHSA-1.json`. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A digest of the names and contents of all files. @throws {GeneratorError} `ERR_OSV` */
export async function dumpDigest(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of pathsIn(folder)) {
    const content = createHash('sha256');
    for await (const chunk of createReadStream(join(folder, path))) {
      content.update(chunk as Uint8Array);
    }
    hash.update(`${path}\0${content.digest('hex')}\n`);
  }
  return hash.digest('hex');
}

/** One file after another, never all of them in memory. @throws {GeneratorError} `ERR_OSV` */
export async function* dumpFiles(folder: string): AsyncGenerator<DumpFile> {
  for (const path of pathsIn(folder)) {
    const file = join(folder, path);
    if (path.endsWith('.zip')) yield* filesOfZip(file, path);
    else {
      if (statSync(file).size > MAX_ENTRY_BYTES) throw tooLarge(path);
      yield { name: path, bytes: readFileSync(file) };
    }
  }
}

/** Sorted, so that the order does not depend on the file system. */
function pathsIn(folder: string): string[] {
  let found;
  try {
    found = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (cause) {
    throw refused(`"${folder}" is no folder that can be read`, cause);
  }
  const paths = found
    .filter((entry) => entry.isFile() && /\.(?:json|zip)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, '/').length));
  if (paths.length > 0) return paths.sort();
  throw refused(`"${folder}" has no .json and no .zip file`);
}

async function* filesOfZip(file: string, path: string): AsyncGenerator<DumpFile> {
  if (!(await hasZipEnd(file))) throw refused(`"${path}" is no whole zip archive`);
  const done: DumpFile[] = [];
  let open = 0;
  let problem: Error | undefined;
  const unzip = new Unzip((entry) => {
    if (!entry.name.endsWith('.json')) return;
    open += 1;
    collect(entry, (error, bytes) => {
      if (error !== undefined) problem ??= error;
      else if (bytes !== undefined) {
        open -= 1;
        done.push({ name: `${path}: ${entry.name}`, bytes });
      }
    });
  });
  unzip.register(UnzipInflate);
  try {
    for await (const chunk of createReadStream(file)) {
      unzip.push(chunk as Uint8Array, false);
      if (problem !== undefined) throw problem;
      yield* done.splice(0);
    }
    unzip.push(new Uint8Array(), true);
    if (problem !== undefined) throw problem;
  } catch (cause) {
    if (cause instanceof GeneratorError) throw cause;
    throw refused(`"${path}" is no zip archive that can be read`, cause);
  }
  yield* done.splice(0);
  if (open > 0) throw refused(`"${path}" is cut off`);
}

/** Whether the file ends with a list of its files: without it, it is cut off or something else. */
async function hasZipEnd(file: string): Promise<boolean> {
  const start = Math.max(0, statSync(file).size - MAX_ZIP_END_BYTES);
  const chunks: Uint8Array[] = [];
  for await (const chunk of createReadStream(file, { start })) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).includes('PK\u{5}\u{6}');
}

function collect(
  entry: UnzipFile,
  end: (error: Error | undefined, bytes?: Uint8Array) => void,
): void {
  const chunks: Uint8Array[] = [];
  let size = 0;
  entry.ondata = (error, chunk, isLast) => {
    // A broken archive may have no chunk.
    if (error !== null) return end(error);
    size += chunk.length;
    if (size > MAX_ENTRY_BYTES) {
      entry.terminate();
      return end(tooLarge(entry.name));
    }
    chunks.push(chunk);
    if (isLast) end(undefined, Buffer.concat(chunks));
  };
  entry.start();
}

function tooLarge(name: string): GeneratorError {
  return refused(`"${name}" has over ${MAX_ENTRY_BYTES} bytes`);
}

function refused(problem: string, cause?: unknown): GeneratorError {
  return new GeneratorError('ERR_OSV', `Cannot read the OSV dump: ${problem}`, {
    cause,
    hint: 'give a folder with .json files or with the all.zip of an ecosystem, as OSV publishes them',
  });
}

interface PackageFact {
  readonly ecosystem: PackageEcosystem;
  /** As `packageKey` gives it. */
  readonly name: string;
  readonly id: string;
  readonly affected: readonly OsvAffected[];
}

/** `undefined` for a file that is no OSV entry; none for a withdrawn entry, and for other ecosystems. */
export function packageFacts({ name, bytes }: DumpFile): PackageFact[] | undefined {
  const entry = documentOrError(OsvEntry, bytes, name);
  if (entry instanceof FormatError || !isOsvId(entry.id)) return undefined;
  if (entry.withdrawn !== undefined) return [];
  const byPackage = new Map<string, PackageFact & { affected: OsvAffected[] }>();
  for (const { package: about, ranges = [], versions = [] } of entry.affected ?? []) {
    const ecosystem = about?.ecosystem;
    if (ecosystem !== 'npm' && ecosystem !== 'PyPI') continue;
    const key = packageKey(ecosystem, about?.name ?? '');
    const known = byPackage.get(`${ecosystem} ${key}`) ?? {
      ecosystem,
      name: key,
      id: entry.id,
      affected: [],
    };
    const numbered = ranges.filter(({ type }) => type !== 'GIT').map(({ events }) => ({ events }));
    known.affected.push({ ranges: numbered, versions });
    byPackage.set(`${ecosystem} ${key}`, known);
  }
  return [...byPackage.values()];
}
