/** Examines builds of pull requests in a worker thread: what a build does to the scan becomes a finding of that build. */
import type { CapabilityLists } from '../../format/index/capabilities.ts';
import type { ExaminedBuild } from '../../scan/examine-build.ts';
import { ScanThread } from '../../scan/scan-thread.ts';
import type { SourceBuild } from '../../scan/validate.ts';
import { isPackaged } from '../packaged.ts';

/** What the thread is asked about a build. */
export interface ExaminerJob {
  readonly ask: 'proposal' | 'capabilities';
  readonly source: SourceBuild;
}

/** In the package, beside this code. */
const EXAMINER = new URL(isPackaged ? './examiner.mjs' : './examiner.ts', import.meta.url);

let thread: ScanThread | undefined;

/** Starts the thread, which takes a while. */
export function startExaminer(): ScanThread {
  return (thread ??= new ScanThread(EXAMINER));
}

/** As `examineProposal`, in the thread. @throws {StackyardError} `ERR_WORKER` */
export function proposalInThread(source: SourceBuild): Promise<ExaminedBuild> {
  return perform({ ask: 'proposal', source });
}

/** As `capabilitiesOf`, in the thread. @throws {StackyardError} `ERR_WORKER` */
export function capabilitiesInThread(source: SourceBuild): Promise<CapabilityLists | undefined> {
  return perform({ ask: 'capabilities', source });
}

function perform<Result>(job: ExaminerJob): Promise<Result> {
  return startExaminer().perform(job) as Promise<Result>;
}
