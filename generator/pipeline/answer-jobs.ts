/** Answers each job that `worker-pool.ts` sends to this worker thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { ObjectReader } from '../git/object-reader.ts';
import { perform } from './job.ts';
import type { Job, Workplace } from './job.ts';
import { Stage } from './emit.ts';
import { StepClock } from './stage-clock.ts';

const { repository, out } = workerData as Workplace;
const reader = new ObjectReader(repository);
const stage = new Stage(out);
const clock = new StepClock();

parentPort?.on('message', ({ ticket, job }: { ticket: number; job: Job }) => {
  perform(job, reader, stage, clock.measure).then(
    (result) => parentPort?.postMessage({ ticket, result, steps: clock.take() }),
    (error: Error) => {
      const what = job.kind === 'examine' ? job.candidate.path : job.build.id;
      const problem = `Cannot ${job.kind} "${what}": ${error.message}`;
      parentPort?.postMessage({ ticket, problem });
    },
  );
});
