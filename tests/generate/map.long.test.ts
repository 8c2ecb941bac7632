/** The map of an index: what it has, that it does not depend on how runs are divided, and what a publication rewrites. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  CHECKPOINT_PATH,
  documentPath,
  isMapped,
  mapEntryPath,
  mapFilePath,
  parseIndexPath,
} from '../../format/index/layout.ts';
import { parseIntegrity } from '../../format/archive/integrity.ts';
import { parseCheckpoint, parseUnverifiedNote } from '../../format/log/checkpoint.ts';
import { parseLogEntry } from '../../format/log/entry.ts';
import { inclusionProof, verifyInclusion } from '../../format/log/proof.ts';
import { leafHash } from '../../format/log/hash.ts';
import { mapIn, mapLeafAt, parseMapLeaf, parseMapRoot } from '../../format/log/map.ts';
import { parseNote, signersOf } from '../../format/log/note.ts';
import { hashesFromTiles } from '../../format/log/append.ts';
import { tilePath } from '../../format/log/tile.ts';
import { readFromFolder } from '../../generator/log/published-log.ts';
import { build, temporaryFolder } from './git-fixture.ts';
import { readHead, readTree } from './index-reader.ts';
import { SIGNER, signedRegistry } from './signed-registry.ts';

const CLIENT = { version: '1.2.3', bytes: Buffer.from('client'), integrity: 'sha256-x' };

const hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The documents of the map, proved from the checkpoint down; the files of the map are those that it needs. */
function readMap(out: string): Map<string, string> {
  const note = parseNote(readFileSync(join(out, CHECKPOINT_PATH)));
  expect(signersOf(note, [SIGNER])).toEqual([SIGNER]);
  const { size, root } = parseCheckpoint(note.text);
  const entryPath = mapEntryPath(Buffer.from(root).toString('hex'));
  expect(readdirSync(join(out, 'log/map-entries'))).toEqual([basename(entryPath)]);
  const bytes = readFileSync(join(out, entryPath));
  const subtree = hashesFromTiles(size, (tile) => readFileSync(join(out, 'log', tilePath(tile))));
  const leaf = { hash: leafHash(bytes), index: size - 1 };
  expect(verifyInclusion(leaf, { size, root }, inclusionProof(size - 1, size, subtree))).toBe(true);
  const entry = parseLogEntry(bytes);
  if (entry.type !== 'map') throw new Error('The log does not end with a map');
  const read = (sha256: string): Uint8Array => {
    const file = readFileSync(join(out, mapFilePath(sha256)));
    expect(hex(file)).toBe(sha256);
    return file;
  };
  const rootDigest = Buffer.from(parseIntegrity(entry.integrity)).toString('hex');
  const { bits, leaves } = parseMapRoot(read(rootDigest));
  const documents = new Map<string, string>();
  const empty = hex(new Uint8Array());
  for (const [at, digest] of leaves.entries()) {
    for (const [path, sha256] of parseMapLeaf(digest === empty ? new Uint8Array() : read(digest))) {
      expect(mapLeafAt(path, bits)).toBe(at);
      documents.set(path, sha256);
    }
  }
  const files = new Set([rootDigest, ...leaves.filter((digest) => digest !== empty)]);
  expect(new Set(readdirSync(join(out, 'log/map')))).toEqual(files);
  return documents;
}

/** The documents that decide, with the digests of what is served. */
function served(out: string): Map<string, string> {
  const paths = Object.keys(readTree(out)).filter((path) => {
    const parsed = parseIndexPath(path);
    return parsed !== undefined && isMapped(parsed);
  });
  const digests = new Map(paths.map((path) => [path, hex(readFileSync(join(out, path)))]));
  for (const [path, digest] of digests) {
    if (path.startsWith('client/')) continue;
    const copy = readFileSync(join(out, documentPath(digest)));
    expect(copy.equals(readFileSync(join(out, path)))).toBe(true);
  }
  return digests;
}

const sorted = (map: ReadonlyMap<string, string>): [string, string][] =>
  [...map].sort(([a], [b]) => (a < b ? -1 : 1));

const advisory = (id: string): Record<string, string> => ({
  [`advisories/${id}.json`]: JSON.stringify({
    id,
    modified: '2026-01-01T00:00:00Z',
    published: '2026-01-01T00:00:00Z',
    summary: 'Loses data',
    affected: [{ database_specific: { build: 'a/x' }, versions: ['1.0.0'] }],
  }),
});

