/** Reports code that the scanner could not read, or not completely. */
import type { Finding } from '../../../format/finding/finding.ts';
import { at, finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedFile } from '../../scanned-file.ts';
import { wordPattern } from '../../parse/word-list.ts';

export const source: Rule = {
  name: 'source',
  run: ({ files }) => files.flatMap(checkFile),
};

function checkFile(file: ScannedFile): Finding[] {
  const { syntax } = file;
  if (syntax.language === 'none') return [];
  if (syntax.language === 'unread') {
    const level = isPacked(file) ? 'warn' : 'info';
    return [finding('source-unread', file.path, { reason: syntax.reason }, level)];
  }
  if (syntax.problemAt === undefined) return [];
  return [at(finding('source-unparsed', file.path), file.place(syntax.problemAt, 0))];
}

const RUNS = wordPattern([
  {
    why: 'JavaScript',
    words: [/\beval\s{0,3}\(/, /\bFunction\s{0,3}\(/, 'child_process', /\brunIn\w{2,4}Context\b/],
  },
  { why: 'a module that Node compiles', words: [/\b_compile\b/] },
  { why: 'Python', words: [/\bexec\s{0,3}\(/, /\bsubprocess\b/, /\bos\.system\b/] },
]);
const UNREADABLE =
  /[A-Za-z0-9+/=]{400}|(?:\\x[0-9a-f]{2}){50}|(?:\b_0x[0-9a-f]{3,8}\b[^_\n]{0,80}){10}/i;

/** Code that was not read, has lines too long to review, and runs code: it may be hidden there on purpose. */
function isPacked({ bytes }: ScannedFile): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return RUNS.test(text) && UNREADABLE.test(text);
}
