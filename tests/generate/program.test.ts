/** The program `generate` itself: arguments, exit status, output. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../run/generator-command.ts';
import type { Ended } from '../run/script-process.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';
import { expectWholeIndex, readTree } from './index-reader.ts';

const run = (...args: string[]): Promise<Ended> => runCommand('generate', [...args, '--no-site']);

describe('npm run generate', () => {
  it('prints a summary, then nothing new', async () => {
    const git = new GitFixture();
    git.commit(build('a/x', '1.0.0'));
    const out = join(temporaryFolder(), 'index');
    const first = await run('--repo', git.folder, '--out', out);
    expect([first.status, first.stderr]).toEqual([0, '']);
    const files = Object.keys(readTree(out)).length;
    expect(first.stdout).toMatch(
      new RegExp(
        `^builds: 1, versions: 1; files: ${files} written, 0 unchanged, 0 removed; \\d+\\.\\d\\d s \\(full run\\)\\n$`,
      ),
    );
    const second = await run('--repo', git.folder, '--out', out, '--json');
    expect(JSON.parse(second.stdout)).toMatchObject({
      ok: true,
      mode: 'incremental',
      written: 0,
      unchanged: files,
      problems: [],
    });
    expect(Object.keys(readTree(out))).toHaveLength(files);
  });

  it('ends with status 1 on a fault, naming commit, file, what and how', async () => {
    const git = new GitFixture();
    git.commit(build('a/x', '1.0.0'));
    const commit = git.commit(build('b/y', '1.0'));
    const out = join(temporaryFolder(), 'index');
    const { status, stdout, stderr } = await run(
      '--repo',
      git.folder,
      '--out',
      out,
      '--threads',
      '1',
    );
    expect(status).toBe(1);
    expect(stderr).toBe(
      `error: builds/b/y/stackyard.json (commit ${commit.slice(0, 12)}): Field "version" is "1.0": ` +
        'it must be a semver version, three numbers such as "1.0.0" [manifest-field-value]\n' +
        'hint: Write a value of the expected form.\n',
    );
    expect(stdout).toContain('builds: 1, versions: 1');
    expectWholeIndex(out);
  });

  it.each([
    [['--repos', 'x'], 'Option "--repos" is unknown'],
    [['extra'], 'extra'],
    [['--threads', 'many'], 'Option --threads is "many"'],
  ])('ends with status 2 on %j', async (args, message) => {
    const { status, stderr } = await run(...args);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain('hint:');
  });

  it('ignores the environment and the configuration of git', async () => {
    const git = new GitFixture();
    git.commit(build('a/x', '1.0.0'));
    git.commit(build('a/x', '1.1.0', {}, { 'copy.ts': "export const version = '1.1.0';\n" }));
    const [plain, odd] = [join(temporaryFolder(), 'a'), join(temporaryFolder(), 'b')];
    await run('--repo', git.folder, '--out', plain);
    const settings = ['showRoot=false', 'showSignature=true', 'follow=true', 'abbrevCommit=true'];
    for (const setting of settings) git.git('config', ...`log.${setting}`.split('='));
    git.git('config', 'diff.renames', 'copies');
    git.git('config', 'diff.ignoreSubmodules', 'all');
    git.git('config', 'core.quotePath', 'false');
    git.git('config', 'i18n.logOutputEncoding', 'UTF-16');
    const variables = { GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere' };
    const done = await runCommand(
      'generate',
      ['--no-site', '--repo', git.folder, '--out', odd],
      variables,
    );
    expect(done.stderr).toBe('');
    expect(readTree(odd)).toEqual(readTree(plain));
  });
});
