/** Answers each job that `worker-pool.ts` sends to this process. */
import { answerScans, takeCare } from '../../examine/answer-scans.ts';
import { ObjectReader } from '../git/object-reader.ts';
import { perform } from './job.ts';
import type { Asked, Performed, Workplace } from './job.ts';
import { Stage } from './emit.ts';
import { StepClock } from './stage-clock.ts';

answerScans<Workplace, Asked>((workplace) => {
  const { repository, out } = workplace;
  const reader = new ObjectReader(repository);
  const stage = new Stage(out);
  const clock = new StepClock();
  const tools = { workplace, reader, stage, measure: clock.measure };
  return {
    perform: async ({ job, care }): Promise<Performed> => {
      takeCare(care);
      const result = await perform(job, care, tools);
      return { result, steps: clock.take() };
    },
    close: () => reader.close(),
  };
});
