import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDocument } from '../document/document.ts';
import { compareVersions } from '../version/semver-range.ts';
import { expandHead, formatHead, HeadChunk, HeadDocument } from './head-document.ts';
import type { Head, HeadVersion } from './record.ts';
import { OPEN } from '../registry/status.ts';

const DIGEST = 'A'.repeat(43);
const INTEGRITY = `sha256-${DIGEST}=`;
const AT = '2026-11-21T09:30:00.000Z';

function read(written: ReturnType<typeof formatHead>): Head {
  const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
  const older = written.older.map((text) => parseDocument(HeadChunk, bytesOf(text), 'older'));
  return expandHead(parseDocument(HeadDocument, bytesOf(written.text), 'head'), older);
}

const range = fc.constantFrom('*', '^1.0.0', '>=2 <3');
const ranges = fc.dictionary(fc.constantFrom('a/b', 'a/c', 'b/d'), range);
const texts = fc.uniqueArray(fc.constantFrom('x', 'y'), { minLength: 1 });
const integrity = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => {
  return `sha256-${Buffer.from(bytes).toString('base64')}`;
});
const facts = fc.record(
  {
    published_at: fc.integer({ min: 0, max: 2e9 }).map((s) => new Date(s * 1000).toISOString()),
    integrity,
    document: integrity,
    requires: ranges,
    provides: fc.array(fc.constantFrom('auth', 'db')),
    builds: ranges,
    risk: fc.constantFrom('ok', 'caution', 'danger'),
    status: fc.oneof(
      fc.constant(OPEN),
      fc.record({ is: fc.constantFrom('yanked', 'withdrawn'), reason: fc.string() }),
      fc.record({
        is: fc.constant('taken down'),
        reason: fc.string(),
        date: fc.string(),
        reference: fc.string(),
      }),
    ),
    builds_order: texts,
    advisories: texts,
    packages: fc.constant([{ ecosystem: 'npm', name: 'x', range: '*', advisories: ['X-1'] }]),
    measured: fc.constant({ node: { from: '20.0.0', to: '24.0.0', as: '1.0.0' } }),
    findings: fc.constant([{ level: 'warn', code: 'x', file: '', message: 'y' }]),
  },
  {
    requiredKeys: [
      ...(['published_at', 'integrity', 'document', 'requires', 'provides', 'builds'] as const),
      ...(['risk', 'status'] as const),
    ],
  },
) as unknown as fc.Arbitrary<Omit<HeadVersion, 'version'>>;
const versions = fc
  .array(facts, { minLength: 1, maxLength: 200, size: 'max' })
  .map((all) => all.map((one, at): HeadVersion => ({ ...one, version: `1.${at % 7}.${at}` })))
  .map((all) => all.toSorted((a, b) => compareVersions(b.version, a.version)));

test('expandHead() gives what formatHead() wrote', () => {
  fc.assert(
    fc.property(versions, (listed) => {
      const [{ version: latest }] = listed as [HeadVersion];
      const documents = { record: INTEGRITY };
      const head: Head = { id: 'a/b', kind: 'module', latest, documents, versions: listed };
      expect(read(formatHead(head))).toEqual(head);
    }),
    { numRuns: 30 },
  );
});

/** A head of `count` versions with typical needs, of which some are yanked, rated or measured. */
function made(count: number): Head {
  const listed = Array.from({ length: count }, (_, at): HeadVersion => {
    const digest = Buffer.alloc(32, at).toString('base64');
    return {
      version: `1.${at % 20}.${at}`,
      published_at: new Date((1_790_000_000 + at * 3_600) * 1000).toISOString(),
      integrity: `sha256-${digest}`,
      document: `sha256-${digest}`,
      requires: { express: '>=4.10.0', node: '>=20' },
      provides: ['auth', `account-${Math.floor(at / 40)}`],
      builds: { 'stackyard/sqlite': '^1.0.0', 'stackyard/mail': `^1.${Math.floor(at / 40)}.0` },
      risk: at % 3 === 0 ? 'caution' : 'ok',
      status: at % 50 === 1 ? { is: 'yanked', reason: 'Loses data on restart' } : OPEN,
      measured: { express: { from: '4.10.0', to: '5.3.0', as: '1.0.0' } },
    };
  });
  listed.sort((a, b) => compareVersions(b.version, a.version));
  const documents = { record: INTEGRITY };
  return { id: 'alice/web', kind: 'module', latest: '1.0.0', documents, versions: listed };
}

test('formatHead() needs at most 120 bytes for a version, and few in the head', () => {
  const { text, older } = formatHead(made(400));
  expect(older.map((one) => HeadChunk.parse(JSON.parse(one)).versions.length)).toEqual(
    Array(6).fill(64),
  );
  const rows = [text, ...older].flatMap((one) => (JSON.parse(one) as HeadDocument).versions);
  expect(rows).toHaveLength(400);
  for (const row of rows) expect(JSON.stringify(row).length).toBeLessThan(120);
  expect(text.length).toBeLessThan(16_000);
});

test('formatHead() leaves older documents as they are when a version is added', () => {
  const [before, after] = [formatHead(made(400)), formatHead(made(401))];
  expect(after.older).toEqual(before.older);
});

const HEAD = {
  id: 'alice/web',
  kind: 'module',
  latest: '1.1.0',
  deprecated: { reason: 'Use the other one', replacement: 'alice/site' },
  documents: { record: INTEGRITY },
  needs: [{ requires: { express: '>=4.10.0' }, provides: ['auth'], builds: {} }],
  versions: [['1.1.0', DIGEST, DIGEST, 1_795_253_400, 0]],
  states: [{ versions: ['1.1.0'], yanked: 'Leaks tokens' }],
};
const parse = (value: unknown): unknown =>
  parseDocument(HeadDocument, new TextEncoder().encode(JSON.stringify(value)), 'head');

test('HeadDocument reads every field, and may gain some', () => {
  expect(parse({ ...HEAD, later: true })).toEqual(HEAD);
  expect(expandHead(HeadDocument.parse(HEAD), []).versions).toEqual([
    {
      version: '1.1.0',
      published_at: AT,
      integrity: INTEGRITY,
      document: INTEGRITY,
      ...HEAD.needs[0],
      risk: 'ok',
      status: { is: 'yanked', reason: 'Leaks tokens' },
    },
  ]);
});

const row = (at: number, value: unknown): unknown[] => HEAD.versions[0]!.with(at, value as string);
test.each([
  ['id', 'alice'],
  ['id', '../x'],
  ['kind', 'x'],
  ['latest', undefined],
  ['documents', undefined],
  ['versions', []],
  ['versions', [row(0, '1.1')]],
  ['versions', [row(1, DIGEST.slice(1))]],
  ['versions', [row(1, `${DIGEST}=`)]],
  ['versions', [row(2, `${DIGEST.slice(1)}B`)]],
  ['versions', [row(3, -1)]],
  ['versions', [row(3, 253_402_300_800)]],
  ['versions', [row(4, 1)]],
  ['needs', [{ ...HEAD.needs[0], requires: { express: 'latest' } }]],
  ['needs', [{ ...HEAD.needs[0], builds: { 'a/b': '>=2 <1' } }]],
  ['states', [{ versions: ['1.1.0'], yanked: true }]],
  ['states', [{ versions: ['1.1.0'], risk: 'none' }]],
  ['older', ['x']],
  ['deprecated', {}],
])('HeadDocument refuses %s: %j', (field, value) => {
  expect(() => parse({ ...HEAD, [field]: value })).toThrow(`field "${field}`);
});
