/** Take-downs by an admin: what is left of a version in an index, incrementally as in full, also after the history was rewritten. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tombstoneOf, type Tombstone } from '../../format/log/entry.ts';
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import { runCommandProcess } from '../run/generator-command.ts';
import { brokenLinks } from '../site/broken-links.ts';
import { filesOf } from '../site/site-fixture.ts';
import { build } from '../publish/gate-fixture.ts';
import type { Files } from './git-fixture.ts';
import { readHead, readRecord, readTree, readVersion } from './index-reader.ts';
import { Withdrawing, holding } from './withdrawing.ts';

const MARKER = 'm4rk3r-of-the-leak';
const CONFIG = { origin: 'registry.example', base_url: 'https://registry.example', shadcn: true };
const FIRST: Files = { 'registry.config.json': JSON.stringify(CONFIG) };

function leaking(id: string, version: string): Files {
  const files = {
    'index.ts': `export const KEY = '${MARKER}';\n`,
    'README.md': `# ${id}\n\n## About ${MARKER}\n`,
    'INTEGRATION.md': `# Steps\n\n${MARKER}\n`,
  };
  return build(id, version, { description: `Has ${MARKER}`, keywords: [MARKER] }, files);
}

const STATEMENT = { reason: 'Court order', date: '2026-04-01', reference: '12 O 34/26' };

/** The owner file, by which each of `versions` of `a/x` is taken down. */
function taking(versions: readonly string[], more: OwnerFile = {}): Files {
  const statements = Object.fromEntries(versions.map((version) => [version, STATEMENT]));
  return { 'builds/a/owner.json': JSON.stringify({ ...more, taken_down: { x: statements } }) };
}

/** Three versions of `a/x`, the second of which leaks and `b/y` requires; then 97 hours. */
async function leaked(pages = false): Promise<Withdrawing> {
  const registry = new Withdrawing(pages);
  await registry.publish(
    { ...FIRST, ...build('a/x', '1.0.0') },
    { ...leaking('a/x', '1.1.0'), ...build('b/y', '1.0.0', { builds: { 'a/x': '^1.1.0' } }) },
    { 'builds/a/x': null, ...build('b/z', '1.0.0') },
    build('a/x', '1.2.0'),
  );
  registry.git.wait(97 * 3_600);
  return registry;
}

function tombstones(registry: Withdrawing): Tombstone[] {
  return registry.entries().flatMap((entry) => tombstoneOf(entry) ?? []);
}

async function audited({ out }: Withdrawing): Promise<string> {
  return (await runCommandProcess('audit', out)).stdout.split('\n').at(-2) ?? '';
}

describe('a version that is taken down', () => {
  it('loses every byte of its content, long after its publication, and the log has a tombstone', async () => {
    const registry = await leaked(true);
    const { out } = registry;
    const before = readHead(out, 'a/x').versions.find(({ version }) => version === '1.1.0')!;
    const { provenance } = readVersion(out, 'a/x', '1.1.0');
    expect(holding(registry.folder, MARKER).length).toBeGreaterThan(3);
    expect(await registry.run(taking(['1.1.0']))).toEqual([]);
    expect(holding(registry.folder, MARKER)).toEqual([]);
    const own = readHead(out, 'a/x').versions.find(({ version }) => version === '1.1.0')!;
    expect(own.status).toEqual({ is: 'taken down', ...STATEMENT });
    expect(own.integrity).toBe(before.integrity);
    expect(readVersion(out, 'a/x', '1.1.0').provenance).toEqual(provenance);
    expect(registry.entries().at(-2)).toMatchObject({ type: 'yank', id: 'a/x', version: '1.1.0' });
    expect(tombstones(registry)).toEqual([{ id: 'a/x', version: '1.1.0', statement: STATEMENT }]);
    const page = readFileSync(join(out, 'builds/a/x/index.html'), 'utf8');
    expect(page).toContain('>taken down<');
    expect(brokenLinks(out, filesOf(out, '.html'))).toEqual([]);
    const codes = readRecord(out, 'b/y').checks.findings.map(({ code }) => code);
    expect(codes).toContain('requires-withdrawn-some');
    expect(await audited(registry)).toBe('Nothing differs');
    // What comes later changes nothing of it, incrementally and in full.
    expect(await registry.run(build('a/x', '1.3.0'), { 'builds/a/owner.json': null })).toEqual([]);
    expect(holding(registry.folder, MARKER)).toEqual([]);
    expect(tombstones(registry)).toHaveLength(1);
  });

  it('is the last one of a build that search, lists and feeds do not have any more', async () => {
    const registry = new Withdrawing(true);
    const { out } = registry;
    await registry.publish(
      { ...FIRST, ...leaking('a/x', '1.0.0') },
      leaking('a/x', '1.1.0'),
      build('b/y', '1.0.0'),
    );
    expect(await registry.run(taking(['*', '1.1.0']))).toEqual([]);
    expect(holding(registry.folder, MARKER)).toEqual([]);
    expect(tombstones(registry)).toEqual([{ id: 'a/x', version: undefined, statement: STATEMENT }]);
    const listing = Object.keys(readTree(out)).filter((path) =>
      /^(?:catalog|search|assets|tags|feed|index)/.test(path),
    );
    const naming = listing.filter((path) => readFileSync(join(out, path)).includes('a/x'));
    expect(naming).toEqual([]);
    expect(readHead(out, 'a/x').versions.map(({ status }) => status.is)).toEqual([
      'taken down',
      'taken down',
    ]);
    expect(readFileSync(join(out, 'builds/a/x/index.md'), 'utf8')).toContain(
      '**It was taken down on 2026-04-01 (12 O 34/26): Court order**',
    );
    expect(brokenLinks(out, filesOf(out, '.html'))).toEqual([]);
    expect(await audited(registry)).toBe('Nothing differs');
    // It publishes nothing more, also past the gate.
    expect(await registry.run(build('a/x', '2.0.0'))).toEqual(['integrity-taken-down undefined']);
    expect(readHead(out, 'a/x').versions).toHaveLength(2);
    expect(await registry.run(build('b/y', '1.1.0'))).toEqual(['integrity-taken-down undefined']);
  });

  it('is one that was published, and is taken down once', async () => {
    const registry = await leaked();
    expect(await registry.run(taking(['9.0.0', '1.1.0']))).toEqual([
      'owner-file-withdrawal it was never published',
    ]);
    const other = { ...STATEMENT, reason: 'Another one' };
    const again = { taken_down: { x: { '1.1.0': other }, none: { '*': other } } };
    await registry.run({ 'builds/a/owner.json': JSON.stringify(again) });
    expect(tombstones(registry)).toEqual([{ id: 'a/x', version: '1.1.0', statement: STATEMENT }]);
    expect(readHead(registry.out, 'a/x').versions[1]!.status).toMatchObject({
      reason: 'Court order',
    });
    // The whole build afterwards: the statement about the version stays.
    await registry.run(taking(['*'], { deprecated: { x: { reason: 'Old' } } }));
    expect(tombstones(registry)).toHaveLength(2);
    expect(await audited(registry)).toBe('Nothing differs');
  });

  it('does not come back with an owner file that nobody can read, or the same content again', async () => {
    const registry = await leaked();
    await registry.run(taking(['1.1.0']));
    const bad = { 'builds/a/owner.json': '{ "taken_down": { "x": { "1.1.0": "text" } } }' };
    expect(await registry.run(bad)).toEqual([expect.stringMatching(/^owner-file-invalid /)]);
    registry.git.commit({ 'builds/a/x': null });
    expect(await registry.run({ ...leaking('a/x', '1.1.0') })).toHaveLength(1);
    expect(holding(registry.folder, MARKER)).toEqual([]);
  });
});

