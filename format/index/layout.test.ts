import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bundlePath, tilePath, type LogPath } from '../log/tile.ts';
import {
  ADVISORIES_PATH,
  advisoryPath,
  CLIENT_PATH,
  clientPath,
  CATALOG_PATH,
  HEADERS_PATH,
  LOG_FOLDER,
  REGISTRY_PATH,
  SCHEMA_NAMES,
  cacheControl,
  compatibilityPath,
  documentPath,
  waiversPath,
  mapEntryPath,
  headPath,
  mapFilePath,
  ownerPath,
  parseIndexPath,
  recordPath,
  schemaPath,
  shardPath,
  tarballPath,
  urlPath,
  writingOrder,
  versionPath,
  type IndexPath,
} from './layout.ts';
import { SHADCN_REGISTRY_PATH, shadcnItemPath, shadcnVersionPath } from './shadcn-path.ts';

function logPath(path: LogPath): string {
  if (path.kind === 'checkpoint') return 'checkpoint';
  return path.kind === 'tile' ? tilePath(path.tile) : bundlePath(path.bundle);
}

const DIGEST = '0123456789abcdef'.repeat(4);

/** The builder for each kind of path: the inverse of `parseIndexPath`. */
function build(path: IndexPath): string {
  switch (path.kind) {
    case 'registry':
      return REGISTRY_PATH;
    case 'catalog':
      return CATALOG_PATH;
    case 'headers':
      return HEADERS_PATH;
    case 'advisories':
      return ADVISORIES_PATH;
    case 'advisory':
      return advisoryPath(path.id);
    case 'record':
      return recordPath(path.id);
    case 'compatibility':
      return compatibilityPath(path.id);
    case 'waivers':
      return waiversPath(path.id);
    case 'head':
      return headPath(path.id);
    case 'version':
      return versionPath(path.id, path.version);
    case 'former':
      throw new Error('no path of this interface');
    case 'document':
      return documentPath(path.sha256);
    case 'tarball':
      return tarballPath(path.id, path.version);
    case 'owner':
      return ownerPath(path.owner);
    case 'shard':
      return shardPath(path.sha256);
    case 'schema':
      return schemaPath(path.name);
    case 'client':
      return path.version === undefined ? CLIENT_PATH : clientPath(path.version);
    case 'log':
      return `${LOG_FOLDER}/${logPath(path.path)}`;
    case 'map-entry':
      return mapEntryPath(path.sha256);
    case 'map-file':
      return mapFilePath(path.sha256);
    case 'shadcn-item':
      return shadcnItemPath(path.id);
    case 'shadcn-version':
      return shadcnVersionPath(path.id, path.version);
    case 'shadcn-registry':
      return SHADCN_REGISTRY_PATH;
    case 'page':
      throw new Error('see site-path.test.ts');
  }
}

test.each([
  ['registry.json', { kind: 'registry' }],
  ['catalog.json', { kind: 'catalog' }],
  ['_headers', { kind: 'headers' }],
  ['builds/alice/web.json', { kind: 'record', id: 'alice/web' }],
  ['builds/alice/web/compatibility.json', { kind: 'compatibility', id: 'alice/web' }],
  ['builds/alice/web/waivers.json', { kind: 'waivers', id: 'alice/web' }],
  ['heads/alice/web.json', { kind: 'head', id: 'alice/web' }],
  ['builds/alice/web/1.0.0.json', { kind: 'version', id: 'alice/web', version: '1.0.0' }],
  [`documents/${DIGEST}.json`, { kind: 'document', sha256: DIGEST }],
  [
    'builds/alice/web/1.0.0-rc.1+x.tgz',
    { kind: 'tarball', id: 'alice/web', version: '1.0.0-rc.1+x' },
  ],
  ['owners/alice.json', { kind: 'owner', owner: 'alice' }],
  [`catalog/${DIGEST}.json`, { kind: 'shard', sha256: DIGEST }],
  [`documents/${DIGEST}.json`, { kind: 'document', sha256: DIGEST }],
  [`log/map-entries/${DIGEST}`, { kind: 'map-entry', sha256: DIGEST }],
  [`log/map/${DIGEST}`, { kind: 'map-file', sha256: DIGEST }],
  ['schema/catalog-shard.schema.json', { kind: 'schema', name: 'catalog-shard' }],
  ['r/registry.json', { kind: 'shadcn-registry' }],
  ['r/alice/web.json', { kind: 'shadcn-item', id: 'alice/web' }],
  [
    'r/alice/web@1.0.0-rc.1+x.json',
    { kind: 'shadcn-version', id: 'alice/web', version: '1.0.0-rc.1+x' },
  ],
  ['client/stackyard.tgz', { kind: 'client' }],
  ['client/stackyard-1.0.0-rc.1.tgz', { kind: 'client', version: '1.0.0-rc.1' }],
] as [string, IndexPath][])('parseIndexPath(%j) reads what the builder wrote', (path, wanted) => {
  expect(parseIndexPath(path)).toEqual(wanted);
  expect(build(wanted)).toBe(path);
});

