/**
 * Commit objects of git, whose id is a digest of their bytes:
 *
 *     tree 6d9c…
 *     parent 905e…
 *     author Alice <alice@example.org> 1767225600 +0000
 *     committer Alice <alice@example.org> 1767225600 +0000
 *
 *     Merge pull request #12
 */
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';

interface GitCommit {
  readonly parents: readonly string[];
  /** The address of the committer. */
  readonly committer: string;
  readonly message: string;
}

/** Whether these bytes are the commit with this id, of 40 (SHA-1) or 64 (SHA-256) hexadecimal digits. */
export function isCommitWithId(bytes: Uint8Array, id: string): boolean {
  const hash = (id.length === 64 ? sha256 : sha1).create();
  hash.update(new TextEncoder().encode(`commit ${bytes.length}\0`)).update(bytes);
  return Buffer.from(hash.digest()).toString('hex') === id;
}

/** Reads a commit object; `undefined` for what is none. Its message may come from anybody. */
export function tryParseCommit(bytes: Uint8Array): GitCommit | undefined {
  const text = new TextDecoder().decode(bytes);
  const end = text.indexOf('\n\n');
  if (end < 0) return undefined;
  const header =
    /^tree [0-9a-f]+\n((?:parent [0-9a-f]+\n)*)author [^\n]*\ncommitter [^\n]*<([^<>\n]*)> [0-9]+ [+-][0-9]{4}(?:\n|$)/.exec(
      text.slice(0, end),
    );
  if (header === null) return undefined;
  const [, parents = '', committer = ''] = header;
  return {
    parents: [...parents.matchAll(/[0-9a-f]{40,}/g)].map(([id]) => id),
    committer,
    message: text.slice(end + 2),
  };
}
