import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canonicalJson } from '../document/canonical-json.ts';
import type { PublishEntry } from '../log/entry.ts';
import { MAX_COMMIT_BYTES, Provenance, checkProvenance, provenanceOf } from './provenance.ts';
import { GATE_ADDRESS, formatMergeMessage } from './merge-message.ts';
import { isCommitWithId, tryParseCommit } from './git-commit.ts';

const INTEGRITY = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
const HEXADECIMAL = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const VERDICT = { result: 'merge', integrity: INTEGRITY } as const;
const MERGE = { pullRequest: 12, published: ['alice/web@1.1.0'], verdict: VERDICT };
const PARENTS = ['1', '2'].map((digit) => `parent ${digit.repeat(40)}\n`).join('');

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function commitOf(
  message = formatMergeMessage(MERGE),
  { parents = PARENTS, committer = GATE_ADDRESS } = {},
): Uint8Array {
  const who = `Gate <${committer}> 1767225600 +0000`;
  return bytesOf(
    `tree ${'3'.repeat(40)}\n${parents}author ${who}\ncommitter ${who}\n\n${message}\n`,
  );
}

function entryOf(commit: Uint8Array): PublishEntry {
  const id = createHash('sha1').update(`commit ${commit.length}\0`).update(commit).digest('hex');
  return {
    type: 'publish',
    id: 'alice/web',
    version: '1.1.0',
    integrity: INTEGRITY,
    tree: '4'.repeat(40),
    commit: id,
    published_at: '2026-01-01T00:00:00.000Z',
  };
}

describe('provenanceOf()', () => {
  it('states what the gate judged, by a commit of the gate', () => {
    const commit = commitOf();
    const entry = entryOf(commit);
    expect(provenanceOf(entry, 7, commit)).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'alice/web@1.1.0', digest: { sha256: HEXADECIMAL } }],
      predicateType: 'urn:stackyard:provenance:v1',
      predicate: {
        entry,
        index: 7,
        gate: {
          pull_request: 12,
          verdict: { result: 'merge', digest: { sha256: HEXADECIMAL } },
          commit: Buffer.from(commit).toString('base64'),
        },
      },
    });
  });

  it('states no verdict where the gate kept none', () => {
    const commit = commitOf('Merge pull request #12\n\nPublish alice/web@1.1.0');
    const { gate } = provenanceOf(entryOf(commit), 0, commit).predicate;
    expect(gate).toEqual({ pull_request: 12, commit: expect.any(String) });
  });

  it.each([
    ['of another committer', commitOf(undefined, { committer: 'alice@example.org' })],
    ['that merges nothing', commitOf(undefined, { parents: PARENTS.slice(0, 48) })],
    ['with another message', commitOf('Change builds')],
    [
      'that publishes another version',
      commitOf(formatMergeMessage({ ...MERGE, published: ['alice/web@1.1.1'] })),
    ],
    ['that is too large', commitOf(formatMergeMessage(MERGE) + ' '.repeat(MAX_COMMIT_BYTES))],
    ['that is none', bytesOf('x')],
  ])('states nothing about the gate from a commit %s', (_, commit) => {
    expect(provenanceOf(entryOf(commit), 0, commit).predicate).not.toHaveProperty('gate');
  });
});