test.each([
  '',
  '/',
  '/registry.json',
  'Registry.json',
  'registry',
  'toString',
  '__proto__',
  'constructor',
  'builds/alice.json',
  'builds/alice/web',
  'builds/alice/web.tgz',
  'builds/Alice/web.json',
  'builds/alice/web/1.0.json',
  'builds/alice/web/compatibility.tgz',
  'builds/Alice/web/compatibility.json',
  'builds/alice/web/1.0.0',
  'builds/alice/web/1.0.0.tgz.json',
  'builds/alice/web/1.0.0/x.json',
  'builds/alice/web/1.0.0.tgz/x',
  'registry.json/x',
  'builds/alice/../web.json',
  'heads/alice/web/1.0.0.json',
  'heads/alice/web.tgz',
  'owners/alice/web.json',
  'owners/-alice.json',
  `catalog/${DIGEST.toUpperCase()}.json`,
  `catalog/${DIGEST.slice(1)}.json`,
  'schema/other.schema.json',
  'schema/manifest.json',
  'client/stackyard.json',
  'client/stackyard-1.0.tgz',
  'client/1.0.0.tgz',
  'client/a/stackyard.tgz',
  'r/web.json',
  'r/alice/web@1.0.json',
  'r/alice/web@.json',
  'r/alice/web@1.0.0@1.0.0.json',
  'r/alice/web/1.0.0.json',
  'builds//web.json',
  'builds/alice/web.json/',
  'builds/alice/web.json\n',
])('parseIndexPath() has no meaning for %j', (path) => {
  expect(parseIndexPath(path)).toBeUndefined();
});

test('parseIndexPath() is the inverse of the builders', () => {
  const owner = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,6}[a-z0-9])?$/);
  const id = fc.tuple(owner, owner).map((parts) => parts.join('/'));
  const version = fc
    .tuple(fc.nat(), fc.nat(), fc.constantFrom('', '-rc.1', '+x', '-json', '-a.tgz'))
    .map(([major, minor, rest]) => `${major}.${minor}.0${rest}`);
  const path = fc.oneof(
    fc.record({ kind: fc.constantFrom('record', 'head'), id }),
    fc.record({
      kind: fc.constantFrom('version', 'tarball'),
      id,
      version,
    }),
    fc.record({ kind: fc.constant('client') }),
    fc.record({ kind: fc.constant('client'), version }),
    fc.record({ kind: fc.constant('shadcn-item'), id }),
    fc.record({ kind: fc.constant('shadcn-version'), id, version }),
    fc.record({ kind: fc.constant('owner'), owner }),
    fc.record({ kind: fc.constant('shard'), sha256: fc.stringMatching(/^[0-9a-f]{64}$/) }),
    fc.record({ kind: fc.constant('schema'), name: fc.constantFrom(...SCHEMA_NAMES) }),
  ) as fc.Arbitrary<IndexPath>;
  fc.assert(
    fc.property(path, (wanted) => {
      expect(parseIndexPath(build(wanted))).toEqual(wanted);
    }),
  );
});

test('parseIndexPath() reads a path in its only spelling or not at all', () => {
  const parts =
    'builds heads owners catalog r/ @ schema client stackyard- stackyard a b 1.0.0 .. / / / .json .json .tgz .schema';
  const part = fc.constantFrom(...parts.split(' '), '', 'manifest', 'registry', DIGEST);
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const path = parts.join('');
      const parsed = parseIndexPath(path);
      expect(parsed === undefined ? path : build(parsed)).toBe(path);
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ['builds/a/b/1.0.0.tgz', 'public, max-age=31536000, immutable'],
  [`catalog/${DIGEST}.json`, 'public, max-age=31536000, immutable'],
  [`documents/${DIGEST}.json`, 'public, max-age=31536000, immutable'],
  [`log/map-entries/${DIGEST}`, 'public, max-age=31536000, immutable'],
  ['log/checkpoint', 'public, max-age=5'],
  ['r/a/b@1.0.0.json', 'public, max-age=31536000, immutable'],
  ['r/a/b.json', 'public, max-age=60, s-maxage=60'],
  ['r/registry.json', 'public, max-age=60, s-maxage=60'],
  ['schema/manifest.schema.json', 'public, max-age=86400'],
  ['client/stackyard.tgz', 'public, max-age=60, s-maxage=60'],
  ['client/stackyard-1.0.0.tgz', 'public, max-age=60, s-maxage=60'],
  ['builds/a/b/1.0.0.json', 'public, max-age=60, s-maxage=60'],
  [`documents/${DIGEST}.json`, 'public, max-age=31536000, immutable'],
  ['builds/a/b.json', 'public, max-age=60, s-maxage=60'],
  ['registry.json', 'public, max-age=60, s-maxage=60'],
  ['nothing/known', 'public, max-age=60, s-maxage=60'],
])('cacheControl(%j) is %j', (path, wanted) => {
  expect(cacheControl(path)).toBe(wanted);
});

test('writingOrder() puts what is named by digest first and the checkpoint last', () => {
  const paths = ['log/checkpoint', 'index.html', 'heads/a/b.json', `documents/${DIGEST}.json`];
  const more = ['log/tile/0/000', 'builds/a/b/1.0.0.tgz', `assets/style-${'0'.repeat(16)}.css`];
  expect([...paths, ...more].map((path) => writingOrder(path))).toEqual([2, 1, 1, 0, 0, 0, 0]);
});

test('parseIndexPath() knows documents of interface 1, which a run removes', () => {
  for (const ending of ['capabilities', 'provenance']) {
    const found = parseIndexPath(`builds/alice/web/1.0.0.${ending}.json`);
    expect(found).toEqual({ kind: 'former', id: 'alice/web', version: '1.0.0' });
  }
});

test('parseIndexPath() reads pages', () => {
  const page = { kind: 'build', id: 'a/b' };
  expect(parseIndexPath('builds/a/b/index.html')).toEqual({ kind: 'page', page });
  expect(cacheControl('builds/a/b/index.html')).toBe('public, max-age=60, s-maxage=60');
  expect(cacheControl('assets/style-0123456789abcdef.css')).toBe(
    'public, max-age=31536000, immutable',
  );
});

test('urlPath() encodes each segment', () => {
  expect(urlPath('builds/a/b/1.0.0+x.tgz')).toBe('builds/a/b/1.0.0%2Bx.tgz');
  expect(urlPath('a b/?#%')).toBe('a%20b/%3F%23%25');
});
