/** The work on one build that worker threads do side by side. */
import { answerScans } from '../../scan/answer-scans.ts';
import { InternalError } from '../../format/errors.ts';
import type { ScanEnd } from '../../scan/examine-build.ts';
import { ObjectReader } from '../git/object-reader.ts';
import type { PageSite } from '../site/site.ts';
import type { PagedBuild } from './build-pages.ts';
import type { Candidate } from './discover.ts';
import { Stage } from './emit.ts';
import { examine, type Examined, type KnownBefore } from './examine.ts';
import { render, type StoredBuild } from './render.ts';
import { StepClock, type StepSeconds } from './stage-clock.ts';

type Rendered = Awaited<ReturnType<typeof render>>;

export type Job =
  | { readonly kind: 'examine'; readonly candidate: Candidate; readonly known: KnownBefore }
  | {
      readonly kind: 'render';
      readonly build: StoredBuild;
      readonly work: Parameters<typeof render>[1];
    }
  | { readonly kind: 'pages'; readonly pages: PagedBuild };

export type Result<J extends Job> = J extends { kind: 'examine' }
  ? Examined
  : J extends { kind: 'pages' }
    ? number
    : Rendered;

/** What comes back. */
export interface Performed {
  readonly result: Examined | Rendered | number;
  /** Processor time since the last answer. */
  readonly steps: StepSeconds;
}

/** Where jobs read from and write to. */
export interface Workplace {
  /** Folder of the git repository. */
  readonly repository: string;
  /** Folder of the index. */
  readonly out: string;
  /** The site, if the index has one. */
  readonly site: PageSite | undefined;
}

/** What a thread is sent: a job, or nothing when the run is over. */
export type Task =
  | { readonly job: Job; readonly workplace: Workplace }
  | { readonly job: undefined };

interface Tools {
  readonly reader: ObjectReader;
  readonly stage: Stage;
  readonly clock: StepClock;
  readonly measure: StepClock['measure'];
  readonly site: PageSite | undefined;
}

/** Does each job that `worker-pool.ts` sends to this thread. */
export function answerJobs(): void {
  let tools: Tools | undefined;
  answerScans<Task>(async (task, ended): Promise<Performed | undefined> => {
    if (task.job === undefined) {
      tools?.reader.close();
      tools = undefined;
      return undefined;
    }
    const used = (tools ??= toolsFor(task.workplace));
    return { result: await perform(task.job, used, ended), steps: used.clock.take() };
  });
}

function toolsFor({ repository, out, site }: Workplace): Tools {
  const clock = new StepClock();
  const { measure } = clock;
  return { reader: new ObjectReader(repository), stage: new Stage(out), clock, measure, site };
}

async function perform(
  job: Job,
  tools: Tools,
  ended: ScanEnd | undefined,
): Promise<Performed['result']> {
  const { reader, stage, site } = tools;
  if (job.kind === 'examine') return examine(job.candidate, job.known, tools, ended);
  if (job.kind === 'render') return render(job.build, job.work, tools);
  // Loaded late: pages need parsers of Markdown and grammars.
  const { makeBuildPages } = await import('./build-pages.ts');
  if (site === undefined) throw new InternalError('Cannot make pages: the index has no site');
  return makeBuildPages(job.pages, { site, reader, stage });
}
