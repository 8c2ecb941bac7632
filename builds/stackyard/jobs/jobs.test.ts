// What is refused where a job is defined, scheduled or queued. Running them is in tests/modules/jobs.test.ts.

import { expect, test } from 'vitest';
import { z } from 'zod';
import { encodeData, findDefinition, readData, schedule, schedules } from './define.js';
import { defineJob, enqueue } from './index.js';

// Jobs are defined once in a process.
let count = 0;
const unique = (): string => `test-${++count}`;
const defined = (): string => defineJob(unique(), () => {}).name;
const definedFor = (schema: z.ZodType): string => defineJob(unique(), schema, () => {}).name;

test.each([
  ['an unknown job', () => enqueue(unique()), 'ERR_JOB_UNKNOWN'],
  ['a job before the start', () => enqueue(defined()), 'ERR_JOBS_NOT_STARTED'],
  ['a function as data', () => encodeData(defined(), () => {}), 'ERR_JOB_DATA'],
  ['data that is too long', () => encodeData(defined(), 'x'.repeat(2_000_000)), 'ERR_JOB_DATA'],
  ['an asynchronous schema', () => encodeData(definedFor(z.string().refine(async () => true)), 'a'), 'ERR_JOB_DATA'],
  ['a name with a space', () => defineJob('a b', () => {}), 'ERR_JOB_OPTION'],
  ['a name in use', () => defineJob(defined(), () => {}) && defineJob(`test-${count}`, () => {}), 'ERR_JOB_DEFINED'],
  ['no attempts', () => defineJob(unique(), () => {}, { attempts: 0 }), 'ERR_JOB_OPTION'],
  ['half a run', () => defineJob(unique(), () => {}, { concurrency: 0.5 }), 'ERR_JOB_OPTION'],
  ['four fields', () => schedule('* * * *', defined()), 'ERR_JOB_SCHEDULE'],
  ['seconds', () => schedule('* * * * * *', defined()), 'ERR_JOB_SCHEDULE'],
  ['a time that never is', () => schedule('0 0 30 2 *', defined()), 'ERR_JOB_SCHEDULE'],
  ['an unknown zone', () => schedule('0 3 * * *', defined(), { zone: 'Mars/Base' }), 'ERR_JOB_SCHEDULE'],
  ['a schedule of nothing', () => schedule('0 3 * * *', unique()), 'ERR_JOB_UNKNOWN'],
  ['data that does not fit', () => schedule('0 3 * * *', definedFor(z.number()), { data: 'a' }), 'ERR_JOB_DATA'],
])('%s is refused at once', (_what, act, code) => {
  expect(act).toThrow(expect.objectContaining({ code }));
});

test('a job has one schedule for each key', () => {
  const job = { name: defined() };
  schedule('0 3 * * *', job);
  schedule('0 4 * * *', job, { key: `${job.name}-4` });
  expect(() => schedule('0 5 * * *', job)).toThrow(expect.objectContaining({ code: 'ERR_JOB_SCHEDULE' }));
  // Other tests of this process run no job of this one.
  for (const key of [job.name, `${job.name}-4`]) expect(schedules.delete(key)).toBe(true);
});

test('a fault of the data names the field and not its value', () => {
  const job = defineJob(unique(), z.object({ list: z.array(z.object({ to: z.email() })) }), () => {});
  const wrong = { list: [{ to: 'a@example.com' }, { to: 'secret' }] };
  const message = /^Cannot use the data of job "test-\d+": list\.1\.to: (?!.*secret)/;
  expect(() => encodeData(job.name, wrong)).toThrow(message);
  const path = [{ key: 'a' }, 'b'];
  const issues = [{ message: 'No', path }, { message: 'Never' }];
  const own = { '~standard': { version: 1, vendor: 'own', validate: () => ({ issues }) } } as const;
  const { name } = defineJob(unique(), own, () => {});
  expect(() => encodeData(name, 1)).toThrow(`"${name}": a.b: No; Never`);
});

test('no data is undefined for the handler, and null in the table', () => {
  const { name } = defineJob(unique(), z.undefined(), () => {});
  expect(encodeData(name, undefined)).toBe('null');
  expect(readData(findDefinition(name), null)).toBeUndefined();
});
