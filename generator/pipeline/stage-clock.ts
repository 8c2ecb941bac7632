/**
 * Which stage of a run took how much processor time. Validating, checking and packing are measured build by build in
 * the thread that does them; discovering is what the main thread does meanwhile, the other stages are what the whole process used
 * from one mark to the next. How long the main thread waited is a time of the clock.
 */
import type { Step } from '../../scan/examine-build.ts';

/** Seconds of processor time of this process, all threads together; what git uses is not in it. */
export interface StageSeconds extends StepSeconds {
  /** Reading objects of git and deciding what is published. */
  readonly discover: number;
  /** Beside the stages before `record`: threads that start and load their modules, compilers, the collection of garbage. */
  readonly threads: number;
  readonly record: number;
  readonly emit: number;
  /** By the clock: the main thread had nothing to do but to wait for git and threads, before the stage `record`. */
  readonly waiting: number;
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

/** What was used between two marks. */
interface Used {
  /** Seconds of processor time of the process. */
  readonly all: number;
  /** The main thread's part. */
  readonly main: number;
  /** Seconds of the clock in which the main thread waited. */
  readonly waiting: number;
}

/** The marks of one run. */
export class StageClock {
  #all: NodeJS.CpuUsage = process.cpuUsage();
  #main: NodeJS.CpuUsage = threadUsage();
  #loop = performance.eventLoopUtilization();

  /** What was used since the last mark, and a new mark. */
  mark(): Used {
    const [all, main, loop] = [
      process.cpuUsage(),
      threadUsage(),
      performance.eventLoopUtilization(),
    ];
    const used = {
      all: secondsBetween(this.#all, all),
      main: secondsBetween(this.#main, main),
      waiting: (loop.idle - this.#loop.idle) / 1000,
    };
    [this.#all, this.#main, this.#loop] = [all, main, loop];
    return used;
  }
}

/**
 * The stages of a run, to the millisecond.
 *
 * @param collecting discovering and examining together
 * @param steps of the worker threads
 */
export function stageSeconds(
  collecting: Used,
  { validate, check, pack }: StepSeconds,
  { record, emit }: Pick<StageSeconds, 'record' | 'emit'>,
): StageSeconds {
  const discover = collecting.main;
  const threads = Math.max(0, collecting.all - discover - validate - check - pack);
  const round = (seconds: number): number => Math.round(seconds * 1000) / 1000;
  return {
    discover: round(discover),
    validate: round(validate),
    check: round(check),
    pack: round(pack),
    threads: round(threads),
    record: round(record),
    emit: round(emit),
    waiting: round(collecting.waiting),
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
