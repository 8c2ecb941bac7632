/** Pull requests that exceed the limits, and repositories that try to run code. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifest, temporaryFolder } from '../generate/git-fixture.ts';
import { GateFixture, build, codes } from './gate-fixture.ts';

const GATE = join(import.meta.dirname, '../../generator/main.ts');

/** Adds `count` files, or one of `bytes` zero bytes, to alice's build on a new branch. */
async function importFiles(
  gate: GateFixture,
  branch: string,
  count: number,
  bytes: number,
): Promise<void> {
  const git = spawn('git', ['-c', 'core.compression=1', 'fast-import', '--quiet'], {
    cwd: gate.git.folder,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const write = async (chunk: string | Buffer): Promise<void> => {
    if (!git.stdin.write(chunk)) await once(git.stdin, 'drain');
  };
  const text = manifest('web-forms', '1.1.0');
  await write(
    `commit refs/heads/${branch}\ncommitter T <t@example.org> 1772000000 +0000\ndata 1\nx\n`,
  );
  await write('from refs/heads/main^0\n');
  await write(
    `M 100644 inline builds/alice/web-forms/stackyard.json\ndata ${text.length}\n${text}\n`,
  );
  for (let at = 0; at < count; at += 1) {
    await write(`M 100644 inline builds/alice/web-forms/src/f${at}.txt\ndata 2\n${at % 10}\n\n`);
  }
  if (bytes > 0) {
    await write(`M 100644 inline builds/alice/web-forms/big.bin\ndata ${bytes}\n`);
    const chunk = Buffer.alloc(1 << 20);
    for (let left = bytes; left > 0; left -= chunk.length) {
      await write(left < chunk.length ? chunk.subarray(0, left) : chunk);
    }
    await write('\n');
  }
  git.stdin.end('\n');
  await once(git, 'close');
}

describe('judgePullRequest() within bounds', () => {
  it('refuses a file of a gigabyte by its size, without reading it', async () => {
    const gate = new GateFixture();
    await importFiles(gate, 'big', 0, 1 << 30);
    const args = ['--repo', gate.git.folder, '--base', 'main', '--head', 'big', '--json'];
    // A heap and a process that could not hold the file.
    const { stdout } = spawnSync(
      process.execPath,
      ['--max-old-space-size=200', GATE, 'gate', ...args, '--author', 'alice', '--author-id', '11'],
      { encoding: 'utf8', maxBuffer: 1 << 26 },
    );
    const verdict = JSON.parse(stdout) as {
      verdict: string;
      reasons: { code: string; file: string }[];
    };
    expect(verdict.verdict).toBe('refuse');
    expect(verdict.reasons.map((r) => r.code)).toEqual(['build-files-size', 'file-size']);
    expect(verdict.reasons[1]?.file).toBe('builds/alice/web-forms/big.bin');
  });

  it('refuses 50,000 files, and 12,000', async () => {
    const gate = new GateFixture();
    await importFiles(gate, 'many', 50_000, 0);
    expect(codes(await gate.judge('many'))).toEqual(['gate-size']);
    await importFiles(gate, 'more', 12_000, 0);
    expect(codes(await gate.judge('more'))).toEqual(['build-files-count']);
  });
});

describe('judgePullRequest() runs nothing', () => {
  it('of hooks, filters, drivers and monitors that a configuration or attributes name', async () => {
    const gate = new GateFixture();
    const { git } = gate;
    const trap = join(temporaryFolder(), 'ran');
    const run = `touch ${trap}`;
    const head = gate.pull(build('alice/web-forms', '1.1.0'), 'main', (branch) =>
      branch.write({ '.gitattributes': '* filter=evil diff=evil merge=evil\n' }),
    );
    git.commit({
      ...build('carol/mail-queue', '1.1.0'),
      'builds/alice/web-forms/README.md': '# x\n',
    });
    git.write({ '.git/info/attributes': '* filter=evil diff=evil\n' });
    for (const [key, value] of [
      ['core.fsmonitor', run],
      ['core.hooksPath', '/tmp'],
      ['filter.evil.clean', run],
      ['filter.evil.smudge', run],
      ['diff.evil.textconv', run],
      ['diff.evil.command', run],
      ['diff.external', run],
    ]) {
      git.git('config', key ?? '', value ?? '');
    }
    expect((await gate.judge(head)).verdict).toBe('refuse');
    expect(existsSync(trap)).toBe(false);
  });

  it('and writes no branch, index or file', async () => {
    const gate = new GateFixture();
    const head = gate.pull(build('alice/web-forms', '1.1.0'));
    const state = (): string =>
      execFileSync('git', ['status', '--porcelain', '--branch'], {
        cwd: gate.git.folder,
        encoding: 'utf8',
      }) + gate.git.git('for-each-ref');
    const before = state();
    await gate.judge(head);
    expect(state()).toBe(before);
  });
});

describe('npm run gate', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [GATE, 'gate', ...args], { encoding: 'utf8' });

  it('exits with 0, 1 and 2, and prints the requested format', () => {
    const gate = new GateFixture();
    const good = gate.pull(build('alice/web-forms', '1.1.0'));
    const bad = gate.pull({ 'builds/alice/web-forms/src/index.ts': 'changed\n' });
    const sides = (head: string): string[] => [
      '--repo',
      gate.git.folder,
      '--base',
      'main',
      '--head',
      head,
    ];
    const alice = ['--author', 'alice', '--author-id', '11'];
    const merged = run(...sides(good), ...alice);
    expect([merged.status, merged.stderr]).toEqual([0, '']);
    expect(merged.stdout).toMatch(/^The gate merges this pull request\nCommit [0-9a-f]{12} on/);
    const comment = run(...sides(good), ...alice, '--markdown').stdout;
    expect(comment).toContain('## The gate merges this pull request\n\nCommit <code>');
    const both = run(...sides(good), ...alice, '--markdown', '--json');
    expect([both.status, both.stderr]).toEqual([
      2,
      expect.stringContaining('Option --markdown cannot be used with --json'),
    ]);
    expect(JSON.parse(run(...sides(good), ...alice, '--json').stdout)).toMatchObject({
      verdict: 'merge',
    });
    const refused = run(...sides(bad), ...alice, '--annotations');
    expect(refused.status).toBe(1);
    expect(refused.stdout).toMatch(
      /^::error file=builds\/alice\/web-forms\/stackyard\.json,title=gate-version-published::Version 1\.0\.0 was published by commit [0-9a-f]{12} with other content\. Restore/,
    );
  });

  it.each([
    [['--base', 'main'], /Option --head is missing/],
    [['--base', '--upload-pack=x', '--head', 'a'], /Option --base has no value/],
    [
      ['--base=--upload-pack=x', '--head', 'a', '--author', 'a', '--author-id', '1'],
      /Option --base is "--upload-pack=x"/,
    ],
    [
      ['--base', 'a..b', '--head', 'a', '--author', 'a', '--author-id', '1'],
      /Option --base is "a\.\.b"/,
    ],
    [['--base', 'a', '--head', 'b', '--author', 'a b', '--author-id', '1'], /must be a login/],
    [
      ['--base', 'a', '--head', 'b', '--author', 'a', '--author-id', '-1'],
      /Option --author-id has no value/,
    ],
    [['--base', 'a', '--head', 'b', '--author', 'a', '--author-id', '1e9'], /positive number/],
  ])('refuses %j as wrong usage', (args, message) => {
    const { status, stderr } = run(...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('reports a missing commit, and a shallow clone', () => {
    const gate = new GateFixture();
    gate.git.commit({});
    const alice = ['--author', 'alice', '--author-id', '11'];
    const none = run('--repo', gate.git.folder, '--base', 'main', '--head', 'nowhere', ...alice);
    expect([none.status, none.stderr]).toEqual([1, expect.stringContaining('no commit "nowhere"')]);
    const shallow = join(temporaryFolder(), 'shallow');
    gate.git.git('clone', '-q', '--depth', '1', `file://${gate.git.folder}`, shallow);
    const cut = run('--repo', shallow, '--base', 'main', '--head', 'main', ...alice);
    expect([cut.status, cut.stderr]).toEqual([1, expect.stringContaining('ERR_SHALLOW_CLONE')]);
  });
});
