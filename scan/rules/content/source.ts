/** Reports code that the scanner could not read, or not completely. */
import { at, finding, type Finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedBuild, ScannedFile } from '../../scanned-file.ts';
import { BEYOND_BUILD } from '../../taint/reading-plan.ts';
import { isOrdinary } from '../../taint/suspicion.ts';
import { isTestOrExamplePath } from '../../text/file-kind.ts';
import { isIdleFile } from '../../text/idle-file.ts';

export const source: Rule = {
  name: 'source',
  run: (build) => {
    const unread = new Set(build.taint.unread);
    return build.files.flatMap((file) => checkFile(build, file, unread.has(file.path)));
  },
};

const LARGE = 'it has more code than is analysed of one file';

/** @param isUnanalysed the taint analysis did not read the file completely */
function checkFile(build: ScannedBuild, file: ScannedFile, isUnanalysed: boolean): Finding[] {
  const { syntax, path } = file;
  if (syntax.language === 'none') return [];
  const isLeftOut = build.taint.leftOut.has(path);
  const gap = syntax.language === 'unread' ? syntax.reason : syntax.gap;
  const reason = gap ?? (isLeftOut ? BEYOND_BUILD : isUnanalysed ? LARGE : undefined);
  if (reason !== undefined) {
    // In a build with too much code: code that does no harm alone, or has no source or sink.
    const isHarmless = isLeftOut ? isOrdinary(file) : reason === BEYOND_BUILD;
    const isIdle = isTestOrExamplePath(path) && isIdleFile(build, path);
    return [finding('source-unread', path, { reason }, isHarmless || isIdle ? 'info' : 'warn')];
  }
  if (syntax.language === 'unread' || syntax.problemAt === undefined) return [];
  return [at(finding('source-unparsed', path), file.place(syntax.problemAt, 0))];
}
