/** The program that examines builds for a parent which has their files (`safe-examination.ts`). */
import { capabilitiesOf, examineBuild, type Care } from './examine-build.ts';
import { examineProposal } from './examine-proposal.ts';
import { answerScans, takeCare } from './answer-scans.ts';
import type { SourceBuild } from './validate.ts';

/** What a parent wants to know of a build. */
export interface ExaminerJob {
  readonly ask: 'build' | 'proposal' | 'capabilities';
  readonly source: SourceBuild;
  readonly care: Care;
}

answerScans<null, ExaminerJob>(() => ({
  perform: async ({ ask, source, care }) => {
    takeCare(care);
    if (ask === 'capabilities') return capabilitiesOf(source, care.ended === undefined);
    if (ask === 'build') return examineBuild(source, undefined, care.ended);
    return examineProposal(source, care.ended);
  },
  close: () => {},
}));
