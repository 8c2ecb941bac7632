/** The work that can be done side by side: in this thread, in worker threads, or in processes. */
import type { Care } from '../../scan/examine-build.ts';
import { examine, type ExamineTools, type Examined, type KnownBefore } from './examine.ts';
import { render, type Rendered, type StoredBuild } from './render.ts';
import type { ItemWork } from './render-items.ts';
import type { Candidate } from './discover.ts';
import type { StepSeconds } from './stage-clock.ts';
import { InternalError } from '../../format/errors.ts';
import type { Site } from '../site/site.ts';
import type { PagedBuild } from './build-pages.ts';

export interface ExamineJob {
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
export interface JobTools extends ExamineTools {
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
