import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isCommitWithId, tryParseCommit } from './git-commit.ts';

/** A commit that git wrote: its id and its object. */
function commitOf(format: string, message: string): { id: string; bytes: Uint8Array } {
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
    const { id, bytes } = commitOf(format, 'Title\n\nBody');
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
