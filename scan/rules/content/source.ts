/** Reports code that the scanner could not read, or not completely. */
import { at, finding, type Finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedBuild, ScannedFile } from '../../scanned-file.ts';
import { isOrdinary } from '../../taint/reading-plan.ts';
import { isTestOrExamplePath } from '../../text/decode-text.ts';
import { isIdleFile } from '../../text/idle-file.ts';

export const source: Rule = {
  name: 'source',
  run: (build) => {
    const unread = new Set(build.taint.unread);
    return build.files.flatMap((file) => checkFile(build, file, unread.has(file.path)));
  },
};

const PARTS = 'it is so large that only parts which may hold a source or sink are read';

const LARGE = 'it is too large or nested too deeply to be analysed';
const BUILD = 'the build has more code than is analysed of one';

/** @param isUnanalysed the taint analysis did not read the file completely */
function checkFile(build: ScannedBuild, file: ScannedFile, isUnanalysed: boolean): Finding[] {
  const { syntax, path } = file;
  if (syntax.language === 'none') return [];
  const isUnread = syntax.language === 'unread';
  const gap = isUnread ? syntax.reason : syntax.gap;
  const isLeftOut = (gap === undefined || isUnread) && build.taint.leftOut.has(path);
  const reason = gap ?? (isLeftOut ? BUILD : isUnanalysed ? LARGE : '');
  if (reason !== '') {
    // Code without a source or sink has nothing that the analysis would find.
    const isHarmless = isUnread && !isUnanalysed;
    const isIdle = isTestOrExamplePath(path) && isIdleFile(build, path);
    const level = isHarmless || isIdle || (isLeftOut && isOrdinary(file)) ? 'info' : 'warn';
    return [finding('source-unread', path, { reason }, level)];
  }
  if (isUnread) return [];
  if (syntax.isInParts === true) return [finding('source-unread', path, { reason: PARTS }, 'info')];
  if (syntax.problemAt === undefined) return [];
  return [at(finding('source-unparsed', path), file.place(syntax.problemAt, 0))];
}
