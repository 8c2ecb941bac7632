import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ScanThread } from './scan-thread.ts';

/** Does what a job says, and answers with its name and with the end of an earlier try. */
const PROGRAM = `
import { answerScans } from '${pathToFileURL(join(import.meta.dirname, 'answer-scans.ts')).href}';
import { testBuild } from '${pathToFileURL(join(import.meta.dirname, 'test-build.ts')).href}';
answerScans(async (job, ended) => {
  if (job === 'fail') throw new Error('no');
  if (ended !== undefined) return [job, ended.cause, ended.file];
  if (job !== 'read') return [job];
  testBuild({ 'src/a.sh': 'exit' }).files[0].text;
  for (;;);
});`;
const program = new URL(`data:text/javascript,${encodeURIComponent(PROGRAM)}`);

const threads: ScanThread[] = [];

function open(text: URL = program, limit = 0.1): ScanThread {
  const thread = new ScanThread(text, limit);
  threads.push(thread);
  return thread;
}

afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.close();
});

describe('ScanThread', () => {
  it('answers jobs in a thread, and passes on the error of one', async () => {
    const thread = open();
    const jobs = ['a', 'fail', 'b'].map((job) => thread.perform(job));
    expect(await Promise.allSettled(jobs)).toEqual([
      { status: 'fulfilled', value: ['a'] },
      { status: 'rejected', reason: new Error('no') },
      { status: 'fulfilled', value: ['b'] },
    ]);
    expect(thread.jobs).toBe(0);
  });

  it('repeats what a thread had that took too long, and does without its scan what ended it', async () => {
    const thread = open();
    const jobs = ['a', 'read', 'b'].map((job) => thread.perform(job));
    expect(await Promise.all(jobs)).toEqual([['a'], ['read', 'time', 'src/a.sh'], ['b']]);
    expect(await thread.perform('c')).toEqual(['c']);
  }, 60_000);

  it('reports a thread that does not start', async () => {
    const thread = open(new URL('data:text/javascript,throw new Error("broken")'));
    await expect(thread.perform('a')).rejects.toMatchObject({
      code: 'ERR_WORKER',
      message: 'A worker thread failed: broken',
    });
  });
});
