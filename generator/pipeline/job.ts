/** The work on one build that worker threads do side by side. */
import { workerData } from 'node:worker_threads';
import { answerScans } from '../../scan/answer-scans.ts';
import { InternalError } from '../../format/errors.ts';
import { ObjectReader } from '../git/object-reader.ts';
import type { Site } from '../site/site.ts';
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
  readonly site: Site | undefined;
}

/** Does each job that `worker-pool.ts` sends to this thread. */
export function answerJobs(): void {
  const { repository, out, site } = workerData as Workplace;
  const [reader, stage, clock] = [new ObjectReader(repository), new Stage(out), new StepClock()];
  const tools = { reader, stage, measure: clock.measure };
  answerScans<Job>(async (job, ended): Promise<Performed> => {
    return { result: await perform(), steps: clock.take() };

    async function perform(): Promise<Performed['result']> {
      if (job.kind === 'examine') return examine(job.candidate, job.known, tools, ended);
      if (job.kind === 'render') return render(job.build, job.work, tools);
      // Loaded late: pages need parsers of Markdown and grammars.
      const { makeBuildPages } = await import('./build-pages.ts');
      if (site === undefined) throw new InternalError('Cannot make pages: the index has no site');
      return makeBuildPages(job.pages, { site, reader, stage });
    }
  });
}
