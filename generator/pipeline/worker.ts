/** A worker thread of `pool.ts`: answers each job that it is sent. */
import { parentPort, workerData } from 'node:worker_threads';
import { ObjectReader } from '../git/object-reader.ts';
import { perform } from './job.ts';
import type { Job, Workplace } from './job.ts';
import { Stage } from './emit.ts';

const { repository, out } = workerData as Workplace;
const reader = new ObjectReader(repository);
const stage = new Stage(out);

parentPort?.on('message', ({ ticket, job }: { ticket: number; job: Job }) => {
  perform(job, reader, stage).then(
    (result) => parentPort?.postMessage({ ticket, result }),
    (error: Error) => {
      const what = job.kind === 'examine' ? job.candidate.path : job.build.id;
      const problem = `Cannot ${job.kind} "${what}": ${error.message}`;
      parentPort?.postMessage({ ticket, problem });
    },
  );
});
