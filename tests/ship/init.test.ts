/** The command `init`: what it makes, what it refuses. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packTarball } from '../../format/archive/tarball.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { readCatalogIds } from '../generate/index-reader.ts';
import { runCommand } from '../run/generator-command.ts';

const ROOT = join(import.meta.dirname, '../..');
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
    const more = ['--software', PACKAGE];
    const args = [folder, ...ADMIN, '--base-url', 'https://r.example/', '--name', 'Acme', ...more];
    const { status, stdout, stderr } = await runCommand('init', args);
    expect([status, stderr]).toEqual([0, '']);
    for (const step of ['1', '2', '3', '4']) expect(stdout).toContain(`\n  ${step}. `);
    expect(JSON.parse(readFileSync(join(folder, 'registry.config.json'), 'utf8'))).toEqual({
      name: 'Acme',
      base_url: 'https://r.example',
      admins: [{ login: 'alice', account_id: 123 }],
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
    expect(existsSync(join(folder, '.github/workflows/publish.yml'))).toBe(true);
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
    [[...ADMIN, '--software', '/nowhere/x.tgz'], 'Option --software is "/nowhere/x.tgz": '],
  ])('refuses %j with status 2', async (args, message) => {
    const folder = join(temporaryFolder(), 'registry');
    const { status, stderr } = await runCommand('init', [folder, ...args]);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(folder)).toBe(false);
  });
});

describe('.stackyard/install.mjs', () => {
  const text = readFileSync(join(ROOT, 'generator/setup/templates/install.mjs'), 'utf8');

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
