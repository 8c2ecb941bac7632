/**
 * A bare clone of a registry's repository in the cache: the newest commit without its files, which git
 * fetches when one is read. Trees are written with plumbing commands, so nothing is checked out, no filter,
 * attribute or hook runs, and no file name from the repository reaches the disk.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClientError } from '../errors.ts';
import { cacheFolder } from '../project/cache-folder.ts';
import { GitProgram, type GitAccess } from './git-program.ts';

/** A file of the new commit, or a path that is deleted with everything below it. */
export type TreeEdit =
  | { readonly path: string; readonly bytes: Uint8Array; readonly executable: boolean }
  | { readonly path: string; readonly bytes: undefined };

/** A file that a proposal changes, for output. */
export interface ProposedFile {
  readonly path: string;
  readonly change: 'added' | 'changed' | 'deleted';
}

interface Commit {
  readonly tree: string;
  readonly parent: string;
  readonly message: string;
  /** For the author and the committer that git does not know. */
  readonly fallbackAuthor: { readonly name: string; readonly email: string } | undefined;
}

const UPSTREAM = 'upstream';
const MAX_TEXT_BYTES = 5_000_000;
const OID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

export class Clone {
  readonly #git: GitProgram;
  readonly #url: string;
  /** Temporary files of this run. */
  readonly #scratch: string;

