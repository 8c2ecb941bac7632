/** The program of the worker thread in which the gate examines builds (`examination.ts`). */
import { answerScans } from '../../scan/answer-scans.ts';
import { capabilitiesOf } from '../../scan/examine-build.ts';
import { examineProposal } from '../../scan/examine-proposal.ts';
import type { ExaminerJob } from './examination.ts';

answerScans<ExaminerJob>(async ({ ask, source }, ended) => {
  if (ask === 'capabilities') return capabilitiesOf(source, ended === undefined);
  return examineProposal(source, ended);
});
