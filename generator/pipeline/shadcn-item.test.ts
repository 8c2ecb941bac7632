import { itemEntry, makeItem } from './shadcn-items.ts';
import { describe, expect, it } from 'vitest';
import type { VersionFacts } from '../../scan/version-facts.ts';
import type { Manifest } from '../../format/build/manifest.ts';

const PARTS = { id: 'alice/x', address: 'https://r.example', requires: [], elsewhere: {} };

function factsOf(
  paths: readonly string[],
  changes: Partial<Manifest> = {},
  risk: VersionFacts['risk'] = 'ok',
): VersionFacts {
  const manifest: Manifest = {
    name: 'x',
    version: '1.0.0',
    kind: 'module',
    description: 'Does x.',
    license: 'MIT',
    ...changes,
  };
  return {
    version: '1.0.0',
    published_at: '2026-01-01T00:00:00.000Z',
    manifest,
    readme: '',
    integration: '# Integrate\n',
    files: paths.map((path) => ({ path, size: 1 })),
    findings: [],
    capabilities: {} as VersionFacts['capabilities'],
    risk,
    quality: 100,
    integrity: 'sha256-x',
    size: 1,
  };
}

function filesOf(files: Readonly<Record<string, string | Uint8Array>>): Map<string, Uint8Array> {
  return new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
}

describe('makeItem()', () => {
  it('keeps bytes, with byte order mark and line ends, and only installed files', () => {
    const files = filesOf({ 'a.ts': '\uFEFFexport {};\r\n', 'README.md': '# x\n' });
    const item = makeItem(factsOf(['a.ts'], { base: 'src/x' }), { ...PARTS, files });
    expect(item?.files).toEqual([
      {
        path: 'src/x/a.ts',
        type: 'registry:file',
        target: '~/src/x/a.ts',
        content: '\uFEFFexport {};\r\n',
      },
    ]);
  });

  it.each([
    ['a foundation', factsOf(['a'], { kind: 'foundation' })],
    ['risk danger', factsOf(['a'], {}, 'danger')],
    ['a file that needs consent', factsOf(['workflows/x.yml'], { base: '.github' })],
    ['a file at the root', factsOf(['b.ts'])],
    ['options of pip', factsOf(['pip.txt'], { base: 'src/x' })],
    ['a file that is not there', factsOf(['b'])],
    ['a binary file', factsOf(['binary'])],
  ])('makes none of a version with %s', (_, facts) => {
    const files = filesOf({
      a: 'x',
      'workflows/x.yml': 'x',
      'b.ts': 'x',
      'pip.txt': '--index-url https://evil.example',
      binary: new Uint8Array([0xff, 0xfe]),
    });
    expect(makeItem(facts, { ...PARTS, files })).toBeUndefined();
  });

  it('has no author of one letter, and no empty lists', () => {
    const item = makeItem(factsOf([]), { ...PARTS, id: 'a/x', files: new Map() });
    expect(Object.keys(item ?? {}).sort()).toEqual(
      ['$schema', 'description', 'docs', 'files', 'meta', 'name', 'title', 'type'].sort(),
    );
  });
});

it('itemEntry() keeps what a list shows', () => {
  const facts = factsOf(['a.ts'], { base: 'src/x', keywords: ['web'] });
  const item = makeItem(facts, { ...PARTS, files: filesOf({ 'a.ts': 'x' }) });
  expect(itemEntry(item!)).toEqual({
    name: 'alice/x',
    type: 'registry:item',
    title: 'alice/x 1.0.0',
    description: 'Does x.',
    categories: ['web'],
  });
});
