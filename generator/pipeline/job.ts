/** The work that can be done side by side: in this thread, in worker threads, or in processes. */
import type { Care } from '../../scan/examine-build.ts';
import { examine, type ExamineTools, type Examined, type KnownBefore } from './examine.ts';
import { render, type StoredBuild } from './render.ts';
import type { ItemWork } from './shadcn-items.ts';
import type { Candidate } from './discover.ts';
import type { StepSeconds, StepClock } from './stage-clock.ts';
import { InternalError } from '../../format/errors.ts';
import type { Site } from '../site/site.ts';
import type { PagedBuild } from './build-pages.ts';
import {
  JobFailed,
  ScanEnded,
  ScanNotStarted,
  ScanProcess,
  performSafely,
} from '../../scan/scan-process.ts';
import { finding } from '../../format/finding/finding.ts';
import { GeneratorError } from '../errors.ts';

type Rendered = ReturnType<typeof render>;

interface ExamineJob {
  readonly kind: 'examine';
  readonly candidate: Candidate;
  readonly known: KnownBefore;
}

export type Job =
  | ExamineJob
  | { readonly kind: 'render'; readonly build: StoredBuild; readonly items: ItemWork | undefined }
  | { readonly kind: 'pages'; readonly pages: PagedBuild };

export type Result<J extends Job> = J extends { kind: 'examine' }
  ? Examined
  : J extends { kind: 'pages' }
    ? number
    : Rendered;

/** A job as it is sent to a process. */
export interface Asked {
  readonly job: Job;
  readonly care: Care;
}

/** What comes back. */
export interface Performed {
  /** `undefined` for a build that must be examined in a process of its own. */
  readonly result: Examined | Rendered | number | undefined;
  readonly steps: StepSeconds;
}

/** Where jobs read from and write to. */
export interface Workplace {
  /** Folder of the git repository. */
  readonly repository: string;
  /** Folder of the index. */
  readonly out: string;
  /** The site, if the index has one. */
  readonly site: Site | undefined;
}

/** What a worker thread needs. */
export interface ThreadData {
  readonly workplace: Workplace;
  /** Of the notes about trees. */
  readonly line: number;
}

/** What a thread or process does jobs with. */
interface JobTools extends ExamineTools {
  readonly workplace: Workplace;
}

export async function perform(
  job: Job,
  care: Care | undefined,
  tools: JobTools,
): Promise<Performed['result']> {
  const { workplace, reader, stage } = tools;
  if (job.kind === 'examine') return examine(job.candidate, job.known, tools, care?.ended);
  if (job.kind === 'render') return render(job.build, job.items, stage);
  // Loaded late: pages need parsers of Markdown and grammars.
  const { makeBuildPages } = await import('./build-pages.ts');
  const { site } = workplace;
  if (site === undefined) throw new InternalError('Cannot make pages: the index has no site');
  return makeBuildPages(job.pages, { site, reader, stage });
}

/** Does jobs in processes of their own with a git reader each, one of which may end without ending the run. */
interface GuardedJobs {
  readonly examine: (job: ExamineJob) => Promise<Examined>;
  /** What the processes used, in seconds of processor time, since the last call. */
  readonly used: () => number;
  /** The trees that ended a process. */
  readonly ended: ReadonlySet<string>;
  readonly close: () => void;
}

/** A process starts when each of the others has so many jobs. */
const JOBS_BEFORE_NEXT_PROCESS = 3;

/**
 * Starts processes when there are jobs.
 *
 * @param count of processes at most, beside one for builds that end them
 * @param limit seconds of processor time for one build
 */
export function openGuardedJobs(
  program: URL,
  { workplace, count, limit }: { workplace: Workplace; count: number; limit: number | undefined },
  clock: StepClock,
): GuardedJobs {
  const workers: ScanProcess[] = [];
  const ended = new Set<string>();
  let used = 0;
  /** Builds that end processes are examined one after the other. */
  let alone: Promise<unknown> = Promise.resolve();
  return {
    examine,
    ended,
    used: () => {
      const before = used;
      used = 0;
      return workers.reduce((sum, worker) => sum + worker.take(), before);
    },
    close: () => {
      for (const worker of workers) worker.close();
    },
  };

  async function examine(job: ExamineJob): Promise<Examined> {
    const { path, tree } = job.candidate;
    try {
      return await performSafely(
        () => send(nextWorker(), job, {}),
        (care) => {
          ended.add(tree);
          const result = alone.then(() => examineAlone(job, care));
          alone = result.catch(() => {});
          return result;
        },
      );
    } catch (error) {
      if (error instanceof JobFailed) {
        const { message, code, hint } = error.problem;
        if (code !== undefined)
          throw new GeneratorError(code as GeneratorError['code'], message, { hint });
        throw new GeneratorError('ERR_WORKER', `Cannot examine "${path}": ${message}`);
      }
      if (error instanceof ScanNotStarted) throw new GeneratorError(error.code, error.message);
      if (!(error instanceof ScanEnded)) throw error;
      const { cause, detail, file } = error.end;
      return { ok: false, faults: [finding('scan-ended', file, { cause, detail })] };
    }
  }

  async function examineAlone(job: ExamineJob, care: Care): Promise<Examined> {
    const worker = new ScanProcess({ program, setup: workplace, limit, isFresh: true });
    try {
      return await send(worker, job, care);
    } finally {
      used += worker.take();
      worker.close();
    }
  }

  async function send(worker: ScanProcess, job: ExamineJob, care: Care): Promise<Examined> {
    const asked: Asked = { job, care };
    const { result, steps } = (await worker.perform(asked)) as Performed;
    clock.add(steps);
    return result as Examined;
  }

  /** The one with the fewest jobs, or a new one. */
  function nextWorker(): ScanProcess {
    for (const [at, worker] of workers.entries()) {
      if (!worker.hasEnded) continue;
      used += worker.take();
      workers.splice(at, 1);
      break;
    }
    const [idlest] = workers.toSorted((a, b) => a.jobs - b.jobs);
    const isEnough = workers.length === count || (idlest?.jobs ?? 0) < JOBS_BEFORE_NEXT_PROCESS;
    if (idlest !== undefined && isEnough) return idlest;
    const worker = new ScanProcess({ program, setup: workplace, limit });
    workers.push(worker);
    return worker;
  }
}
