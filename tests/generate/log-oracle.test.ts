/** Every proof and note is accepted by our verifier and by aics-tlog; every altered one is refused by both. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendLeaves } from '../../format/log/append.ts';
import { formatCheckpoint, parseCheckpoint } from '../../format/log/checkpoint.ts';
import { formatNoteKey, noteSigner } from '../../format/log/note-key.ts';
import { formatNote, parseNote, signNote, signersOf } from '../../format/log/note.ts';
import { cosign, cosignaturesOf } from '../../format/log/cosignature.ts';
import { formatBundle } from '../../format/log/bundle.ts';
import {
  consistencyProof,
  inclusionProof,
  treeRoot,
  verifyConsistency,
  verifyInclusion,
} from '../../format/log/proof.ts';
import { leafHash } from '../../format/log/hash.ts';
import { madeLeaves, subtreesOf } from '../log-vectors/made-tree.ts';
import { TILE_WIDTH, bundlePath, tilePath } from '../../format/log/tile.ts';
import { generateDocuments } from './generate-documents.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';
import { openOracle, type OracleCase } from './log-oracle.ts';

const ORACLE = openOracle();
const LEAVES = madeLeaves(1000);
const SUBTREES = subtreesOf(LEAVES);
const LOG = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(1));
const WITNESSES = [2, 3].map((n) =>
  noteSigner(`witness.example/${n}`, 'cosignature', new Uint8Array(32).fill(n)),
);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** A proof as both verifiers take it. */
interface Claim {
  readonly numbers: readonly [number, number];
  readonly hashes: readonly [Uint8Array, Uint8Array];
  readonly proof: readonly Uint8Array[];
}

/** The claim, and others with one bit, one number or one step changed. */
function variants({ numbers: [a, b], hashes: [one, other], proof }: Claim): Claim[] {
  const flip = (bytes: Uint8Array): Uint8Array => bytes.with(7, bytes[7]! ^ 4);
  const claim = (changes: Partial<Claim>): Claim => ({
    numbers: [a, b],
    hashes: [one, other],
    proof,
    ...changes,
  });
  return [
    claim({}),
    claim({ numbers: [a + 1, b] }),
    claim({ numbers: [Math.max(0, a - 1), b] }),
    claim({ numbers: [a, b + 1] }),
    claim({ hashes: [flip(one), other] }),
    claim({ hashes: [one, flip(other)] }),
    claim({ proof: [...proof, one] }),
    claim({ proof: proof.slice(1) }),
    claim({ proof: proof.slice(0, -1) }),
    claim({ proof: proof.toReversed() }),
    ...proof.map((step, at) => claim({ proof: proof.with(at, flip(step)) })),
  ];
}

/** What both say of the cases, which is the same. */
function agreed(ours: readonly boolean[], cases: readonly OracleCase[]): readonly boolean[] {
  expect(ORACLE!(cases)).toEqual(ours);
  return ours;
}

