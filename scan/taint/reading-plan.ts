/**
 * Which files of a build are parsed and analysed. All of them, in a build of usual size. Of a very large one, as much as can be
 * read in bounded time and memory: first the files in which an attack is most likely.
 */
import { MAX_CODE_BYTES } from '../parse/limits.ts';
import { languageOf } from '../parse/syntax.ts';
import type { ScannedFile } from '../scanned-file.ts';
import { MAX_ANALYSED, relevantFiles, sizeOf } from './relevant-files.ts';
import { suspicionOrder } from './suspicion.ts';

interface ReadingPlan {
  /** The files that have to do with what the taint analysis looks for. */
  readonly relevant: readonly ScannedFile[];
  /** Those of them that it reads. */
  readonly analysed: readonly ScannedFile[];
  /** Code that is not parsed. */
  readonly unparsed: ReadonlySet<ScannedFile>;
  /** Whether all syntax trees fit into memory; otherwise only that of the last file is kept. */
  readonly keepsTrees: boolean;
}

/** In characters of code; a build with more is read within the limits below. */
const LARGE = 1_000_000;
/** Characters of all files that are parsed. */
const MAX_PARSED = 10_000_000;

/** Why a file of a build with more code is not read, as a clause. */
export const BEYOND_BUILD = 'the build has more code than is read of one';

/** The plan for all `files` of a build. */
export function planReading(files: readonly ScannedFile[]): ReadingPlan {
  const relevant = relevantFiles(files);
  const code = files.filter(({ path, text }) => languageOf(path, text) !== undefined);
  if (sizeOf(code) <= LARGE)
    return { relevant, analysed: relevant, unparsed: new Set(), keepsTrees: true };
  const chosen = new Set(firstWithin(suspicionOrder(relevant), MAX_ANALYSED));
  const others = code.filter((file) => !chosen.has(file));
  const left = MAX_PARSED - sizeOf([...chosen]);
  const parsed = new Set(
    firstWithin(
      others.toSorted((a, b) => sizeOf([a]) - sizeOf([b])),
      left,
    ),
  );
  return {
    relevant,
    // In the order of the build, as for a small one.
    analysed: relevant.filter((file) => chosen.has(file)),
    unparsed: new Set(others.filter((file) => !parsed.has(file))),
    keepsTrees: false,
  };
}

/** The files that together have at most `limit` characters; what is too large to be parsed has none. */
function firstWithin(files: readonly ScannedFile[], limit: number): ScannedFile[] {
  let left = limit;
  return files.filter((file) => {
    const cost = file.bytes.length > MAX_CODE_BYTES ? 0 : sizeOf([file]);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
}