  private constructor(git: GitProgram, url: string, scratch: string) {
    [this.#git, this.#url, this.#scratch] = [git, url, scratch];
  }

  /**
   * Opens or creates the clone of `url`; the caller closes it.
   * @throws {ClientError} `ERR_GIT`
   */
  static async open(
    url: string,
    access: GitAccess | undefined,
    signal: AbortSignal,
  ): Promise<Clone> {
    const scratch = mkdtempSync(join(tmpdir(), 'stackyard-publish-'));
    try {
      const cache = cacheFolder(process.env);
      const digest = createHash('sha256').update(url).digest('hex');
      const folder = cache === undefined ? join(scratch, 'clone') : join(cache, 'publish', digest);
      const clone = new Clone(new GitProgram(folder, access, signal), url, scratch);
      if (!(await clone.#isUsable())) await clone.#make();
      return clone;
    } catch (error) {
      rmSync(scratch, { recursive: true, force: true });
      throw error;
    }
  }

  close(): void {
    rmSync(this.#scratch, { recursive: true, force: true });
  }

  /** The branch that pull requests go to, and its newest commit, fetched. */
  async fetchBase(): Promise<{ readonly branch: string; readonly commit: string }> {
    const heads = await this.#git.run(['ls-remote', '--symref', UPSTREAM, 'HEAD']);
    const branch = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(heads)?.[1];
    if (branch === undefined) {
      throw new ClientError('ERR_GIT', `The repository ${this.#url} has no commits`, {
        hint: 'check the address of the repository (STACKYARD_REPOSITORY)',
      });
    }
    const commit = await this.#fetch(UPSTREAM, branch);
    return { branch, commit };
  }

  /** The newest commit of `branch` in the repository at `url`, fetched; `undefined` without such a branch. */
  async fetchBranch(url: string, branch: string): Promise<string | undefined> {
    const heads = await this.#git.run(['ls-remote', '--heads', url, `refs/heads/${branch}`]);
    const isThere = heads.split('\n').some((line) => line.endsWith(`\trefs/heads/${branch}`));
    return isThere ? this.#fetch(url, branch) : undefined;
  }

  async messageOf(commit: string): Promise<string> {
    return this.#git.run(['log', '-1', '--no-show-signature', '--format=%B', commit]);
  }

  /** The text of a file of `commit`; `undefined` when there is none at `path`. */
  async read(commit: string, path: string): Promise<string | undefined> {
    const entries = await this.list(commit, path);
    const entry = entries.find((one) => one.path === path);
    if (entry === undefined || !entry.mode.startsWith('100')) return undefined;
    const size = Number(await this.#git.run(['cat-file', '-s', entry.oid]));
    if (size > MAX_TEXT_BYTES) {
      throw new ClientError('ERR_GIT', `"${path}" of the registry's repository is too large`);
    }
    return this.#git.run(['cat-file', 'blob', entry.oid]);
  }

  /** Files of `commit` at or below `path`. */
  async list(commit: string, path: string): Promise<{ mode: string; oid: string; path: string }[]> {
    const lines = await this.#git.run(['ls-tree', '-r', '-z', '--full-tree', commit, '--', path]);
    return lines.split('\0').flatMap((line) => {
      const [, mode, oid, name] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      return mode === undefined || oid === undefined ? [] : [{ mode, oid, path: name ?? '' }];
    });
  }

  async treeOf(commit: string): Promise<string> {
    return (await this.#git.run(['rev-parse', '--verify', `${commit}^{tree}`])).trim();
  }

  async writeTree(commit: string, edits: readonly TreeEdit[]): Promise<string> {
    const env = { GIT_INDEX_FILE: join(this.#scratch, `index-${randomUUID()}`) };
    await this.#git.run(['read-tree', commit], { env });
    const lines: string[] = [];
    for (const { path, bytes } of edits) {
      if (bytes !== undefined) continue;
      for (const old of await this.list(commit, path)) {
        lines.push(`0 ${'0'.repeat(old.oid.length)}\t${old.path}`);
      }
    }
    const oids = await this.#writeBlobs(edits);
    for (const edit of edits) {
      const oid = oids.get(edit);
      if (edit.bytes === undefined || oid === undefined) continue;
      lines.push(`${edit.executable ? '100755' : '100644'} ${oid}\t${edit.path}`);
    }
    const input = lines.map((line) => `${line}\0`).join('');
    if (input !== '') await this.#git.run(['update-index', '-z', '--index-info'], { env, input });
    // Unchanged files are not in the clone: git would fetch each of them to verify that it exists.
    return (await this.#git.run(['write-tree', '--missing-ok'], { env })).trim();
  }

  /** The files in which two trees differ. */
  async difference(from: string, to: string): Promise<ProposedFile[]> {
    const options = ['--no-renames', '--no-ext-diff', '--name-status'];
    const output = await this.#git.run(['diff-tree', '-r', '-z', ...options, from, to]);
    return [...output.matchAll(/(\w)\0([^\0]+)\0/g)].map(([, letter, path = '']) => {
      return { path, change: letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'changed' };
    });
  }

  /** Creates a commit and returns its id. */
  async commit({ tree, parent, message, fallbackAuthor }: Commit): Promise<string> {
    const env: Record<string, string> = {};
    for (const role of ['author', 'committer']) {
      if (await this.#knows(role)) continue;
      if (fallbackAuthor === undefined) {
        throw new ClientError('ERR_GIT', 'Git does not know who you are', {
          hint: 'run: git config --global user.name "..." and git config --global user.email "..."',
        });
      }
      env[`GIT_${role.toUpperCase()}_NAME`] = fallbackAuthor.name;
      env[`GIT_${role.toUpperCase()}_EMAIL`] = fallbackAuthor.email;
    }
    const args = ['commit-tree', tree, '-p', parent, '-F', '-'];
    return (await this.#git.run(args, { input: message, env })).trim();
  }

  /** Whether git has an address for this role, which it would otherwise guess. */
  async #knows(role: string): Promise<boolean> {
    if ((process.env[`GIT_${role.toUpperCase()}_EMAIL`] ?? '') !== '') return true;
    // Without a value git exits with an error, which is not an error here.
    const known = await this.#git.try(['config', '--get-regexp', `^(user|${role})\\.email$`]);
    return known !== undefined && /\.email \S/.test(known);
  }

  /** Pushes `commit` as `branch`, never by force: only if no commit is lost. */
  async push(url: string, commit: string, branch: string): Promise<void> {
    const args = ['push', '--porcelain', '--no-verify', url, `${commit}:refs/heads/${branch}`];
    try {
      await this.#git.run(args);
    } catch (error) {
      // A fork that is behind needs commits that this shallow clone does not have.
      if (!(error instanceof ClientError) || !/shallow update/i.test(error.message)) throw error;
      await this.#git.run(['fetch', '--unshallow', '--filter=blob:none', '--no-tags', UPSTREAM]);
      await this.#git.run(args);
    }
  }

  async #fetch(from: string, branch: string): Promise<string> {
    // The base is kept, so that the next run fetches only new commits; other branches are not.
    const isBase = from === UPSTREAM;
    const name = isBase ? 'refs/stackyard/base' : `refs/stackyard/${randomUUID()}`;
    const filter = isBase ? ['--filter=blob:none'] : [];
    const refspec = `+refs/heads/${branch}:${name}`;
    await this.#git.run(['fetch', '--depth=1', ...filter, '--no-tags', from, refspec]);
    const commit = (await this.#git.run(['rev-parse', '--verify', `${name}^{commit}`])).trim();
    if (!isBase) await this.#git.run(['update-ref', '-d', name]);
    return commit;
  }

  async #writeBlobs(edits: readonly TreeEdit[]): Promise<Map<TreeEdit, string>> {
    const written = edits.filter((edit) => edit.bytes !== undefined);
    if (written.length === 0) return new Map();
    const folder = mkdtempSync(join(this.#scratch, 'files-'));
    const paths = written.map(({ bytes }, at) => {
      const path = join(folder, String(at));
      writeFileSync(path, bytes!);
      return path;
    });
    const args = ['hash-object', '-w', '--no-filters', '--stdin-paths'];
    const oids = (await this.#git.run(args, { input: `${paths.join('\n')}\n` })).trim().split('\n');
    if (oids.length !== written.length || !oids.every((oid) => OID.test(oid))) {
      throw new ClientError('ERR_GIT', 'Git did not take every file');
    }
    return new Map(written.map((edit, at) => [edit, oids[at]!]));
  }

  async #isUsable(): Promise<boolean> {
    if (!existsSync(join(this.#git.folder, 'HEAD'))) return false;
    const url = await this.#git.try(['config', '--local', `remote.${UPSTREAM}.url`]);
    return url?.trim() === this.#url;
  }

  async #make(): Promise<void> {
    const { folder } = this.#git;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    await this.#git.run(['init', '--quiet', '--bare', '.']);
    for (const [name, value] of [
      [`remote.${UPSTREAM}.url`, this.#url],
      [`remote.${UPSTREAM}.promisor`, 'true'],
      [`remote.${UPSTREAM}.partialclonefilter`, 'blob:none'],
      ['gc.auto', '0'],
    ] as const) {
      await this.#git.run(['config', '--local', name, value]);
    }
  }
}
