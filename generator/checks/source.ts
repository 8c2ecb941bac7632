/** Says which code the checks could not read, or not whole. */
import type { Finding } from '../../format/finding.ts';
import { at, finding } from '../../format/finding.ts';
import type { Check, CheckedFile } from './check.ts';

export const source: Check = {
  name: 'source',
  run: ({ files }) => files.flatMap(judge),
};

function judge(file: CheckedFile): Finding[] {
  const { syntax } = file;
  if (syntax.language === 'none') return [];
  if (syntax.language === 'unread') {
    return [finding('source-unread', file.path, { reason: syntax.reason })];
  }
  if (syntax.problemAt === undefined) return [];
  return [at(finding('source-unparsed', file.path), file.place(syntax.problemAt, 0))];
}
