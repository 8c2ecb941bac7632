/**
 * Which stage of a run took how much processor time. Validating, checking and packing are measured build by build in
 * the thread that does them; the other stages are what the whole process used from one mark to the next.
 */
import type { Step } from '../../examine/examine-build.ts';

/** Seconds of processor time of this process, all threads together; what git uses is not in it. */
export interface StageSeconds extends StepSeconds {
  /** Reading git and deciding what is published, worker threads that start included. */
  readonly discover: number;
  readonly record: number;
  readonly emit: number;
}

/** Seconds of processor time by step of examining builds. */
export type StepSeconds = Readonly<Record<Step, number>>;

/** Adds up the steps of one thread, or of several. */
export class StepClock {
  #seconds: Record<Step, number> = { validate: 0, check: 0, pack: 0 };

  /** Does `work` and counts its processor time for `step`. */
  readonly measure = <Value>(step: Step, work: () => Value): Value => {
    const before = threadUsage();
    try {
      return work();
    } finally {
      this.#seconds[step] += secondsBetween(before, threadUsage());
    }
  };

  add(other: StepSeconds): void {
    for (const step of ['validate', 'check', 'pack'] as const) this.#seconds[step] += other[step];
  }

  /** What was counted since the last call. */
  take(): StepSeconds {
    const taken = this.#seconds;
    this.#seconds = { validate: 0, check: 0, pack: 0 };
    return taken;
  }
}

/** The marks of one run. */
export class StageClock {
  #before: NodeJS.CpuUsage = process.cpuUsage();

  /** Seconds of processor time of the process since the last mark, and a new mark. */
  mark(): number {
    const now = process.cpuUsage();
    const seconds = secondsBetween(this.#before, now);
    this.#before = now;
    return seconds;
  }
}

/** The stages of a run, to the millisecond. @param collecting discovering and examining together */
export function stageSeconds(
  collecting: number,
  steps: StepSeconds,
  { record, emit }: Pick<StageSeconds, 'record' | 'emit'>,
): StageSeconds {
  const { validate, check, pack } = steps;
  const discover = Math.max(0, collecting - validate - check - pack);
  const round = (seconds: number): number => Math.round(seconds * 1000) / 1000;
  return {
    discover: round(discover),
    validate: round(validate),
    check: round(check),
    pack: round(pack),
    record: round(record),
    emit: round(emit),
  };
}

/** Older releases of Node.js only know what the whole process used. */
function threadUsage(): NodeJS.CpuUsage {
  const known: Partial<Pick<NodeJS.Process, 'threadCpuUsage'>> = process;
  return known.threadCpuUsage?.() ?? process.cpuUsage();
}

function secondsBetween(before: NodeJS.CpuUsage, after: NodeJS.CpuUsage): number {
  return (after.user - before.user + after.system - before.system) / 1e6;
}