describe('checkProvenance()', () => {
  const commit = commitOf();
  const entry = entryOf(commit);
  const text = canonicalJson(provenanceOf(entry, 7, commit));
  const read = (served: string): Provenance => Provenance.parse(JSON.parse(served));

  it('accepts what the log has, and fields of newer registries', () => {
    const wanted = { provenance: provenanceOf(entry, 7, commit) };
    expect(checkProvenance(read(text), entry, 7)).toEqual(wanted);
    const newer = JSON.parse(text) as { predicate: object };
    Object.assign(newer.predicate, { more: 1 });
    expect(checkProvenance(read(JSON.stringify(newer)), entry, 7)).toEqual(wanted);
    const plain = provenanceOf(entry, 7);
    expect(checkProvenance(plain, entry, 7)).toEqual({ provenance: plain });
  });

  const forged = Buffer.from(commitOf(formatMergeMessage({ ...MERGE, pullRequest: 13 })));
  it.each([
    ['the digest', text.replace(/("subject":.*)e3b0/, '$1f3b0'), /subject differs/],
    ['the name', text.replace('alice/web@', 'alice/wab@'), /subject differs/],
    ['the tree', text.replace('4444', '5555'), /predicate\.entry differs/],
    ['the commit', text.replace(entry.commit, '5'.repeat(40)), /predicate\.entry differs/],
    ['the index', text.replace('"index":7', '"index":8'), /predicate\.index differs/],
    ['the number', text.replace(':12', ':13'), /predicate\.gate differs/],
    ['the verdict', text.replace('"merge"', '"review"'), /predicate\.gate differs/],
    [
      'the number with the commit object',
      text
        .replace(':12', ':13')
        .replace(/"commit":"[^"]{60,}"/, `"commit":"${forged.toString('base64')}"`),
      /its commit object is not commit [0-9a-f]{40}/,
    ],
    ['base64', text.replace(/"commit":"[^"]{60,}"/, '"commit":"x"'), /its commit object is not/],
  ])('refuses an altered statement: %s', (_, served, problem) => {
    expect(served).not.toBe(text);
    expect(checkProvenance(read(served), entry, 7)).toEqual({
      problem: expect.stringMatching(problem),
    });
  });
});

/** A commit that git wrote: its id and its object. */
function gitCommitCommitOf(format: string, message: string): { id: string; bytes: Uint8Array } {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-commit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const identity = ['-c', 'user.name=Älice', '-c', 'user.email=alice@example.org'];
  const git = (...args: string[]): Buffer =>
    execFileSync('git', [...identity, ...args], { cwd: folder });
  git('init', '-q', `--object-format=${format}`, join(folder, 'r'));
  const inside = (...args: string[]): Buffer => git('-C', 'r', ...args);
  const tree = inside('mktree', '--missing').toString().trim();
  const first = inside('commit-tree', tree, '-m', 'First').toString().trim();
  const second = inside('commit-tree', tree, '-m', 'Second').toString().trim();
  const parents = ['-p', first, '-p', second];
  const id = inside('commit-tree', tree, ...parents, '-m', message)
    .toString()
    .trim();
  return { id, bytes: inside('cat-file', 'commit', id) };
}

describe.each(['sha1', 'sha256'])('a commit of a repository with %s', (format) => {
  it('has the id that git gives it, and what it states', () => {
    const { id, bytes } = gitCommitCommitOf(format, 'Title\n\nBody');
    expect(isCommitWithId(bytes, id)).toBe(true);
    expect(isCommitWithId(Buffer.concat([bytes, Buffer.from('\n')]), id)).toBe(false);
    expect(
      isCommitWithId(
        bytes,
        id.replace(/^./, (c) => (c === '0' ? '1' : '0')),
      ),
    ).toBe(false);
    const commit = tryParseCommit(bytes);
    expect(commit).toMatchObject({ committer: 'alice@example.org', message: 'Title\n\nBody\n' });
    expect(commit?.parents).toEqual([expect.any(String), expect.any(String)]);
    expect(commit?.parents.every(({ length }) => length === id.length)).toBe(true);
  });
});

describe('tryParseCommit()', () => {
  const header = (lines: string): Uint8Array => new TextEncoder().encode(`${lines}\n\nMessage\n`);
  const author = 'author A <a@b> 1 +0000\ncommitter C <c@d> 1 +0000';

  it('reads signatures and other fields after the committer', () => {
    const signed = header(`tree ab\n${author}\ngpgsig -----\n committer X <x@y> 1 +0000`);
    expect(tryParseCommit(signed)).toEqual({
      parents: [],
      committer: 'c@d',
      message: 'Message\n',
    });
  });

  it.each([
    ['nothing', ''],
    ['no tree', author],
    ['no committer', 'tree ab\nauthor A <a@b> 1 +0000'],
    ['a committer before the author', `tree ab\ncommitter C <c@d> 1 +0000\nauthor A <a@b> 1 +0000`],
    ['no address', 'tree ab\nauthor A\ncommitter C 1 +0000'],
    ['no time', 'tree ab\nauthor A <a@b>\ncommitter C <c@d>'],
  ])('reads no commit with %s', (_, lines) => {
    expect(tryParseCommit(header(lines))).toBeUndefined();
  });

  it('throws for no bytes whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(tryParseCommit(bytes)).toBeUndefined();
      }),
    );
  });
});