/** Removes the paths from every commit, as an operator does, and all that is left of them in the clone. */
function rewrite({ git }: Withdrawing, path: string): void {
  const excluded = path.split(' ').map((one) => `':(exclude)${one}'`);
  const script = [
    `git fast-export main -- . ${excluded.join(' ')} | git fast-import --quiet --force`,
    'git reflog expire --expire=now --all',
    'git gc -q --prune=now',
  ];
  execFileSync('sh', ['-ec', script.join('\n')], { cwd: git.folder });
}

describe('a history that was rewritten', () => {
  it('goes on where its tombstone is in place, with the bytes of before, and with what comes later', async () => {
    const registry = await leaked(true);
    const { git, out } = registry;
    await registry.run(taking(['*']), { 'builds/a/x': null });
    const [before, oldHead] = [readTree(out), git.git('rev-parse', 'main')];
    rewrite(registry, 'builds/a/x');
    expect(git.git('rev-parse', 'main')).not.toBe(oldHead);
    expect(git.git('log', '--all', '--format=%H', '--', 'builds/a/x')).toBe('');
    await registry.generate();
    const changed = Object.entries(readTree(out)).filter(
      ([path, digest]) => before[path] !== digest,
    );
    // What states the newest commit: nothing of a build.
    expect(
      changed.map(([path]) => path).filter((path) => /^(?:builds|heads|owners|catalog)/.test(path)),
    ).toEqual([]);
    expect(await registry.run(build('b/y', '2.0.0'), build('c/w', '1.0.0'))).toEqual([]);
    expect(await audited(registry)).toBe('Nothing differs');
    expect((await runCommandProcess('audit', out, '--repo', git.folder)).stdout).toContain(
      'Nothing differs',
    );
  });

  it('may be rewritten before the tombstone is indexed', async () => {
    const registry = await leaked();
    registry.git.commit({ ...taking(['1.1.0']) });
    const path = 'builds/a/x/INTEGRATION.md builds/a/x/README.md builds/a/x/index.ts';
    rewrite(registry, path);
    // 1.0.0 and 1.2.0 lost their files as well, and no tombstone names them.
    await expect(registry.generate()).rejects.toMatchObject({ code: 'ERR_LOG_FORK' });
    const whole = await leaked();
    whole.git.commit({ ...taking(['*']), 'builds/a/x': null });
    rewrite(whole, 'builds/a/x');
    expect(await whole.run(build('c/w', '1.0.0'))).toEqual([]);
    expect(holding(whole.folder, MARKER)).toEqual([]);
  });

  it('is refused where it changes what no tombstone names, and without a tombstone', async () => {
    const none = await leaked();
    rewrite(none, 'builds/a/x');
    await expect(none.generate()).rejects.toMatchObject({ code: 'ERR_LOG_FORK' });
    const more = await leaked();
    await more.run(taking(['*']));
    const before = readTree(more.out);
    rewrite(more, 'builds/a/x builds/b/z');
    await expect(more.generate()).rejects.toMatchObject({ code: 'ERR_LOG_FORK' });
    expect(readTree(more.out)).toEqual(before);
    const gone = await leaked();
    await gone.run(taking(['*']), { 'builds/a/owner.json': null });
    rewrite(gone, 'builds/a/x builds/a/owner.json');
    await expect(gone.generate()).rejects.toMatchObject({ code: 'ERR_LOG_FORK' });
  });
});
