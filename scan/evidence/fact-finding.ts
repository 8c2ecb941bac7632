/** Turns a fact into a finding: its place, its text, and what flows where. */
import { once } from '../once.ts';
import type { Fact } from '../taint/api.ts';
import { UNKNOWN } from '../taint/value.ts';
import { at, finding, type Finding } from '../../format/finding/finding.ts';
import type { FindingArgs, FindingLevel } from '../../format/finding/texts/finding-text.ts';
import type { FindingCode } from '../../format/finding/catalogue.ts';
import type { ScannedBuild, ScannedFile } from '../scanned-file.ts';
import { addressesOf, hostsOf } from './fact-evidence.ts';

const UNPRINTABLE = /[\p{C}\p{Z}]+/gu;

const MAX_QUOTE = 100;

/** The files of a build by path; the first one when two files have the same path. */
const filesByPath = once(
  ({ files }: ScannedBuild): ReadonlyMap<string, ScannedFile> =>
    new Map(files.toReversed().map((file) => [file.path, file])),
);

/** What flows into a fact with a label of `mask`, as text for a finding. */
export function whatFlows({ operand, content }: Fact, mask: number): string {
  const origins = [...content.origins, ...operand.origins].filter((o) => (o.label & mask) !== 0);
  return [...new Set(origins.map((o) => quote(o.what)))].slice(0, 4).join(', ');
}

/** In a bundle, and in a build of many files, only data from the same file counts as evidence. */
export function isFar({ isLarge, path, operand, content }: Fact, mask: number): boolean {
  if (!isLarge) return false;
  const origins = [...content.origins, ...operand.origins].filter((o) => (o.label & mask) !== 0);
  return !origins.some((o) => o.path === path);
}

/** The file that a fact is in. */
export function fileAt(build: ScannedBuild, { path }: Pick<Fact, 'path'>): ScannedFile {
  return filesByPath(build).get(path)!;
}

/** Whether what has a label of `mask` comes from the fact's own file. */
export function isFromHere({ path, operand }: Fact, mask: number): boolean {
  return operand.origins.some((o) => (o.label & mask) !== 0 && o.path === path);
}

/** Interfaces that turn data into objects and may run it. */
export const LOADERS = /pickle|dill|joblib|yaml|marshal/i;

/** Those that load a model or a cache: usual, and a risk only when the data is not trusted. */
export const PICKLES = /pickle|dill|joblib/i;

/** A finding at a fact's place. */
export function found(
  build: ScannedBuild,
  code: FindingCode,
  { path, at: offset, end }: Pick<Fact, 'path' | 'at' | 'end'>,
  args: FindingArgs,
  level?: FindingLevel,
): Finding {
  const one = finding(code, path, args, level);
  const file = filesByPath(build).get(path);
  return file === undefined ? one : at(one, file.place(offset, Math.min(end - offset, 200)));
}

/** A publisher's text as one printable line. */
export function quote(text: string): string {
  const line = text.replaceAll(UNKNOWN, '*').replaceAll(UNPRINTABLE, ' ').trim();
  return line.length > MAX_QUOTE ? `${line.slice(0, MAX_QUOTE)}...` : line;
}

/** The first address or host, as text for a finding. */
export function whereTo(fact: Fact): string {
  const address = addressesOf(fact).find((one) => /[/.:]/.test(one));
  return quote(hostsOf(fact)[0] ?? address ?? 'an address that the code makes up');
}
