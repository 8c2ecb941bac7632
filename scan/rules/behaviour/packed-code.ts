/** Code that was packed or minified: it runs, but people cannot review it. */
import { finding, type Finding } from '../../../format/finding/finding.ts';
import type { FindingLevel } from '../../../format/finding/texts/finding-text.ts';
import { ruleOfFiles } from '../../rule.ts';
import type { ScannedBuild, ScannedFile } from '../../scanned-file.ts';
import { extensionOf } from '../../text/file-kind.ts';

const SCRIPTS = new Set(['js', 'mjs', 'cjs', 'jsx', 'ts']);
const MIN_LENGTH = 2000;
const MIN_LINE_LENGTH = 400;
/** `/*! name v1.2.3 ... license` at the beginning, where minifiers keep it. */
const BANNER =
  /^\s{0,20}(?:["']use strict["'];?\s{0,5})?\/\*[!*][^]{0,2000}?(?:licen[cs]e|copyright|\(c\)|@preserve|v\d+\.\d+)/i;

export const packedCode = ruleOfFiles('packed-code', checkFile);

function checkFile(file: ScannedFile, build: ScannedBuild): Finding[] {
  if (!SCRIPTS.has(extensionOf(file.path)) || file.text === undefined) return [];
  const shape = shapeOf(file.text);
  if (shape === undefined) return [];
  const { level, why } = excuse(build, file);
  return [finding('packed-code', file.path, { share: shape, why }, level)];
}

/** The percentage of the text that is in very long lines of dense code; `undefined` when it is small. */
function shapeOf(text: string): number | undefined {
  if (text.length < MIN_LENGTH) return undefined;
  let long = 0;
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    if (end - start > MIN_LINE_LENGTH && isDense(text, start, Math.min(end, start + 4000)))
      long += end - start;
    start = end + 1;
  }
  const share = Math.round((100 * long) / text.length);
  return share >= 50 ? share : undefined;
}

/** Minified code has few spaces, and many of the marks that end statements and calls. */
function isDense(text: string, start: number, end: number): boolean {
  let [spaces, marks] = [0, 0];
  for (let at = start; at < end; at += 1) {
    const c = text.charCodeAt(at);
    if (c === 32 || c === 9) spaces += 1;
    else if (c === 59 || c === 44 || c === 40 || c === 123 || c === 61) marks += 1;
  }
  return spaces < 0.12 * (end - start) && marks > 0.06 * (end - start);
}

function excuse(
  { files }: ScannedBuild,
  { path, text = '' }: ScannedFile,
): { level: FindingLevel; why: string } {
  if (BANNER.test(text.slice(0, 2500)))
    return { level: 'info', why: 'it has the banner of a library' };
  const stem = path.replace(/[.-]min(?=\.[a-z]+$)/, '');
  const isHere = (other: string): boolean =>
    other !== path && files.some((file) => file.path === other);
  if (isHere(stem)) return { level: 'info', why: `its readable form is ${stem}` };
  if (isHere(`${path}.map`)) return { level: 'info', why: 'its source map is there' };
  // Published records contain this text: it never changes.
  return { level: 'warn', why: 'nothing says what it was made from' };
}
