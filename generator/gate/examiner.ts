/** The program of the worker thread in which the gate examines builds (`examination.ts`). It loads as `pipeline/worker.ts` does. */
import { keepCompiledModules } from '../packaged.ts';
import type { ExaminerJob } from './examination.ts';

keepCompiledModules();
const { answerScans } = await import('../../scan/answer-scans.ts');
const { capabilitiesOf } = await import('../../scan/examine-build.ts');
const { examineProposal } = await import('../../scan/examine-proposal.ts');
answerScans<ExaminerJob>(async ({ ask, source }, ended) => {
  if (ask === 'capabilities') return capabilitiesOf(source, ended === undefined);
  return examineProposal(source, ended);
});