describe('the map', () => {
  it('has every document that decides, and what heads refer to', async () => {
    const { git, out, run } = signedRegistry();
    for (let nth = 0; nth < 12; nth += 1) git.commit(build(`a/x${nth}`, '1.0.0'));
    git.commit({ ...build('a/x', '1.0.0'), ...build('b/y', '2.0.0') });
    git.commit(build('a/x', '1.1.0'));
    await run({ client: CLIENT });
    expect(sorted(readMap(out))).toEqual(sorted(served(out)));
    expect([...readMap(out).keys()]).toEqual(
      expect.arrayContaining([
        'registry.json',
        'catalog.json',
        'advisories/all.json',
        'heads/a/x.json',
        'owners/b.json',
        'client/stackyard.tgz',
        'client/stackyard-1.2.3.tgz',
      ]),
    );
    const head = readHead(out, 'a/x');
    const digestOf = (path: string): string =>
      `sha256-${createHash('sha256')
        .update(readFileSync(join(out, path)))
        .digest('base64')}`;
    const record = digestOf('builds/a/x.json');
    expect(head.documents).toEqual({ record });
    const sha256 = Buffer.from(record.slice('sha256-'.length), 'base64').toString('hex');
    expect(digestOf(`documents/${sha256}.json`)).toBe(record);
    expect(head.versions[1]!.document).toBe(digestOf('builds/a/x/1.0.0.json'));
  });

  it('is the same after many runs and after a full one that continues them', async () => {
    const { git, out, run } = signedRegistry();
    for (let nth = 0; nth < 6; nth += 1) {
      git.commit(build(`a/x${nth}`, '1.0.0'));
      if (nth % 3 === 0) git.commit(advisory('X-2026-1'));
      if (nth % 3 === 1) git.commit({ 'advisories/X-2026-1.json': null });
      await run({ client: nth % 2 === 0 ? CLIENT : undefined });
      expect(sorted(readMap(out))).toEqual(sorted(served(out)));
    }
    const full = join(temporaryFolder(), 'index');
    await run({ out: full, published: readFromFolder(out) });
    expect(readTree(full)).toEqual(readTree(out));
    await run({ full: true });
    expect(readTree(out)).toEqual(readTree(full));
  });

  it('gets no entry by a run that changes no document', async () => {
    const { git, out, run } = signedRegistry();
    git.commit(build('a/x', '1.0.0'));
    await run();
    const before = readTree(out);
    await run();
    expect(readTree(out)).toEqual(before);
  });

  it('continues a log that another runner extended', async () => {
    const { git, out, run } = signedRegistry();
    git.commit(build('a/x', '1.0.0'));
    await run();
    const other = join(temporaryFolder(), 'index');
    await run({ out: other, published: readFromFolder(out) });
    git.commit(build('a/x', '1.1.0'));
    await run({ out: other });
    git.commit(build('a/x', '1.2.0'));
    await run({ out: other });
    const report = await run({ published: readFromFolder(other) });
    expect(report.isFull).toBe(false);
    expect(readTree(out)).toEqual(readTree(other));
  });

  it('is added to the log of an index that nobody signed', async () => {
    const { git, out, run } = signedRegistry();
    git.commit(build('a/x', '1.0.0'));
    await run({ signers: [] });
    expect(existsSync(join(out, 'log/map-entries'))).toBe(false);
    await run();
    expect(sorted(readMap(out))).toEqual(sorted(served(out)));
  });

  it('is refused where the published one is not what was signed', async () => {
    const { git, out, run } = signedRegistry();
    git.commit(build('a/x', '1.0.0'));
    await run();
    const bundle = join(out, 'log/tile/entries/000.p/2');
    const text = readFileSync(bundle, 'latin1');
    const at = text.lastIndexOf('sha256-') + 'sha256-'.length;
    const other = text[at] === 'A' ? 'B' : 'A';
    writeFileSync(bundle, `${text.slice(0, at)}${other}${text.slice(at + 1)}`, 'latin1');
    await expect(run({ full: true })).rejects.toMatchObject({ code: 'ERR_LOG_FORK' });
  });

  it('is named by the checkpoint where nobody signs', async () => {
    const { git, out, run } = signedRegistry();
    git.commit(build('a/x', '1.0.0'));
    await run();
    rmSync(join(out, CHECKPOINT_PATH));
    await run({ signers: [] });
    expect(existsSync(join(out, 'log/map-entries'))).toBe(false);
    const checkpoint = parseUnverifiedNote(readFileSync(join(out, CHECKPOINT_PATH), 'utf8'));
    const root = Buffer.from(parseIntegrity(mapIn(checkpoint)!)).toString('hex');
    expect(existsSync(join(out, mapFilePath(root)))).toBe(true);
    served(out);
  });

  it('is rewritten in a few files by one publication', async () => {
    const { git, out, run } = signedRegistry();
    const builds = Array.from({ length: 80 }, (_, nth) => build(`o${nth % 30}/x${nth}`, '1.0.0'));
    git.commit(Object.assign({}, ...builds) as Record<string, string>);
    await run();
    const before = new Set(readdirSync(join(out, 'log/map')));
    expect(before.size).toBe(17);
    git.commit(build('o7/x7', '1.1.0'));
    await run();
    const added = readdirSync(join(out, 'log/map')).filter((file) => !before.has(file));
    // The root and the leaves of head, owner, catalog and registry.json.
    expect(added.length).toBeLessThanOrEqual(5);
    expect(sorted(readMap(out))).toEqual(sorted(served(out)));
  });
});
