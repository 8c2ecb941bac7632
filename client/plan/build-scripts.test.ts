import { describe, expect, it } from 'vitest';
import type { FetchedBuild, ScriptFacts } from './plan.ts';
import { projectScripts, unmadeSources } from './project-scripts.ts';

const scripts = { 'db:migrate': 'node --env-file-if-exists=.env dist/db.js migrate' };
const build = { id: 'a/db', manifest: { kind: 'module', scripts } } as unknown as FetchedBuild;

describe('projectScripts()', () => {
  it.each<[string, ScriptFacts, string]>([
    ['what is not known', {}, 'dist/db.js'],
    ['dist of src', { compiled: { outDir: 'dist', rootDir: 'src' } }, 'dist/db.js'],
    ['dist of the project', { compiled: { outDir: 'dist', rootDir: '' } }, 'dist/src/db.js'],
    ['another folder', { compiled: { outDir: 'build/out', rootDir: 'src' } }, 'build/out/db.js'],
    ['a root without src', { compiled: { outDir: 'dist', rootDir: 'server' } }, 'dist/db.js'],
  ])('with %s', (_, facts, path) => {
    const value = `node --env-file-if-exists=.env ${path} migrate`;
    const found = { scripts: [{ name: 'db:migrate', value, build: 'a/db' }], warnings: [] };
    expect(projectScripts([build], facts)).toEqual(found);
  });

  it('leaves out what starts a file that is not made, with the reason', () => {
    const { scripts: left, warnings } = projectScripts([build], { unmade: new Set(['src/db.ts']) });
    expect(left).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual(['script-left-out']);
    expect(warnings[0]!.message).toContain('"src/db.ts"');
  });
});

describe('unmadeSources()', () => {
  const wired = (action: 'by_hand' | 'added') => ({
    entries: [
      { build: 'a/db', step: 5, file: 'src/db.ts', text: '```ts wire file src/db.ts\n', action },
    ],
    files: new Map<string, string | undefined>(),
    locked: new Map(),
    conflicts: [],
    integrated: new Set<string>(),
  });

  it('are those of steps that are left, where the project has no such file', () => {
    const none = (): boolean => false;
    expect(unmadeSources([build], wired('by_hand'), none)).toEqual(new Set(['src/db.ts']));
    expect(unmadeSources([build], wired('added'), none)).toEqual(new Set());
    expect(unmadeSources([build], wired('by_hand'), () => true)).toEqual(new Set());
    expect(unmadeSources([build], undefined, none)).toEqual(new Set());
  });

  it('are those that a project of JavaScript starts as well', () => {
    const own = { 'db:status': 'node --env-file-if-exists=.env src/db.js status' };
    const plain = { ...build, manifest: { ...build.manifest, scripts: own } } as FetchedBuild;
    const left = wired('by_hand');
    const text = '```js wire file src/db.js\n';
    const entries = left.entries.map((entry) => ({ ...entry, file: 'src/db.js', text }));
    const unmade = unmadeSources([plain], { ...left, entries }, () => false);
    expect(unmade).toEqual(new Set(['src/db.js']));
    expect(projectScripts([plain], { unmade }).scripts).toEqual([]);
  });
});
