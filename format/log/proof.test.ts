import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  consistencyProof,
  inclusionProof,
  treeRoot,
  verifyConsistency,
  verifyInclusion,
} from './proof.ts';
import { EMPTY_ROOT, leafHash, nodeHash, isSameHash } from './hash.ts';
import {
  CT_ENTRIES,
  definedRoot,
  madeLeaves,
  subtreesOf,
} from '../../tests/log-vectors/made-tree.ts';
import { MAX_TREE_SIZE } from './tree-size.ts';

const CT_ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const ctLeaves = CT_ENTRIES.map((entry) => leafHash(Buffer.from(entry, 'hex')));
const ct = subtreesOf(ctLeaves);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const rootOf = (size: number): Uint8Array => treeRoot(size, ct);

// The tree of the tests of Certificate Transparency, with the proofs of github.com/transparency-dev/merkle v0.0.2 (Apache-2.0),
// proof/verify_test.go.
describe('known answers of Certificate Transparency (RFC 6962)', () => {
  test.each(CT_ROOTS.map((root, size) => [size, root] as const))(
    'treeRoot() of %d leaves',
    (size, root) => {
      expect(hex(treeRoot(size, ct))).toBe(root);
    },
  );

  test.each([
    [0, 1, []],
    [
      0,
      8,
      [
        '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
      ],
    ],
    [
      5,
      8,
      [
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
        'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
        'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      ],
    ],
    [2, 3, ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']],
    [
      1,
      5,
      [
        '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      ],
    ],
  ])('inclusionProof() of leaf %d in %d leaves', (index, size, proof) => {
    expect(inclusionProof(index, size, ct).map(hex)).toEqual(proof);
  });

  test.each([
    [1, 1, []],
    [
      1,
      8,
      [
        '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
      ],
    ],
    [
      6,
      8,
      [
        '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
        'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
        'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      ],
    ],
    [
      2,
      5,
      [
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      ],
    ],
    [
      6,
      7,
      [
        '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
        'b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f',
        'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      ],
    ],
  ])('consistencyProof() from %d to %d leaves', (oldSize, newSize, proof) => {
    expect(consistencyProof(oldSize, newSize, ct).map(hex)).toEqual(proof);
  });
});

describe('every tree of 0 to 70 leaves', () => {
  const leaves = madeLeaves(70);
  const subtree = subtreesOf(leaves);
  const roots = Array.from({ length: 71 }, (_, size) => definedRoot(leaves.slice(0, size)));

  test('treeRoot() is what the definition gives', () => {
    for (const [size, root] of roots.entries()) expect(treeRoot(size, subtree)).toEqual(root);
  });

  test('every leaf proves, and no other leaf with the same proof', () => {
    for (const [size, root] of roots.entries()) {
      for (let index = 0; index < size; index += 1) {
        const proof = inclusionProof(index, size, subtree);
        const tree = { size, root };
        expect(verifyInclusion({ hash: leaves[index]!, index }, tree, proof)).toBe(true);
        const other = { hash: leaves[(index + 1) % 70]!, index };
        expect(verifyInclusion(other, tree, proof)).toBe(false);
      }
    }
  });

  test('every tree continues every smaller one', () => {
    for (const [newSize, newRoot] of roots.entries()) {
      for (let oldSize = 0; oldSize <= newSize; oldSize += 1) {
        const proof = consistencyProof(oldSize, newSize, subtree);
        const [oldTree, newTree] = [
          { size: oldSize, root: roots[oldSize]! },
          { size: newSize, root: newRoot },
        ];
        expect(verifyConsistency(oldTree, newTree, proof)).toBe(true);
        const fork = { size: oldSize, root: leaves[69]! };
        expect(verifyConsistency(fork, newTree, proof)).toBe(false);
      }
    }
  });
});

describe('random trees of up to 5,000 leaves', () => {
  const leaves = madeLeaves(5_000);
  const subtree = subtreesOf(leaves);
  const size = fc.integer({ min: 1, max: 5_000 });
  const sizes = fc.tuple(size, size).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

  test('a leaf proves, and no altered proof does', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), fc.nat(255), ([index, size], at, byte, xor) => {
        const leaf = { hash: leaves[index - 1]!, index: index - 1 };
        const tree = { size, root: treeRoot(size, subtree) };
        const proof = inclusionProof(leaf.index, size, subtree);
        expect(verifyInclusion(leaf, tree, proof)).toBe(true);
        for (const altered of alterations(proof, at, byte, xor)) {
          expect(verifyInclusion(leaf, tree, altered)).toBe(false);
        }
        expect(verifyInclusion({ ...leaf, index: leaf.index + 1 }, tree, proof)).toBe(false);
      }),
    );
  });

  test('a larger tree continues a smaller one, and no altered proof shows it', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), fc.nat(255), ([oldSize, newSize], at, byte, xor) => {
        const [oldTree, newTree] = [oldSize, newSize].map((s) => ({
          size: s,
          root: treeRoot(s, subtree),
        }));
        const proof = consistencyProof(oldSize, newSize, subtree);
        expect(verifyConsistency(oldTree!, newTree!, proof)).toBe(true);
        for (const altered of alterations(proof, at, byte, xor)) {
          expect(verifyConsistency(oldTree!, newTree!, altered)).toBe(false);
        }
      }),
    );
  });
});

