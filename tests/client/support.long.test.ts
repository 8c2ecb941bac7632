/** `doctor` and `completion` through the program; completion in real shells. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { MAIN } from './client-process.ts';
import { makeProject, serveRegistry, stackyard } from './registry-fixture.ts';

async function installed(): Promise<{ project: string; url: string }> {
  const git = new GitFixture();
  const env = { MAIL_KEY: { required: true }, MAIL_FROM: {} };
  git.commit(build('a/mail', '1.0.0', { base: 'src/mail', env }));
  const { url } = await serveRegistry(git);
  const project = makeProject();
  const added = await stackyard(['add', 'a/mail', '-C', project, '--registry', url]);
  expect(added.status).toBe(0);
  return { project, url };
}

describe('doctor', () => {
  const well = { MAIL_KEY: 'x' };

  it.each<[string, (project: string) => Record<string, string>, RegExp]>([
    [
      'an empty variable in .env',
      (p) => (writeFileSync(join(p, '.env'), 'MAIL_KEY=\n'), { MAIL_KEY: '' }),
      /not set: MAIL_KEY/,
    ],
    [
      'a lock with merge markers',
      (p) => (writeFileSync(join(p, 'stackyard.lock.json'), '<<<<<<< a\n'), well),
      /problem +lock: .*merge markers/,
    ],
    [
      'an interrupted run',
      (p) => (interrupt(p), well),
      /problem +runs: A run was interrupted.*recover/,
    ],
    [
      'no package manager',
      () => ({ ...well, PATH: '/nonexistent' }),
      /problem +package-manager: npm/,
    ],
  ])('finds %s', async (_name, change, line) => {
    const { project } = await installed();
    const ended = await stackyard(['doctor', '-C', project], change(project));
    expect([ended.status, ended.stdout]).toEqual([10, expect.stringMatching(line)]);
  });
});

/** Creates the files that a killed run leaves. */
function interrupt(project: string): void {
  mkdirSync(join(project, '.stackyard'));
  const digest = `sha256-${'A'.repeat(43)}=`;
  const write = { path: 'stackyard.lock.json', before: null, after: digest, mode: 0o644 };
  const transaction = '00000000-0000-4000-8000-000000000000';
  const journal = { journalVersion: 1, transaction, writes: [write], folders: [] };
  writeFileSync(join(project, '.stackyard/journal.json'), JSON.stringify(journal));
}

describe('completion', () => {
  async function candidates(...words: string[]): Promise<string[]> {
    const ended = await stackyard(['completion', 'bash', '--', ...words]);
    expect([ended.status, ended.stderr]).toEqual([0, '']);
    return ended.stdout.split('\n').filter((line) => line !== '');
  }

  it.each<[string[], string[]]>([
    [['ver'], ['verify']],
    [['add', '--on'], ['--on-exists']],
    [
      ['add', '--on-exists', ''],
      ['fail', 'merge', 'skip', 'theirs'],
    ],
    [['add', '--on-exists', '=', 't'], ['theirs']],
    [
      ['add', '--allow', 'a'],
      ['agent', 'all'],
    ],
    [['completion', 'f'], ['fish']],
    [['--v'], ['--version']],
    [['nonsense', ''], []],
    [['help', 'ou'], ['outdated']],
  ])('%j may go on as %j', async (words, expected) => {
    expect(await candidates(...words)).toEqual(expected);
  });

  it('knows the builds and files of the project', async () => {
    const { project } = await installed();
    expect(await candidates('info', '-C', project, 'a')).toEqual(['a/mail']);
    expect(await candidates('list', '-C', project, 'src/mail/L')).toEqual(['src/mail/LICENSE']);
    writeFileSync(join(project, 'stackyard.lock.json'), 'broken');
    expect(await candidates('info', '-C', project, 'a')).toEqual([]);
  });

  /** A folder with the program `stackyard`, as on the path of a user. */
  function pathWithProgram(): string {
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, 'stackyard'),
      `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`,
    );
    chmodSync(join(folder, 'stackyard'), 0o755);
    return `${folder}${delimiter}${process.env['PATH']}`;
  }

  function inShell(program: string, args: readonly string[], cwd: string): string[] {
    const env = { ...process.env, PATH: pathWithProgram(), HOME: temporaryFolder(), TERM: 'dumb' };
    const options = { cwd, env, encoding: 'utf8', stdio: 'pipe' } as const;
    return execFileSync(program, args, options)
      .trim()
      .split('\n')
      .filter((line) => line !== '');
  }

  it('works in bash', async () => {
    const { project } = await installed();
    const complete = (...words: string[]): string[] =>
      inShell(
        'bash',
        [
          '-c',
          `eval "$(stackyard completion bash)"
           complete -p stackyard | grep -q -- '-F _stackyard' || exit 1
           COMP_WORDS=(stackyard "$@"); COMP_CWORD=$#
           _stackyard; printf '%s\\n' "\${COMPREPLY[@]}"`,
          'bash',
          ...words,
        ],
        project,
      );
    expect(complete('li')).toEqual(['list']);
    expect(complete('add', '--on-exists', 's')).toEqual(['skip']);
    expect(complete('info', 'a')).toEqual(['a/mail']);
    expect(complete('nonsense', 'x')).toEqual([]);
  });

  it('works in zsh', async () => {
    const { project } = await installed();
    const complete = (...words: string[]): string[] =>
      inShell(
        'zsh',
        [
          '-f',
          '-c',
          `compdef() { registered="$*" }
           compadd() { shift; print -rl -- "$@" }
           _files() { print -r -- FILES }
           eval "$(stackyard completion zsh)"
           [[ "$registered" = '_stackyard stackyard' ]] || exit 1
           words=(stackyard "$@"); CURRENT=$#words
           _stackyard`,
          'zsh',
          ...words,
        ],
        project,
      );
    expect(complete('li')).toEqual(['list']);
    expect(complete('info', 'a')).toEqual(['a/mail']);
    expect(complete('nonsense', 'x')).toEqual(['FILES']);
  });

  it('works in fish', async () => {
    const { project } = await installed();
    const complete = (line: string): string[] =>
      inShell('fish', ['-c', `stackyard completion fish | source; complete -C '${line}'`], project);
    expect(complete('stackyard li')).toEqual(['list']);
    expect(complete('stackyard add --on-exists s')).toEqual(['skip']);
    expect(complete('stackyard info a')).toEqual(['a/mail']);
  });
});
