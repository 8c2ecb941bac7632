import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  digestOfMark,
  fileMark,
  formatManifest,
  makeShards,
  manifestBits,
  parseManifest,
  shardOf,
  tryParseShard,
  type Manifest,
} from './manifest.ts';
import { isMadeBy, macOf } from './mac.ts';
import { noteSigner } from '../../format/log/note-key.ts';

const DIGEST = 'ab'.repeat(32);
const segment = fc.stringMatching(/^[a-z0-9][a-z0-9.-]{0,12}$/);
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const digest = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => {
  return Buffer.from(bytes).toString('hex');
});

describe('makeShards()', () => {
  it('puts every file into one shard, whatever the order, and is read back', () => {
    const files = fc.uniqueArray(fc.tuple(path, digest), { selector: ([name]) => name });
    fc.assert(
      fc.property(files, fc.integer({ min: 0, max: 4 }), (entries, bits) => {
        const marks = entries.map(([name, sha256]) => [name, fileMark(name, sha256)] as const);
        const shards = makeShards(new Map(marks), bits);
        expect(shards).toHaveLength(2 ** bits);
        expect(makeShards(new Map(marks.toReversed()), bits)).toEqual(shards);
        const read = shards.flatMap(({ text }) => [...(tryParseShard(text) ?? [])]);
        expect(new Map(read)).toEqual(new Map(marks));
        for (const [name, mark] of marks) {
          const own = tryParseShard(shards[shardOf(name, bits)]?.text ?? '');
          expect(own?.get(name)).toBe(mark);
        }
      }),
    );
  });

  it('keeps the files of a build together, and those of an owner', () => {
    const paths = [
      'builds/a/x.json',
      'builds/a/x/1.0.0.tgz',
      'heads/a/x.json',
      'builds/a/x/1.0.0.json',
      'r/a/x.json',
      'r/a/x@1.0.0.json',
    ];
    expect(new Set(paths.map((name) => shardOf(name, 16))).size).toBe(1);
    expect(shardOf('owners/a.json', 16)).not.toBe(shardOf('heads/a/x.json', 16));
    expect(shardOf('registry.json', 16)).toBe(shardOf('log/checkpoint', 16));
  });
});

describe('tryParseShard()', () => {
  it.each([
    ['no newline at the end', `${DIGEST} 00000000 a`],
    ['another digest', `${DIGEST.slice(1)} 00000000 a\n`],
    ['no path', `${DIGEST} 00000000 \n`],
    ['an empty line', `${DIGEST} 00000000 a\n\n`],
  ])('refuses %s', (_what, text) => {
    expect(tryParseShard(text)).toBeUndefined();
  });

  it('returns a map or nothing for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const files = tryParseShard(text);
        expect(files === undefined || files instanceof Map).toBe(true);
      }),
    );
  });
});

it('fileMark() has the digest, and another text for other headers', () => {
  expect(digestOfMark(fileMark('a/b.json', DIGEST))).toBe(DIGEST);
  expect(fileMark('index.html', DIGEST)).not.toBe(fileMark('catalog.json', DIGEST));
});

it.each([
  [0, 0],
  [256, 0],
  [257, 1],
  [60_000, 8],
  [100_000_000, 16],
])('manifestBits() of %i files is %i', (files, bits) => {
  expect(manifestBits(files)).toBe(bits);
});

describe('parseManifest()', () => {
  const manifest: Manifest = {
    format: 1,
    origin: 'registry.example',
    registry: DIGEST,
    bits: 0,
    shards: [DIGEST],
    removed: { 'catalog.json': 1 },
  };

  it('is the inverse of formatManifest()', () => {
    expect(parseManifest(Buffer.from(formatManifest(manifest)), 'x')).toEqual(manifest);
  });

  it.each([
    ['text', 'hello'],
    ['another form', formatManifest({ ...manifest, format: 2 as never })],
    ['a digest that is none', formatManifest({ ...manifest, shards: ['x'] })],
  ])('refuses %s', (_what, text) => {
    const read = (): unknown => parseManifest(Buffer.from(text), 'x');
    expect(read).toThrow(expect.objectContaining({ code: 'ERR_DOCUMENT' }));
  });
});

const signerOf = (name: string, byte: number) =>
  noteSigner(name, 'note', new Uint8Array(32).fill(byte));

it('isMadeBy() requires the key, its name, the purpose and the value', () => {
  const signer = signerOf('a.example/log', 1);
  const mac = macOf('state', { a: 1, b: 2 }, signer);
  const others = [signerOf('a.example/log', 2), signerOf('b.example/log', 1)];
  expect(isMadeBy(mac, 'state', { b: 2, a: 1 }, [...others, signer])).toBe(true);
  expect(isMadeBy(mac, 'state', { a: 1, b: 2 }, others)).toBe(false);
  expect(isMadeBy(mac, 'manifest', { a: 1, b: 2 }, [signer])).toBe(false);
  expect(isMadeBy(mac, 'state', { a: 1 }, [signer])).toBe(false);
  expect(isMadeBy(mac.slice(2), 'state', { a: 1, b: 2 }, [signer])).toBe(false);
  expect(isMadeBy('', 'state', { a: 1, b: 2 }, [signer])).toBe(false);
});