describe('sizes near 2^53', () => {
  // A subtree whose leaves are all the same has one hash for each height.
  const heights = [leafHash(new Uint8Array())];
  const subtree = (height: number): Uint8Array => {
    for (let at = heights.length; at <= height; at += 1) {
      heights.push(nodeHash(heights[at - 1]!, heights[at - 1]!));
    }
    return heights[height]!;
  };

  test.each([0, 1, 2 ** 32, 2 ** 52 - 1, 2 ** 52, MAX_TREE_SIZE - 1])('leaf %d proves', (index) => {
    const proof = inclusionProof(index, MAX_TREE_SIZE, subtree);
    const tree = { size: MAX_TREE_SIZE, root: treeRoot(MAX_TREE_SIZE, subtree) };
    expect(verifyInclusion({ hash: subtree(0), index }, tree, proof)).toBe(true);
    expect(verifyInclusion({ hash: EMPTY_ROOT, index }, tree, proof)).toBe(false);
  });

  test.each([1, 2 ** 32 + 1, 2 ** 52, MAX_TREE_SIZE - 1])('continues %d leaves', (oldSize) => {
    const proof = consistencyProof(oldSize, MAX_TREE_SIZE, subtree);
    const [oldTree, newTree] = [oldSize, MAX_TREE_SIZE].map((s) => ({
      size: s,
      root: treeRoot(s, subtree),
    }));
    expect(verifyConsistency(oldTree!, newTree!, proof)).toBe(true);
  });
});

describe('bad input', () => {
  test('sizes and indexes that no tree has are refused', () => {
    expect(() => inclusionProof(8, 8, ct)).toThrow(RangeError);
    expect(() => inclusionProof(-1, 8, ct)).toThrow(RangeError);
    expect(() => consistencyProof(3, 2, ct)).toThrow(RangeError);
    expect(() => treeRoot(0.5, ct)).toThrow(RangeError);
    const [tree, hash] = [{ size: 8, root: rootOf(8) }, ctLeaves[0]!];
    for (const index of [-1, 8, 0.5, NaN])
      expect(verifyInclusion({ hash, index }, tree, [])).toBe(false);
    for (const size of [-1, 0, 0.5, 2 ** 53]) {
      expect(verifyInclusion({ hash, index: 0 }, { size, root: hash }, [])).toBe(false);
      expect(verifyConsistency(tree, { size, root: tree.root }, [])).toBe(false);
    }
  });

  test('hashes of another length are refused', () => {
    const proof = inclusionProof(0, 8, ct);
    const short = proof.map((hash, at) => (at === 1 ? hash.subarray(1) : hash));
    const tree = { size: 8, root: rootOf(8) };
    expect(verifyInclusion({ hash: ctLeaves[0]!, index: 0 }, tree, short)).toBe(false);
    expect(
      verifyInclusion({ hash: ctLeaves[0]!, index: 0 }, { ...tree, root: new Uint8Array() }, proof),
    ).toBe(false);
  });

  test('a fork of the same size, and a tree that does not begin empty, are refused', () => {
    const [one, other] = [
      { size: 3, root: rootOf(3) },
      { size: 3, root: rootOf(4) },
    ];
    expect(verifyConsistency(one, other, [])).toBe(false);
    expect(verifyConsistency({ size: 0, root: rootOf(1) }, one, [])).toBe(false);
    expect(verifyConsistency({ size: 0, root: rootOf(0) }, one, [])).toBe(true);
    const empty = { size: 0, root: rootOf(1) };
    expect(verifyConsistency(empty, empty, [])).toBe(false);
    const right = { size: 0, root: rootOf(0) };
    expect(verifyConsistency(right, right, [])).toBe(true);
    expect(verifyConsistency({ size: 0, root: rootOf(0) }, one, [rootOf(1)])).toBe(false);
    expect(verifyConsistency({ size: 2, root: rootOf(2) }, one, [])).toBe(false);
  });
});

/** The proof with a byte changed, a hash left out, one added, and two exchanged. */
function alterations(
  proof: readonly Uint8Array[],
  at: number,
  byte: number,
  xor: number,
): Uint8Array[][] {
  const extra = leafHash(Uint8Array.of(at % 256));
  const changes: Uint8Array[][] = [
    [...proof, extra],
    [extra, ...proof],
  ];
  if (proof.length === 0) return changes;
  const place = at % proof.length;
  const flipped = Uint8Array.from(proof[place]!);
  flipped[byte % 32]! ^= xor === 0 ? 1 : xor;
  changes.push(proof.with(place, flipped), proof.toSpliced(place, 1));
  if (proof.length > 1) {
    const next = (place + 1) % proof.length;
    changes.push(proof.with(place, proof[next]!).with(next, proof[place]!));
  }
  return changes;
}

test('verifyConsistency() accepts two states of one size by their roots alone, as public vectors have them', () => {
  const [one, other] = ['same', 'another'].map((text) => new TextEncoder().encode(text));
  for (const size of [1, 7]) {
    const tree = { size, root: one! };
    expect(verifyConsistency(tree, { size, root: one! }, [])).toBe(true);
    expect(verifyConsistency(tree, { size, root: other! }, [])).toBe(false);
    expect(verifyConsistency(tree, tree, [rootOf(1)])).toBe(false);
  }
});

const hashHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('hashes of RFC 6962', () => {
  test('EMPTY_ROOT is the SHA-256 of nothing', () => {
    expect(hashHex(EMPTY_ROOT)).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });

  test('leafHash() puts 0x00 before the entry', () => {
    expect(hashHex(leafHash(new Uint8Array()))).toBe(
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    );
  });

  test('nodeHash() puts 0x01 before both hashes', () => {
    const node = nodeHash(leafHash(new Uint8Array()), leafHash(Uint8Array.of(0)));
    expect(hashHex(node)).toBe('fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125');
  });

  test('isSameHash() compares length and bytes', () => {
    expect(isSameHash(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true);
    expect(isSameHash(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false);
    expect(isSameHash(Uint8Array.of(1, 2), Uint8Array.of(1))).toBe(false);
    expect(isSameHash(Uint8Array.of(1), Uint8Array.of(1, 2))).toBe(false);
  });
});
