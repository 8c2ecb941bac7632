/** Examines the builds of a pull request in a worker thread: what a build does to the scan becomes a finding of that build. */
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

export class Examination {
  readonly #thread = new ScanThread(EXAMINER, undefined);

  /** As `examineProposal`. @throws {StackyardError} `ERR_WORKER` */
  proposal(source: SourceBuild): Promise<ExaminedBuild> {
    return this.#perform({ ask: 'proposal', source });
  }

  /** As `capabilitiesOf`. @throws {StackyardError} `ERR_WORKER` */
  capabilities(source: SourceBuild): Promise<CapabilityLists | undefined> {
    return this.#perform({ ask: 'capabilities', source });
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }

  #perform<Result>(job: ExaminerJob): Promise<Result> {
    return this.#thread.perform(job) as Promise<Result>;
  }
}
