/** The items for shadcn in an index: what they hold, what they require, and when they are made again. */
import { describe, expect, it } from 'vitest';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { build } from '../publish/gate-fixture.ts';
import { BASE, ShadcnRegistryFixture, commitTo } from './shadcn-fixture.ts';

describe('generate() with items for shadcn', () => {
  it('writes an item for the latest version and one for each version', async () => {
    const registry = new ShadcnRegistryFixture();
    const changes = {
      base: 'src/x',
      files: ['*.ts', '*.txt'],
      keywords: ['web'],
      dependencies: { npm: { zod: '>=3 <5' }, pip: { fastapi: '>=0.100' } },
      devDependencies: { npm: { '@types/node': '*' } },
      env: { TOKEN: { description: 'A token.', required: true } },
      scripts: { go: 'node go.js' },
      stack: { requires: { node: '>=22' } },
    };
    const files = {
      'a.ts': 'export const a = "ä";\r\n',
      'empty.txt': '',
      'INTEGRATION.md': '# Integrate\n',
    };
    await commitTo(registry, build('alice/x', '1.0.0', changes, files));
    await commitTo(registry, build('alice/x', '1.1.0', changes, { ...files, 'a.ts': '// 1.1\n' }));
    const item = registry.item('alice/x@1.0.0');
    expect(item).toMatchObject({
      name: 'alice/x',
      type: 'registry:item',
      title: 'alice/x 1.0.0',
      author: 'alice',
      dependencies: ['zod@>=3 <5'],
      devDependencies: ['@types/node@*'],
      categories: ['web'],
      files: [
        {
          path: 'src/x/a.ts',
          type: 'registry:file',
          target: '~/src/x/a.ts',
          content: 'export const a = "ä";\r\n',
        },
      ],
      meta: { stackyard: { id: 'alice/x', version: '1.0.0', license: 'MIT' } },
    });
    for (const line of [
      'fastapi >=0.100',
      'TOKEN (required): A token.',
      'go: node go.js',
      'node >=22',
      'src/x/empty.txt',
      '# Integrate',
    ]) {
      expect(item.docs).toContain(line);
    }
    expect(registry.item('alice/x').title).toBe('alice/x 1.1.0');
    expect(registry.item('alice/x')).toEqual(registry.item('alice/x@1.1.0'));
    expect(registry.names()).toEqual(['alice/x']);
  });

  it('names what a version required at its time, and what the latest one requires now', async () => {
    const registry = new ShadcnRegistryFixture();
    const needs = { builds: { 'bob/db': '^1.0.0', 'far/away': '^2.0.0' } };
    await commitTo(registry, build('bob/db', '1.0.0'));
    await commitTo(registry, build('alice/x', '1.0.0', needs));
    const pinned = [`${BASE}/r/bob/db@1.0.0.json`];
    expect(registry.item('alice/x@1.0.0').registryDependencies).toEqual(pinned);
    expect(registry.item('alice/x').registryDependencies).toEqual([`${BASE}/r/bob/db.json`]);
    expect(registry.item('alice/x').docs).toContain('far/away ^2.0.0');

    await commitTo(registry, build('bob/db', '1.5.0'));
    expect(registry.item('alice/x').registryDependencies).toEqual([`${BASE}/r/bob/db.json`]);
    await commitTo(registry, build('bob/db', '2.0.0'));
    const newest = [`${BASE}/r/bob/db@1.5.0.json`];
    expect(registry.item('alice/x').registryDependencies).toEqual(newest);
    expect(registry.item('alice/x@1.0.0').registryDependencies).toEqual(pinned);

    const yanked = JSON.stringify({ yanked: { db: { '1.5.0': 'bad', '2.0.0': 'bad' } } });
    await commitTo(registry, { 'builds/bob/owner.json': yanked });
    expect(registry.item('alice/x').registryDependencies).toEqual([`${BASE}/r/bob/db.json`]);
  });

  it('leaves out what the form cannot express, and what needs consent', async () => {
    const registry = new ShadcnRegistryFixture();
    await commitTo(
      registry,
      build('a/binary', '1.0.0', {}, { 'x.bin': new Uint8Array([0, 255, 254]) }),
      build('a/agent', '1.0.0', {}, { 'AGENTS.md': 'Be nice\n' }),
      build('a/start', '1.0.0', { kind: 'foundation' }),
      build('a/text', '1.0.0'),
    );
    expect(registry.names()).toEqual(['a/text']);
    expect(registry.item('a/text')).not.toHaveProperty('author');
    expect(registry.has('r/a/agent@1.0.0.json')).toBe(false);
  });

  it('drops the latest item of a build whose versions are all yanked, and keeps the others', async () => {
    const registry = new ShadcnRegistryFixture();
    await commitTo(registry, build('alice/x', '1.0.0'));
    const yanked = JSON.stringify({ yanked: { x: { '1.0.0': 'bad' } } });
    await commitTo(registry, { 'builds/alice/owner.json': yanked });
    expect([registry.has('r/alice/x.json'), registry.names()]).toEqual([false, []]);
    expect(registry.has('r/alice/x@1.0.0.json')).toBe(true);
  });

  it('has none unless the configuration asks for them, and needs an address', async () => {
    const registry = new ShadcnRegistryFixture();
    await commitTo(registry, build('alice/x', '1.0.0'));
    await commitTo(registry, {
      'registry.config.json': JSON.stringify({ base_url: BASE, site: false }),
    });
    expect(registry.has('r')).toBe(false);
    registry.git.commit({ 'registry.config.json': '{ "shadcn": true }' });
    const { folder } = registry.git;
    await expect(generate({ repo: folder, out: registry.out })).rejects.toThrow(/needs "base_url"/);
  });
});
