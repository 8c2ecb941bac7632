/** The scripts of the workflows, called as the workflows call them, against a code host that changes meanwhile. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { CodeHostFixture } from './code-host-fixture.ts';
import { ALICE, REGISTRY, ROOT, build } from './gate-fixture.ts';

describe('gate.ts and settle.ts', () => {
  it('merge what was judged, comment once, and start the deployment', async () => {
    const host = await CodeHostFixture.open(REGISTRY);
    // Each script is a process, as in the workflow; in other cases one process runs them.
    host.hasOwnProcesses = true;
    const pull = host.pull(ALICE, build('alice/web-forms', '1.1.0'));
    const base = host.main;
    const ran = await host.publish(pull);
    expect([ran.status, ran.stdout]).toEqual([0, 'landed\n']);
    const log = host.git.git('-C', host.host, 'log', '-1', '--format=%P%n%B', 'main');
    expect(log).toMatch(
      /^\w+ \w+\nMerge pull request #1\n\nPublish alice\/web-forms@1\.1\.0\n\nGate-Verdict: merge sha256-\S+$/,
    );
    expect(log.startsWith(`${base} ${host.headOf(1)}\n`)).toBe(true);
    expect(pull.comments[0]?.body).toMatch(/^<!-- stackyard-gate -->\n## The gate merged this/);
    expect(host.dispatched).toEqual([{ file: 'deploy.yml', inputs: {} }]);
  });

  it('do not claim a merge that the code host refuses, and try again later', async () => {
    const host = await CodeHostFixture.open(REGISTRY);
    const pull = host.pull(ALICE, build('alice/web-forms', '1.1.0'));
    const [before, hook] = [host.main, join(host.host, 'hooks/pre-receive')];
    const stated = 'error: GH006: Protected branch update failed for refs/heads/main.';
    const tried = join(temporaryFolder(), 'tried');
    writeFileSync(hook, `#!/bin/sh\necho x >> ${tried}\necho '${stated}'\nexit 1\n`, {
      mode: 0o755,
    });
    const ran = await host.publish(pull);
    expect([ran.status, host.main]).toEqual([1, before]);
    expect(ran.stdout).toContain('::error::The code host refuses the push, 3 times: ');
    expect(ran.stdout).toContain('GH006: Protected branch update failed');
    expect(readFileSync(tried, 'utf8')).toBe('x\nx\nx\n');
    const [comment, ...others] = pull.comments;
    expect(others).toEqual([]);
    expect(comment?.body).toContain('## The gate could not merge this pull request');
    expect(comment?.body).not.toContain('The gate merge');
    expect(comment?.body).toContain('Protected branch update failed');
    expect(pull.labels).toEqual(['gate: unpushed', 'version: alice/web-forms@1.1.0']);
    expect(host.statuses.at(-1)).toMatchObject({ state: 'failure' });
    expect(host.dispatched).toEqual([]);
    // waiting.yml tries again, and the comment follows.
    rmSync(hook);
    expect((await host.run('wake-waiting', { GITHUB_TOKEN: 'write' })).stdout).toContain(
      'judged again: #1',
    );
    expect((await host.publish(pull)).stdout).toBe('landed\n');
    expect(pull.comments[0]?.body).toContain('## The gate merged this pull request');
    expect(pull.labels).toEqual(['version: alice/web-forms@1.1.0']);
    expect(host.statuses.at(-1)).toMatchObject({ state: 'success' });
  });

  it('do not merge what was pushed after the verdict', async () => {
    const host = await CodeHostFixture.open(REGISTRY);
    const pull = host.pull(ALICE, build('alice/web-forms', '1.1.0'));
    const { verdict } = await host.gate(pull);
    host.git.git('checkout', '-q', pull.branch);
    host.git.commit({ 'builds/alice/web-forms/src/index.ts': 'evil();\n' });
    host.push(pull.branch, pull.number);
    const before = host.main;
    const ran = await host.settle(pull, verdict);
    expect(ran.stdout).toContain('another commit');
    expect([host.main, pull.comments, pull.labels]).toEqual([before, [], []]);
  });

  it('judge again when the base branch moved', async () => {
    const host = await CodeHostFixture.open(REGISTRY);
    const first = host.pull(
      ALICE,
      build('alice/web-forms', '1.1.0', {}, { 'a.ts': 'export {};\n' }),
    );
    const second = host.pull(
      ALICE,
      build('alice/web-forms', '1.1.0', {}, { 'b.ts': 'export {};\n' }),
    );
    const [one, two] = [await host.gate(first), await host.gate(second)];
    await host.settle(first, one.verdict);
    const before = host.main;
    expect((await host.settle(second, two.verdict)).stdout).toBe('stale\n');
    expect(host.main).toBe(before);
    expect(host.dispatched.at(-1)).toEqual({ file: 'publish.yml', inputs: { pull: '2' } });
    expect((await host.publish(second)).verdict).toBe('refuse');
    expect(second.labels).toEqual(['gate: refuse']);
    expect(second.comments).toHaveLength(1);
    expect(second.comments[0]?.body).toContain('was published by commit');
  });

  it('accept an approval only from an admin, and only of the commit that was judged', async () => {
    const host = await CodeHostFixture.open(REGISTRY);
    const pull = host.pull(ALICE, build('alice/image-cutter', '1.0.0'));
    const before = host.main;
    const head = host.headOf(1);
    const by = {
      APPROVED_BY: ROOT.login,
      APPROVED_BY_ID: String(ROOT.id),
      TRIGGERED_BY: ROOT.login,
    };
    for (const env of [
      {},
      { ...by, APPROVED_HEAD: 'a'.repeat(40) },
      { ...by, APPROVED_BY_ID: '99', APPROVED_HEAD: head },
      { APPROVED_BY: 'alice', APPROVED_BY_ID: '11', APPROVED_HEAD: head, TRIGGERED_BY: 'alice' },
    ]) {
      const ran = await host.publish(pull, env);
      expect([ran.status, ran.stdout, host.main]).toEqual([0, 'verdict: review\n', before]);
    }
    await host.publish(pull, { ...by, APPROVED_HEAD: head });
    expect(host.main).not.toBe(before);
  });

  it('take no approval from a run that another account started again', async () => {
    const host = await CodeHostFixture.open(REGISTRY);
    const pull = host.pull(ALICE, build('alice/image-cutter', '1.0.0'));
    const before = host.main;
    const by = { APPROVED_BY: ROOT.login, APPROVED_BY_ID: String(ROOT.id) };
    const approval = { ...by, APPROVED_HEAD: host.headOf(1) };
    for (const started of [{ TRIGGERED_BY: 'mallory' }, {}]) {
      const ran = await host.publish(pull, { ...approval, ...started });
      expect([ran.status, host.main]).toEqual([1, before]);
      expect(ran.stdout).toMatch(/^::error::The approval of "root" does not count: /);
    }
    await host.publish(pull, { ...approval, TRIGGERED_BY: 'Root' });
    expect(host.main).not.toBe(before);
  });

  it('refuse a verdict that is forged, incomplete or about another tree', async () => {
    const host = await CodeHostFixture.open(REGISTRY);
    const pull = host.pull(ALICE, build('alice/web-forms', '1.1.0'));
    const { verdict: file } = await host.gate(pull);
    const before = host.main;
    const verdict = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    for (const text of [
      '{',
      JSON.stringify({ ...verdict, verdict: 'yes' }),
      JSON.stringify({ ...verdict, more: 1 }),
      JSON.stringify({ ...verdict, head: 'HEAD' }),
    ]) {
      writeFileSync(file, text);
      const env = { PULL_NUMBER: '1', VERDICT_FILE: file, GITHUB_TOKEN: 'write' };
      const ran = await host.run('settle', env);
      expect([ran.status, ran.stdout]).toEqual([1, expect.stringMatching(/^::error::Cannot read/)]);
    }
    const tree = host.git.git('rev-parse', 'HEAD~1^{tree}');
    writeFileSync(file, JSON.stringify({ ...verdict, tree }));
    expect((await host.settle(pull, file)).stdout).toContain('does not give the tree');
    expect(host.main).toBe(before);
  });

  it('judge no pull request to another branch, and report which variable is wrong', async () => {
    const host = await CodeHostFixture.open(REGISTRY);
    const pull = host.pull(ALICE, build('alice/web-forms', '1.1.0'));
    pull.base = 'other';
    expect(await host.gate(pull)).toMatchObject({ status: 1, verdict: '' });
    const ran = await host.run('gate', { PULL_NUMBER: '1; rm -rf /', VERDICT_FILE: 'x' });
    expect([ran.status, ran.stdout]).toEqual([
      1,
      '::error::Variable "PULL_NUMBER" is not of its form\n',
    ]);
  });
});

describe('check-freshness.ts', () => {
  async function site(commit: () => string): Promise<string> {
    const server = createServer((_, response) => {
      const info = {
        name: 'R',
        interface: 1,
        base_url: '',
        source_commit: commit(),
        builds: 0,
        versions: 0,
      };
      response.end(canonicalJson(info));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }
  const token = { GITHUB_TOKEN: 'write', POLL_SECONDS: '0' };

  it('succeeds once the newest commit is live, and waits for it', async () => {
    const host = await CodeHostFixture.open(REGISTRY);
    let asked = 0;
    const url = await site(() => ((asked += 1) < 3 ? 'b'.repeat(40) : host.main));
    // The commits of tests are old: only a long patience waits for them.
    const env = { ...token, BASE_URL: url, FRESH_WITHIN_SECONDS: '0' };
    expect((await host.run('check-freshness', env)).status).toBe(1);
    asked = 3;
    expect(await host.run('check-freshness', env)).toMatchObject({
      status: 0,
      stdout: `live: ${host.main}\n`,
    });
  });

  it('does not wait for a commit that landed after that of the run, which waits for this one', async () => {
    const host = await CodeHostFixture.open(REGISTRY);
    const own = 'c'.repeat(40);
    const env = { ...token, BASE_URL: await site(() => own), FRESH_WITHIN_SECONDS: '0' };
    expect(await host.run('check-freshness', { ...env, GITHUB_SHA: own })).toMatchObject({
      status: 0,
      stdout: `live: ${own}\n`,
    });
    const other = { ...env, GITHUB_SHA: host.main };
    expect((await host.run('check-freshness', other)).status).toBe(1);
  });

  it('raises one alarm when it is not live, or the site is down', async () => {
    const host = await CodeHostFixture.open(REGISTRY);
    for (const url of [await site(() => '\n::set-output name=x::y'), 'http://127.0.0.1:9/']) {
      const ran = await host.run('check-freshness', { ...token, BASE_URL: url });
      expect([ran.status, ran.stdout]).toEqual([
        1,
        expect.stringMatching(
          /^::error::The index is stale: commit [0-9a-f]{12} is not live after \d+ minutes\n$/,
        ),
      ]);
    }
    expect(host.issues).toMatchObject([{ labels: ['stale index'] }]);
  });
});

describe('generate.ts', () => {
  it('warns of a faulty build and of a changed version', async () => {
    const host = await CodeHostFixture.open(REGISTRY);
    const folder = host.checkout();
    const out = temporaryFolder();
    const env = { INDEX_FOLDER: join(out, 'index'), STATE_FILE: join(out, 'state.sqlite') };
    expect((await host.run('generate', env, folder)).status).toBe(0);
    host.git.commit(build('alice/new-thing', '1.0'));
    host.git.git('push', '-q', 'origin', 'HEAD:main');
    host.git.git('-C', folder, 'pull', '-q');
    const faulty = await host.run('generate', env, folder);
    expect([faulty.status, faulty.stdout]).toEqual([
      0,
      expect.stringMatching(/^::warning::.*manifest-field-value/),
    ]);
    host.git.commit({ 'builds/alice/web-forms/src/index.ts': 'changed\n' });
    host.git.git('push', '-q', 'origin', 'HEAD:main');
    host.git.git('-C', folder, 'pull', '-q');
    const violated = await host.run('generate', env, folder);
    expect([violated.status, violated.stdout]).toEqual([
      0,
      expect.stringMatching(/^::warning::.*integrity-version-changed/m),
    ]);
    // The report of the run before is there still: it has when one last succeeded.
    const report = JSON.parse(readFileSync(join(out, '.index.run.json'), 'utf8'));
    expect(report.generate).toMatchObject({ ok: false, succeeded_at: expect.any(String) });
  });
});
