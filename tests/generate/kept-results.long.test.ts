/** What a run takes from earlier ones: a result stays while what it depends on stays, and a full run takes nothing. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../run/generator-command.ts';
import { runProcess } from '../run/script-process.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';
import { readTree } from './index-reader.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Summary {
  readonly ok: boolean;
  readonly mode: string;
  readonly written: number;
  readonly stages: Readonly<Record<string, number>>;
}

function registry(): GitFixture {
  const git = new GitFixture();
  git.commit({ ...build('a/x', '1.0.0'), ...build('b/y', '1.0.0'), ...config({}) });
  git.commit(build('a/x', '1.1.0', {}, { 'src/run.ts': "fetch('https://a.example/');\n" }));
  return git;
}

function config(settings: object): Record<string, string> {
  const base = { name: 'example', base_url: 'https://registry.example' };
  return { 'registry.config.json': JSON.stringify({ ...base, ...settings }) };
}

async function run(
  git: GitFixture,
  out: string,
  { sources = ROOT, more = [] as readonly string[] } = {},
): Promise<Summary & { stderr: string; status: number | null }> {
  const args = ['--repo', git.folder, '--out', out, '--no-client', '--no-site', '--json', ...more];
  const file = join(sources, 'generator/main.ts');
  const ended =
    sources === ROOT
      ? await runCommand('generate', args)
      : await runProcess({ file, args: ['generate', ...args], cwd: ROOT, env: process.env });
  const { status, stderr, stdout } = ended;
  return { ...(JSON.parse(stdout) as Summary), stderr, status };
}

/** The sources with one file changed. */
function sourcesWith(path: string, text: string, instead: string): string {
  const folder = temporaryFolder();
  for (const room of ['format', 'scan', 'generator']) {
    cpSync(join(ROOT, room), join(folder, room), { recursive: true });
  }
  for (const file of ['package.json', 'package-lock.json']) {
    cpSync(join(ROOT, file), join(folder, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const before = readFileSync(join(folder, path), 'utf8');
  expect(before.includes(text)).toBe(true);
  writeFileSync(join(folder, path), before.replace(text, instead));
  return folder;
}

describe('a run', () => {
  it('reads nothing again for another admin', async () => {
    const git = registry();
    const out = join(temporaryFolder(), 'index');
    await run(git, out);
    git.commit(config({ admins: [{ login: 'root', account_id: 1 }] }));
    expect(await run(git, out)).toMatchObject({ mode: 'incremental', status: 0 });
    const fresh = join(temporaryFolder(), 'index');
    await run(git, fresh);
    expect(readTree(out)).toEqual(readTree(fresh));
  });

  it('examines again what another rule may find, and packs nothing', async () => {
    const git = registry();
    const out = join(temporaryFolder(), 'index');
    await run(git, out);
    const sources = sourcesWith('scan/scan.ts', '\n', '\n// Another rule.\n');
    const again = await run(git, out, { sources });
    expect(again).toMatchObject({ mode: 'full', status: 0, written: 0 });
    expect(again.stages['check']).toBeGreaterThan(0);
    expect(again.stages['pack']).toBe(0);
  });

  it('packs again where the index has other bytes, and where packing changed', async () => {
    const git = registry();
    const out = join(temporaryFolder(), 'index');
    await run(git, out);
    const before = readTree(out);
    const file = join(out, 'builds/a/x/1.0.0.tgz');
    const bytes = readFileSync(file);
    bytes[20] = 255 - (bytes[20] ?? 0);
    writeFileSync(file, bytes);
    const rule = sourcesWith('scan/scan.ts', '\n', '\n// Another rule.\n');
    expect((await run(git, out, { sources: rule })).stages['pack']).toBeGreaterThan(0);
    expect(readTree(out)).toEqual(before);
    const packer = sourcesWith('scan/pack.ts', '\n', '\n// Another way.\n');
    expect((await run(git, out, { sources: packer })).stages['pack']).toBeGreaterThan(0);
    expect(readTree(out)).toEqual(before);
  });

  const packages = [
    ['@babel/parser', 'full'],
    ['vitest', 'incremental'],
  ] as const;

  it.each(packages)('knows whether it depends on the locked version of %s', async (name, mode) => {
    const git = registry();
    const out = join(temporaryFolder(), 'index');
    await run(git, out);
    const before = `"node_modules/${name}": {\n      "version": "`;
    const sources = sourcesWith('package-lock.json', before, `${before}1`);
    expect(await run(git, out, { sources })).toMatchObject({ mode, status: 0, written: 0 });
  });

  it('takes what it found in the same trees where only documents may change', async () => {
    const git = registry();
    const out = join(temporaryFolder(), 'index');
    await run(git, out);
    const sources = sourcesWith('generator/pipeline/record.ts', '\n', '\n// Another form.\n');
    const again = await run(git, out, { sources });
    expect(again).toMatchObject({ mode: 'full', status: 0, written: 0 });
    expect([again.stages['check'], again.stages['pack']]).toEqual([0, 0]);
  });
});

describe('a full run', () => {
  it('names each document in which an earlier run left other bytes, and corrects it', async () => {
    const git = registry();
    const out = join(temporaryFolder(), 'index');
    await run(git, out);
    const before = readTree(out);
    expect(await run(git, out, { more: ['--full'] })).toMatchObject({ status: 0, written: 0 });
    writeFileSync(join(out, 'heads/a/x.json'), '{}');
    const corrected = await run(git, out, { more: ['--full'] });
    expect([corrected.status, corrected.ok, corrected.stderr]).toEqual([
      1,
      false,
      expect.stringContaining(
        'error: heads/a/x.json was not what a full run makes, and is corrected [ERR_INDEX_DIFFERS]\n',
      ),
    ]);
    expect(readTree(out)).toEqual(before);
  });

  it('compares nothing with what another version of the software made', async () => {
    const git = registry();
    const out = join(temporaryFolder(), 'index');
    await run(git, out);
    writeFileSync(join(out, 'heads/a/x.json'), '{}');
    const sources = sourcesWith('generator/pipeline/record.ts', '\n', '\n// Another form.\n');
    const again = await run(git, out, { sources, more: ['--full'] });
    expect([again.status, again.stderr]).toEqual([0, expect.not.stringContaining('ERR_')]);
  });
});
