/** Versions that are withdrawn: what is left of them in an index, incrementally as in full. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { stackyard } from '../client/registry-fixture.ts';
import { brokenLinks } from '../site/broken-links.ts';
import { filesOf } from '../site/site-fixture.ts';
import { runCommandProcess } from '../run/generator-command.ts';
import { build } from '../publish/gate-fixture.ts';
import type { Files } from './git-fixture.ts';
import { readHead, readRecord, readTree } from './index-reader.ts';
import { Withdrawing } from './withdrawing.ts';

const CONFIG = { origin: 'registry.example', base_url: 'https://registry.example', shadcn: true };

function owner(name: string, file: OwnerFile): Files {
  return { [`builds/${name}/owner.json`]: JSON.stringify(file) };
}

function withdrawing(...versions: string[]): Files {
  const reasons = Object.fromEntries(versions.map((version) => [version, 'It has a key']));
  return owner('a', { withdrawn: { x: reasons } });
}

const FIRST: Files = { 'registry.config.json': JSON.stringify(CONFIG) };
const SECRET = 'export const KEY = "sk-1";\n';
const file = (text: string): Record<string, string> => ({ 'index.ts': text });

describe('a version that is withdrawn', () => {
  it('loses its tarball and its pages, and keeps its document, digest and log entry', async () => {
    const registry = new Withdrawing(true);
    const { out } = registry;
    await registry.publish(
      { ...FIRST, ...build('a/x', '1.0.0', {}, file('export const A = 1;\n')) },
      build('a/x', '1.1.0', {}, file(SECRET)),
      build('a/x', '1.2.0', {}, file('export const A = 2;\n')),
    );
    const before = readHead(out, 'a/x').versions.find(({ version }) => version === '1.1.0')!;
    const gone = ['builds/a/x/1.1.0.tgz', 'r/a/x@1.1.0.json'];
    const kept = ['builds/a/x/1.1.0.json', 'builds/a/x/index.html'];
    const page = (): string => readFileSync(join(out, 'builds/a/x/index.html'), 'utf8');
    expect(registry.has(...gone, ...kept)).toEqual(Array(4).fill(true));
    expect(page()).toContain('version=1.2.0&amp;against=1.1.0');
    expect(await registry.run(withdrawing('1.1.0'))).toEqual([]);

    expect(registry.has(...gone)).toEqual([false, false]);
    expect(registry.has(...kept)).toEqual([true, true]);
    const head = readHead(out, 'a/x');
    const after = head.versions.find(({ version }) => version === '1.1.0');
    expect(after).toEqual({ ...before, status: { is: 'withdrawn', reason: 'It has a key' } });
    expect(head.latest).toBe('1.2.0');
    expect(readRecord(out, 'a/x', '1.1.0').description).not.toBe('');
    const shown = await stackyard(['info', 'a/x@1.1.0', '--readme', '--registry', out]);
    expect([shown.status, shown.stdout]).toEqual([0, 'This build has no README.md\n']);
    expect(registry.entries().at(-1)).toMatchObject({ type: 'yank', id: 'a/x', version: '1.1.0' });
    const pages = Object.keys(readTree(out)).filter((path) => /\.(?:html|md|xml)$/.test(path));
    const texts = pages.map((path) => readFileSync(join(out, path), 'utf8'));
    expect(texts.filter((text) => text.includes('sk-1'))).toEqual([]);
    expect(page()).toContain('>withdrawn<');
    expect(page()).toContain('version=1.2.0&amp;against=1.0.0');
    expect(page()).not.toContain('version=1.1.0');
    expect(brokenLinks(out, filesOf(out, '.html'))).toEqual([]);
    const audit = await runCommandProcess('audit', out);
    expect(audit.stdout).toContain('Nothing differs');
  });

  it('is never the latest, and a build of which all are withdrawn is a yanked one', async () => {
    const registry = new Withdrawing(true);
    const { out } = registry;
    await registry.publish(
      { ...FIRST, ...build('a/x', '1.0.0') },
      build('a/x', '1.1.0', {}, file(SECRET)),
    );
    await registry.publish(withdrawing('1.1.0'));
    expect(readHead(out, 'a/x').latest).toBe('1.0.0');
    await registry.run(withdrawing('1.1.0', '1.0.0'));
    expect(readHead(out, 'a/x').latest).toBe('1.1.0');
    expect(readRecord(out, 'a/x').versions.map(({ yanked }) => yanked)).toEqual([true, true]);
    expect(readFileSync(join(out, 'builds/a/x/index.html'), 'utf8')).toContain('was withdrawn');
    expect(registry.has('builds/a/x/1.0.0.tgz', 'r/a/x.json')).toEqual([false, false]);
    expect(brokenLinks(out, filesOf(out, '.html'))).toEqual([]);
    await registry.publish(build('a/x', '1.2.0'));
    expect(readHead(out, 'a/x').latest).toBe('1.2.0');
    expect(brokenLinks(out, filesOf(out, '.html'))).toEqual([]);
  });

  it('stays withdrawn, whatever the owner file has later, and its number is never used again', async () => {
    const registry = new Withdrawing();
    const { out } = registry;
    await registry.publish({ ...FIRST, ...build('a/x', '1.0.0') }, build('a/x', '1.1.0'));
    await registry.run(withdrawing('1.1.0'));
    const size = registry.entries().length;
    await registry.publish(owner('a', {}));
    expect(await registry.run({ 'builds/a/owner.json': null })).toEqual([]);
    expect(readHead(out, 'a/x').versions[0]).toMatchObject({
      version: '1.1.0',
      status: { is: 'withdrawn' },
    });
    expect(registry.entries().length).toBe(size);
    registry.git.commit(build('a/x', '1.1.0', {}, file(SECRET)));
    const { problems } = await generate({ repo: registry.git.folder, out, threads: 1 });
    expect(problems.failing[0]?.finding.code).toBe('integrity-version-changed');
  });

  it('goes although others require it, and their versions have a finding about it', async () => {
    const registry = new Withdrawing(true);
    const { out } = registry;
    const findings = (version?: string): unknown[] =>
      readRecord(out, 'b/y', version)
        .checks.findings.filter(({ code }) => code.startsWith('requires-withdrawn'))
        .map(({ code, level, message }) => [code, level, message]);
    const requiring = (version: string, range: string): Files =>
      build('b/y', version, { builds: { 'a/x': range } });
    await registry.publish(
      { ...FIRST, ...build('a/x', '1.0.0') },
      requiring('1.0.0', '1.0.0'),
      requiring('1.1.0', '^1.0.0'),
      requiring('1.2.0', '^2.0.0'),
    );
    const risk = readRecord(out, 'b/y').risk;
    const gone = 'requires-withdrawn-all';
    const exact = [
      gone,
      'warn',
      'Requires "a/x" at "1.0.0": version 1.0.0 was withdrawn, and no other one in the range is left',
    ];
    const ranged = [
      gone,
      'warn',
      'Requires "a/x" at "^1.0.0": version 1.0.0 was withdrawn, and no other one in the range is left',
    ];
    expect(await registry.run(withdrawing('1.0.0'))).toEqual([]);
    expect(registry.has('builds/a/x/1.0.0.tgz', 'builds/b/y/1.1.0.tgz')).toEqual([false, true]);
    expect(['1.0.0', '1.1.0', '1.2.0'].map(findings)).toEqual([[exact], [ranged], []]);
    expect(readRecord(out, 'b/y').risk).toBe(risk);
    // A version that is published later, yanked, and published again: the finding follows.
    const left = [
      'requires-withdrawn-some',
      'info',
      'Requires "a/x" at "^1.0.0": version 1.0.0 was withdrawn, and others in the range are left',
    ];
    await registry.run(build('a/x', '1.0.1'));
    expect(['1.0.0', '1.1.0', '1.2.0'].map(findings)).toEqual([[exact], [left], []]);
    const yanked = { yanked: { x: { '1.0.1': 'Broken' } } };
    await registry.run(owner('a', { ...yanked, withdrawn: { x: { '1.0.0': 'It has a key' } } }));
    expect(findings('1.1.0')).toEqual([ranged]);
    await registry.run(build('a/x', '1.0.2'));
    expect(findings('1.1.0')).toEqual([left]);
    await registry.run(requiring('1.3.0', '^1.0.0'));
    expect(findings('1.3.0')).toEqual([left]);
  });

  it('does not count late, or when it was never published', async () => {
    const registry = new Withdrawing();
    registry.git.commit({ ...FIRST, ...build('a/x', '1.0.0') });
    expect(await registry.run(withdrawing('2.0.0'))).toEqual([
      'owner-file-withdrawal it was never published',
    ]);
    expect(registry.has('builds/a/x/1.0.0.tgz')).toEqual([true]);

    const late = new Withdrawing();
    late.git.commit({ ...FIRST, ...build('a/x', '1.0.0') });
    late.git.wait(97 * 3_600);
    expect(await late.run(withdrawing('1.0.0'))).toEqual([
      expect.stringMatching(/^owner-file-withdrawal it was published at .* more than 72 hours/),
    ]);
    expect(late.has('builds/a/x/1.0.0.tgz')).toEqual([true]);
  });
});
