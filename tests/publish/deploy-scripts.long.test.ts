/** What deploy.yml runs: the log continues what is deployed, and the timer deploys what witnesses confirmed. */
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatNoteKey, formatNoteSigner, noteSigner } from '../../format/log/note-key.ts';
import { parse } from 'yaml';
import { serveFolder } from '../client/registry-fixture.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { CodeHostFixture } from './code-host-fixture.ts';
import type { Ran } from './code-host-fixture.ts';
import { REGISTRY, build } from './gate-fixture.ts';

const SIGNER = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(1));
const key = formatNoteKey(SIGNER);
const CONFIG = JSON.stringify({ origin: 'registry.example', log: { key }, site: false });

/** A registry whose index is deployed. */
async function deployed() {
  const host = await CodeHostFixture.open({ ...REGISTRY, 'registry.config.json': CONFIG });
  const work = temporaryFolder();
  const [index, site] = [join(work, 'index'), join(work, 'site')];
  const generate = (env: Readonly<Record<string, string>> = {}): Promise<Ran> => {
    const own = { INDEX_FOLDER: index, STATE_FILE: join(work, 'state.sqlite') };
    const secret = { STACKYARD_LOG_KEY: formatNoteSigner(SIGNER) };
    return host.run('generate', { ...own, ...secret, ...env });
  };
  const first = await generate();
  expect([first.status, first.stdout]).toEqual([0, expect.stringMatching(/^builds: /)]);
  cpSync(index, site, { recursive: true });
  const BASE_URL = await serveFolder(site);
  return { host, work, index, BASE_URL, generate };
}

describe('generate.ts', () => {
  it('refuses a rewritten history by what is deployed, also when its own index is lost', async () => {
    const { host, work, index, BASE_URL, generate } = await deployed();
    host.git.git('checkout', '-q', '--orphan', 'forged');
    host.git.git('rm', '-q', '-r', '-f', 'builds');
    host.git.commit(build('alice/forged', '1.0.0'));
    host.git.git('push', '-q', '-f', 'origin', 'HEAD:main');
    rmSync(index, { recursive: true });
    rmSync(join(work, 'state.sqlite'));
    const refused = await generate({ BASE_URL });
    expect([refused.status, refused.stdout]).toEqual([
      1,
      expect.stringMatching(/does not continue the published log: entry 0 of /),
    ]);
    // Without the address nothing is left that knows the history before.
    expect((await generate()).status).toBe(0);
  });

  it('stops when what is deployed cannot be read', async () => {
    const { generate } = await deployed();
    const stopped = await generate({ BASE_URL: 'http://127.0.0.1:1' });
    expect([stopped.status, stopped.stdout]).toEqual([
      1,
      expect.stringMatching(/Cannot read http:\/\/127\.0\.0\.1:1\/log\/checkpoint/),
    ]);
  });
});

describe('deploy.yml', () => {
  type Step = { run?: string };
  type Job = { if?: string; steps: Step[]; outputs?: Record<string, string> };
  type File = { on: { schedule: { cron: string }[] }; jobs: Record<string, Job> };
  const path = join(import.meta.dirname, '../../.github/workflows/deploy.yml');
  const { on, jobs } = parse(readFileSync(path, 'utf8')) as File;

  it('asks the witnesses after each run and on a timer of its own, and deploys what they signed', () => {
    const timers = on.schedule.map(({ cron }) => cron);
    const [, timer = ''] = /schedule == '(.*)'/.exec(jobs['generate']?.if ?? '') ?? [];
    expect(timers).toContain(timer);
    const steps = jobs['generate']!.steps.map(({ run }) => run);
    const order = [
      'node generator/main.ts host generate',
      'npm run log:cosign -- --out deploy/index',
    ];
    expect(steps.filter((run) => order.includes(run ?? ''))).toEqual(order);
  });
});
