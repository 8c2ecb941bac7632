/** A take-down in a registry of 1,000 builds, from the command to the store and to clients, also to one from before there were any. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { formatNoteKey, formatNoteSigner, noteSigner } from '../../format/log/note-key.ts';
import { makeRepository } from '../../bench/made-repository.ts';
import { runClient } from '../client/client-process.ts';
import { makeProject, readProject, serveFolder } from '../client/registry-fixture.ts';
import { build, temporaryFolder, type Files } from '../generate/git-fixture.ts';
import { holding } from '../generate/withdrawing.ts';
import { runCommandProcess } from '../run/generator-command.ts';
import type { Ended } from '../run/script-process.ts';
import { atOnce } from '../../generator/deploy/difference.ts';
import { makePlace, storeAt } from './deploy-fixture.ts';
import { startMoto } from './s3-server.ts';

const BUILDS = 1_000;
const MARKER = 'm4rk3r-of-the-leak';
const ROOT = join(import.meta.dirname, '../..');
/** The last commit whose client knows no take-down. */
const BEFORE = '244cd3ab';
const SIGNER = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(1));

it(`a build among ${BUILDS} is gone from index, state, search and store, the audit is clean, and clients report it`, async () => {
  const folder = temporaryFolder();
  const [repo, out] = [join(folder, 'repo'), join(folder, 'www/index')];
  await makeRepository(repo, { builds: BUILDS, versions: 1, files: 4 });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
      cwd: repo,
      encoding: 'utf8',
    });
  git('reset', '-q', '--hard', 'main');
  const commit = (files: Files): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(repo, path)), { recursive: true });
      writeFileSync(join(repo, path), text ?? '');
    }
    git('add', '-A', '-f');
    git('commit', '-q', '-m', 'Change the registry');
  };
  const log = { key: formatNoteKey(SIGNER) };
  const config = {
    name: 'example',
    origin: 'registry.example',
    base_url: 'https://registry.example',
    shadcn: true,
    log,
  };
  const files = {
    'src/index.ts': `export const KEY = '${MARKER}';\n`,
    'README.md': `# Leak\n\n## About ${MARKER}\n`,
    'INTEGRATION.md': `# Steps\n\nAbout ${MARKER}.\n`,
  };
  commit({
    'registry.config.json': JSON.stringify(config),
    ...build(
      'stackyard/leak',
      '1.0.0',
      { base: 'src/leak', description: `Has ${MARKER}`, keywords: [MARKER] },
      files,
    ),
    ...build('other/needs', '1.0.0', { builds: { 'stackyard/leak': '^1.0.0' } }),
  });
  const server = await startMoto();
  try {
    const place = await makePlace(server);
    const run = async (
      command: 'audit' | 'deploy' | 'generate' | 'take-down',
      ...args: string[]
    ): Promise<Ended> => {
      process.env['STACKYARD_LOG_KEY'] = formatNoteSigner(SIGNER);
      const ended = await runCommandProcess(command, ...args);
      expect([command, ended.status, ended.status === 0 ? '' : ended.stderr]).toEqual([
        command,
        0,
        '',
      ]);
      return ended;
    };
    const publish = async (): Promise<void> => {
      await run('generate', '--repo', repo, '--out', out);
      const state = ['--state', join(folder, 'www/.index.state.sqlite')];
      await run('deploy', place.target, '--out', out, '--endpoint', server.endpoint, ...state);
    };
    /** What the store has, in a folder. */
    const stored = async (): Promise<string> => {
      const [store, copy, paths] = [storeAt(place), temporaryFolder(), [] as string[]];
      for await (const { path } of store.list()) paths.push(path);
      await atOnce(paths, 32, async (path) => {
        mkdirSync(dirname(join(copy, path)), { recursive: true });
        writeFileSync(join(copy, path), (await store.read(path))!.bytes);
      });
      return copy;
    };
    await publish();
    const leaking = holding(join(folder, 'www'), MARKER);
    expect(leaking.length).toBeGreaterThan(8);
    expect(await storeAt(place).inspect('builds/stackyard/leak/1.0.0.tgz')).toBeDefined();
    const url = await serveFolder(out);

    // The client of before, and that of now, each with a project that has the build.
    const old = temporaryFolder();
    execFileSync(
      'sh',
      ['-ec', `git archive ${BEFORE} client format scan package.json | tar -x -C '${old}'`],
      { cwd: ROOT },
    );
    symlinkSync(join(ROOT, 'node_modules'), join(old, 'node_modules'));
    const users = [{}, { program: join(old, 'client/main.ts') }].map((program) => {
      const [project, state, cache] = [makeProject(), temporaryFolder(), temporaryFolder()];
      const variables = { STACKYARD_REGISTRY: url, STACKYARD_STATE: state, STACKYARD_CACHE: cache };
      const client = (...args: string[]): Promise<Ended> =>
        runClient([...args, ...(args.includes('-C') ? [] : ['-C', project])], {
          ...program,
          variables,
          cwd: project,
        });
      return { client, project };
    });
    for (const { client } of users) {
      const { status, stderr } = await client('add', 'stackyard/leak', '--yes', '--allow', 'all');
      expect([status, stderr]).toEqual([0, expect.not.stringContaining('error')]);
    }

    const statement = [
      '--reason',
      'Court order',
      '--reference',
      '12 O 34/26',
      '--date',
      '2026-04-01',
    ];
    const taken = await run('take-down', 'stackyard/leak', ...statement, '--repo', repo);
    expect(taken.stdout).toContain('Required by other/needs, in ^1.0.0');
    git('rm', '-r', '-q', 'builds/stackyard/leak');
    commit({});
    await publish();
    const copy = await stored();
    for (const where of [join(folder, 'www'), copy]) expect(holding(where, MARKER)).toEqual([]);
    expect((await run('audit', out)).stdout).toContain('Nothing differs');
    expect((await run('audit', copy, '--repo', repo)).stdout).toContain('Nothing differs');

    const [now, before] = users;
    for (const [{ client, project }, words] of [
      [now!, 'taken down on 2026-04-01 (12 O 34/26)'],
      [before!, 'withdrawn'],
    ] as const) {
      const kept = readProject(join(project, 'src'));
      const answers = [];
      for (const args of [
        ['outdated'],
        ['update', '--yes'],
        ['add', 'stackyard/leak@1.0.0', '--yes', '-C', makeProject()],
        ['info', 'stackyard/leak'],
        ['audit'],
        ['verify'],
      ]) {
        const { status, stdout, stderr } = await client(...args);
        answers.push([args[0], status, (stdout + stderr).replaceAll(/\s+/g, ' ')]);
      }
      const named = expect.stringContaining(words);
      expect(answers).toEqual([
        ['outdated', 0, named],
        ['update', 0, named],
        ['add', 3, expect.stringContaining('Court order')],
        ['info', 0, named],
        ['audit', 0, expect.stringContaining('Nothing differs')],
        ['verify', 0, expect.any(String)],
      ]);
      expect(readProject(join(project, 'src'))).toEqual(kept);
      expect((await client('remove', 'stackyard/leak', '--yes')).status).toBe(0);
    }

    // The git history as well: the run goes on, with the same documents about builds.
    cpSync(out, join(folder, 'before'), { recursive: true });
    const script =
      "git fast-export main -- . ':(exclude)builds/stackyard/leak' | git fast-import --quiet --force";
    execFileSync(
      'sh',
      ['-ec', `${script}\ngit reflog expire --expire=now --all\ngit gc -q --prune=now`],
      { cwd: repo },
    );
    await publish();
    expect((await run('audit', out, '--repo', repo)).stdout).toContain('Nothing differs');
    const differing = execFileSync(
      'sh',
      [
        '-c',
        `diff -rq '${out}/heads' '${folder}/before/heads'; diff -rq '${out}/builds' '${folder}/before/builds'`,
      ],
      { encoding: 'utf8' },
    );
    expect(differing).toBe('');
  } finally {
    await server.stop();
  }
}, 3_600_000);
