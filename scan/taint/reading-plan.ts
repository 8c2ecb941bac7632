/**
 * Which files of a build are parsed and analysed. All of them, in a build of usual size. Of a very large one, as much as can be
 * read in bounded time and memory: first the files in which an attack is most likely.
 */
import { MAX_SOURCE_LENGTH } from '../parse/is-bounded.ts';
import { nestingOf } from '../parse/parse-javascript.ts';
import { languageOf, withoutComments } from '../parse/syntax.ts';
import type { ScannedFile } from '../scanned-file.ts';
import { relevantFiles, sizeOf } from './relevant-files.ts';
import { suspicionOrder } from './suspicion.ts';

export interface ReadingPlan {
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
const LARGE = 4_000_000;
/** Characters that the native parser would read in the time that is left for parsing and analysing. */
const MAX_WORK = 72_000_000;
/** Of these, for the files that are analysed. */
const MAX_ANALYSIS = 45_000_000;
/** How many times longer than the native parser each takes: both other parsers, and the analysis of usual and of packed code. */
const [BABEL, LEZER, PIECES, ANALYSIS, PACKED_ANALYSIS] = [8, 4, 2, 6, 18];
/** Characters a line of packed code, on average. */
const PACKED_LINE = 200;

/** The plan for all `files` of a build. */
export function planReading(files: readonly ScannedFile[]): ReadingPlan {
  const relevant = relevantFiles(files);
  const code = files.filter(({ path, text }) => languageOf(path, text) !== undefined);
  if (sizeOf(code) <= LARGE)
    return { relevant, analysed: relevant, unparsed: new Set(), keepsTrees: true };
  let [work, analysis] = [MAX_WORK, MAX_ANALYSIS];
  const costs = new Map(code.map((file) => [file, parseCost(file)]));
  const analysed = suspicionOrder(relevant).filter((file) => {
    const cost = (costs.get(file) ?? 0) + analysisCost(file);
    if (cost > analysis) return false;
    analysis -= cost;
    work -= cost;
    return true;
  });
  const parsed = new Set(analysed);
  for (const file of code.toSorted((a, b) => lengthOf(a) - lengthOf(b))) {
    const cost = costs.get(file) ?? 0;
    if (parsed.has(file) || cost > work) continue;
    work -= cost;
    parsed.add(file);
  }
  const chosen = new Set(analysed);
  return {
    relevant,
    // In the order of the build, as for a small one.
    analysed: relevant.filter((file) => chosen.has(file)),
    unparsed: new Set(code.filter((file) => !parsed.has(file))),
    keepsTrees: false,
  };
}

function parseCost(file: ScannedFile): number {
  const { path, text = '' } = file;
  if (text.length > MAX_SOURCE_LENGTH) return PIECES * partLength(file);
  if (languageOf(path, text) === 'python') return LEZER * text.length;
  const isNative = nestingOf(path, text) === 'shallow';
  return (isNative ? 1 : BABEL) * text.length;
}

/** Of a text that is read in pieces, of which those are parsed that matter: characters without comments. */
function partLength({ path, text = '' }: ScannedFile): number {
  const length = withoutComments(path, text).replaceAll(/\s/g, '').length;
  return Math.min(MAX_SOURCE_LENGTH, length);
}

function analysisCost(file: ScannedFile): number {
  const { text = '' } = file;
  if (text.length > MAX_SOURCE_LENGTH) return ANALYSIS * partLength(file);
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return (text.length > PACKED_LINE * lines ? PACKED_ANALYSIS : ANALYSIS) * text.length;
}

function lengthOf({ text = '' }: ScannedFile): number {
  return text.length;
}
