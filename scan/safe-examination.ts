/** Examines builds in a process of its own, for programs that have the files: whatever a scan does becomes a finding. */
import type { CapabilityLists } from '../format/index/capabilities.ts';
import { finding } from '../format/finding/finding.ts';
import type { Care, ExaminedBuild } from './examine-build.ts';
import type { ExaminerJob } from './examiner.ts';
import { ScanEnded, ScanProcess, performSafely } from './scan-process.ts';
import type { SourceBuild } from './validate.ts';

export interface SafeExamination {
  /** As `examineProposal`. */
  readonly proposal: (source: SourceBuild) => Promise<ExaminedBuild>;
  /** As `examineBuild`. */
  readonly build: (source: SourceBuild) => Promise<ExaminedBuild>;
  /** As `capabilitiesOf`. */
  readonly capabilities: (source: SourceBuild) => Promise<CapabilityLists | undefined>;
  readonly close: () => void;
}

/**
 * Starts the process. It is kept for a few seconds, for a program that stays.
 *
 * @param program `examiner.ts`, or what it was built into
 * @param limit seconds of processor time for one build
 */
export function openSafeExamination(program: URL, limit?: number): SafeExamination {
  const start = (isFresh: boolean): ScanProcess =>
    new ScanProcess({ program, setup: null, limit, isFresh });
  let shared = start(false);

  return {
    proposal: (source) => examine('proposal', source),
    build: (source) => examine('build', source),
    capabilities: (source) => perform('capabilities', source),
    close: () => shared.close(),
  };

  async function examine(ask: ExaminerJob['ask'], source: SourceBuild): Promise<ExaminedBuild> {
    try {
      return await perform(ask, source);
    } catch (error) {
      if (!(error instanceof ScanEnded)) throw error;
      // Without a scan, too: what is left is reading the manifest and packing.
      const { cause, detail, file } = error.end;
      const faults = [finding('scan-ended', file, { cause, detail })];
      return { valid: undefined, findings: faults, faults, isPublishable: false };
    }
  }

  function perform<Result>(ask: ExaminerJob['ask'], source: SourceBuild): Promise<Result> {
    const send = (process: ScanProcess, care: Care): Promise<Result> => {
      const job: ExaminerJob = { ask, source, care };
      return process.perform(job) as Promise<Result>;
    };
    return performSafely(
      () => {
        if (shared.hasEnded) shared = start(false);
        return send(shared, {});
      },
      async (care) => {
        const process = start(true);
        try {
          return await send(process, care);
        } finally {
          process.close();
        }
      },
    );
  }
}
