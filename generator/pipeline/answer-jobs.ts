/** Answers each job that `worker-pool.ts` sends to this worker thread, or `job.ts` to this process. */
import { parentPort, workerData } from 'node:worker_threads';
import { answerScans, takeCare } from '../../scan/answer-scans.ts';
import { ObjectReader } from '../git/object-reader.ts';
import { TreeNote } from './examine.ts';
import {
  perform,
  type Asked,
  type Job,
  type Performed,
  type ThreadData,
  type Workplace,
} from './job.ts';
import { Stage } from './emit.ts';
import { StepClock } from './stage-clock.ts';

const VERBS = { examine: 'examine', render: 'render', pages: 'make the pages of' } as const;
const clock = new StepClock();

if (parentPort === null) {
  answerScans<Workplace, Asked>((workplace) => {
    const tools = toolsFor(workplace);
    return {
      perform: async ({ job, care }): Promise<Performed> => {
        takeCare(care);
        const result = await perform(job, care, tools);
        return { result, steps: clock.take() };
      },
      close: () => tools.reader.close(),
    };
  });
} else {
  const port = parentPort;
  const { workplace, line } = workerData as ThreadData;
  const first = { note: new TreeNote(workplace.out, line) };
  const tools = { ...toolsFor(workplace), first };
  port.on('message', ({ ticket, job }: { ticket: number; job: Job }) => {
    perform(job, undefined, tools).then(
      (result) => port.postMessage({ ticket, result, steps: clock.take() }),
      (error: Error) => {
        const problem = `Cannot ${VERBS[job.kind]} "${subjectOf(job)}": ${error.message}`;
        port.postMessage({ ticket, problem });
      },
    );
  });
}

function toolsFor(workplace: Workplace): Parameters<typeof perform>[2] {
  const { repository, out } = workplace;
  const [reader, stage] = [new ObjectReader(repository), new Stage(out)];
  return { workplace, reader, stage, measure: clock.measure };
}

function subjectOf(job: Job): string {
  if (job.kind === 'examine') return job.candidate.path;
  return job.kind === 'pages' ? job.pages.build.id : job.build.id;
}