describe.skipIf(ORACLE === undefined)('aics-tlog and this verifier', () => {
  it('agree on proofs of inclusion', () => {
    const claims = fc
      .sample(fc.tuple(fc.nat(999), fc.integer({ min: 1, max: 1000 })), 150)
      .map(([place, size]): Claim => {
        const index = place % size;
        const proof = inclusionProof(index, size, SUBTREES);
        return {
          numbers: [index, size],
          hashes: [LEAVES[index]!, treeRoot(size, SUBTREES)],
          proof,
        };
      });
    const all = claims.flatMap(variants);
    const ours = all.map(({ numbers: [index, size], hashes: [hash, root], proof }) =>
      verifyInclusion({ hash, index }, { size, root }, proof),
    );
    const cases = all.map(({ numbers: [index, size], hashes: [leaf, root], proof }): OracleCase => {
      return ['inclusion', hex(leaf), index, size, proof.map(hex), hex(root)];
    });
    expect(agreed(ours, cases).filter(Boolean).length).toBeGreaterThanOrEqual(claims.length);
    expect(
      claims.map((_, at) => ours[all.findIndex((v) => v.proof === claims[at]!.proof)]),
    ).toEqual(claims.map(() => true));
  });

  it('agree on proofs of consistency', () => {
    const claims = fc
      .sample(fc.tuple(fc.nat(1000), fc.nat(1000)), 150)
      .map(([one, other]): Claim => {
        const [old, size] = [Math.min(one, other), Math.max(one, other)];
        const roots = [treeRoot(old, SUBTREES), treeRoot(size, SUBTREES)] as const;
        return {
          numbers: [old, size],
          hashes: roots,
          proof: consistencyProof(old, size, SUBTREES),
        };
      });
    const all = claims.flatMap(variants);
    const ours = all.map(({ numbers: [old, size], hashes: [oldRoot, root], proof }) =>
      verifyConsistency({ size: old, root: oldRoot }, { size, root }, proof),
    );
    const cases = all.map(
      ({ numbers: [old, size], hashes: [oldRoot, root], proof }): OracleCase => {
        return ['consistency', old, size, hex(oldRoot), hex(root), proof.map(hex)];
      },
    );
    expect(agreed(ours, cases).filter(Boolean).length).toBeGreaterThanOrEqual(claims.length);
  });

  it('agree on checkpoints and cosignatures', () => {
    const text = formatCheckpoint({ origin: LOG.name, size: 9, root: treeRoot(9, SUBTREES) });
    const time = Math.floor(Date.now() / 1000);
    const signatures = [signNote(text, LOG), ...WITNESSES.map((w) => cosign(text, w, time))];
    const note = formatNote({ text, signatures });
    const altered = [
      note.replace('\n9\n', '\n8\n'),
      note.replace('registry.example/log\n', 'registry.example/lag\n'),
      formatNote({ text, signatures: signatures.slice(1) }),
      formatNote({ text, signatures: signatures.slice(0, 2) }),
      ...[0, 1, 2].map((at) => {
        const own = signatures[at]!;
        const bytes = own.bytes.with(20, own.bytes[20]! ^ 1);
        return formatNote({ text, signatures: signatures.with(at, { ...own, bytes }) });
      }),
      // Not a note whose last line has no newline: aics-tlog accepts it, C2SP signed-note and ours do not.
      note.replace('—', '-'),
    ];
    const notes = [note, ...altered];
    const ours = notes.map((one) => {
      try {
        const parsed = parseNote(new TextEncoder().encode(one));
        if (signersOf(parsed, [LOG]).length !== 1) return false;
        return (
          parseCheckpoint(parsed.text).size === 9 && cosignaturesOf(parsed, WITNESSES).length === 2
        );
      } catch {
        return false;
      }
    });
    const cases = notes.map((one): OracleCase => {
      return ['checkpoint', one, formatNoteKey(LOG), WITNESSES.map(formatNoteKey), 2];
    });
    expect(agreed(ours, cases)).toEqual([true, ...altered.map(() => false)]);
  });

  it('agree on the tiles of a generated index, and refuse altered ones', async () => {
    const [git, out] = [new GitFixture(), join(temporaryFolder(), 'index')];
    git.commit({ 'registry.config.json': JSON.stringify({ origin: 'registry.example' }) });
    for (const name of ['a/x', 'a/y', 'b/z']) git.commit(build(name, '1.0.0'));
    await generateDocuments({ repo: git.folder, out, threads: 1, signers: [LOG] });
    const note = readFileSync(join(out, 'log/checkpoint'), 'utf8');
    const { size, root } = parseCheckpoint(parseNote(new TextEncoder().encode(note)).text);
    const folders = [join(out, 'log')];
    for (const path of [`tile/0/000.p/${size}`, `tile/entries/000.p/${size}`]) {
      const folder = join(temporaryFolder(), 'log');
      cpSync(join(out, 'log'), folder, { recursive: true });
      const bytes = readFileSync(join(folder, path));
      writeFileSync(join(folder, path), bytes.with(9, bytes[9]! ^ 1));
      folders.push(folder);
    }
    const cases = folders.map((folder): OracleCase => ['tiles', folder, size, hex(root)]);
    const key = ['checkpoint', note, formatNoteKey(LOG), [], 0] as const;
    expect(ORACLE!([...cases, key])).toEqual([true, false, false, true]);
  });

  it('agree on the tiles of a log with three levels', { timeout: 60_000 }, () => {
    const entries = Array.from({ length: 66_000 }, (_, at) =>
      new TextEncoder().encode(`entry ${at}\n`),
    );
    const { size, root, tiles } = appendLeaves(0, () => new Uint8Array(), entries.map(leafHash));
    const folder = temporaryFolder();
    const write = (path: string, bytes: Uint8Array): void => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    };
    for (const { tile, bytes } of tiles) write(tilePath(tile), bytes);
    for (let index = 0; index * TILE_WIDTH < size; index += 1) {
      const own = entries.slice(index * TILE_WIDTH, (index + 1) * TILE_WIDTH);
      write(bundlePath({ index, width: own.length }), formatBundle(own));
    }
    expect(ORACLE!([['tiles', folder, size, hex(root)]])).toEqual([true]);
  });
});
