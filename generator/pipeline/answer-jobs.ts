/** Answers each job that `worker-pool.ts` sends to this worker thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { ObjectReader } from '../git/object-reader.ts';
import { perform } from './job.ts';
import type { Job, Workplace } from './job.ts';
import { Stage } from './emit.ts';
import { StepClock } from './stage-clock.ts';

const workplace = workerData as Workplace;
const { repository, out } = workplace;
const reader = new ObjectReader(repository);
const stage = new Stage(out);
const clock = new StepClock();

const VERBS = { examine: 'examine', render: 'render', pages: 'make the pages of' } as const;

parentPort?.on('message', ({ ticket, job }: { ticket: number; job: Job }) => {
  perform(job, { workplace, reader, stage, measure: clock.measure }).then(
    (result) => parentPort?.postMessage({ ticket, result, steps: clock.take() }),
    (error: Error) => {
      const what = subjectOf(job);
      const problem = `Cannot ${VERBS[job.kind]} "${what}": ${error.message}`;
      parentPort?.postMessage({ ticket, problem });
    },
  );
});

function subjectOf(job: Job): string {
  if (job.kind === 'examine') return job.candidate.path;
  return job.kind === 'pages' ? job.pages.build.id : job.build.id;
}
