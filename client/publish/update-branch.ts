/**
 * The branches of `update --pull-request`: one commit on the newest commit of the base, made from the files of the checkout.
 * The last lines of its message state what it has, so that a branch which a person changed is recognised by its content, not by its author:
 *
 *     Stackyard-Update: stackyard/update/stackyard-account
 *     Stackyard-Builds: stackyard/account@3.0.0 stackyard/sqlite@1.3.0
 *     Stackyard-Tree: <id of the tree>
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClientError } from '../errors.ts';
import { GitProgram, type GitAccess } from './git-program.ts';

export const BRANCHES = 'stackyard/update/';

const IDENTITY = {
  GIT_AUTHOR_NAME: 'stackyard',
  GIT_AUTHOR_EMAIL: 'update@stackyard.invalid',
  GIT_COMMITTER_NAME: 'stackyard',
  GIT_COMMITTER_EMAIL: 'update@stackyard.invalid',
};

/** A branch at the code host. */
export interface KnownBranch {
  readonly tip: string;
  /** Absent: a person changed it. */
  readonly own?: { readonly base: string; readonly builds: string; readonly tree: string };
}

export class Checkout {
  readonly #git: GitProgram;
  readonly root: string;
  /** The newest commit of the base branch. */
  readonly head: string;
  readonly #url: string;

  private constructor(git: GitProgram, root: string, head: string, url: string) {
    this.#git = git;
    this.root = root;
    this.head = head;
    this.#url = url;
  }

  /**
   * The repository that a project is in; `url` is where its branches are, by default the remote `origin`.
   * @throws {ClientError} `ERR_GIT`; `ERR_CONFLICT` when files are not committed
   */
  static async open(
    project: string,
    hostOf: (remote: string) => { readonly url: string; readonly access?: GitAccess | undefined },
    signal: AbortSignal,
  ): Promise<Checkout> {
    const plain = new GitProgram(project, undefined, signal);
    const root = (await plain.run(['rev-parse', '--show-toplevel'])).trim();
    const state = await plain.run(['status', '--porcelain', '--untracked-files=all']);
    if (state.trim() !== '') {
      throw new ClientError('ERR_CONFLICT', `"${root}" has files that are not committed`, {
        hint: 'commit or stash them: pull requests are made from the newest commit',
      });
    }
    const remote = (await plain.run(['config', '--get', 'remote.origin.url'])).trim();
    const { url, access } = hostOf(remote);
    const head = (await plain.run(['rev-parse', 'HEAD'])).trim();
    return new Checkout(new GitProgram(root, access, signal), root, head, url);
  }

  /** The branch that requests go into. */
  async baseBranch(named: string | undefined): Promise<string> {
    const current = (await this.#git.try(['symbolic-ref', '--quiet', '--short', 'HEAD']))?.trim();
    const branch = named || current;
    if (branch !== undefined && branch !== '') return branch;
    throw new ClientError('ERR_GIT', 'The branch of the checkout is unknown', {
      hint: 'check a branch out: git switch main',
    });
  }

  /** Our branches by name. @param prefix of their names */
  async branches(prefix: string): Promise<Map<string, KnownBranch>> {
    const lines = await this.#git.run(['ls-remote', this.#url, `refs/heads/${prefix}*`]);
    const rows = lines.split('\n').flatMap((line) => {
      const [, tip, name] = /^([0-9a-f]{40,64})\trefs\/heads\/(\S+)$/.exec(line) ?? [];
      return tip === undefined || name === undefined ? [] : [{ tip, name }];
    });
    const found = new Map<string, KnownBranch>();
    if (rows.length === 0) return found;
    const tips = [...new Set(rows.map(({ tip }) => tip))];
    await this.#git.run(['fetch', '--quiet', '--no-tags', this.#url, ...tips]);
    for (const { tip, name } of rows) {
      const form = '--format=%P%n%T%n%B';
      const text = await this.#git.run(['log', '-1', '--no-show-signature', form, tip]);
      const [parents = '', tree = '', ...message] = text.split('\n');
      const lineOf = (key: string): string | undefined =>
        message.find((one) => one.startsWith(`${key}: `))?.slice(key.length + 2);
      const isOwn =
        lineOf('Stackyard-Update') === name &&
        lineOf('Stackyard-Tree') === tree &&
        !parents.includes(' ');
      const own = { base: parents, builds: lineOf('Stackyard-Builds') ?? '', tree };
      found.set(name, { tip, ...(isOwn ? { own } : {}) });
    }
    return found;
  }

  /** The tree of all files as they are now, without what git ignores; no hook runs. */
  async writeTree(): Promise<string> {
    const scratch = mkdtempSync(join(tmpdir(), 'stackyard-update-'));
    const env = { GIT_INDEX_FILE: join(scratch, 'index') };
    try {
      await this.#git.run(['read-tree', this.head], { env });
      await this.#git.run(['add', '--all', '.'], { env });
      return (await this.#git.run(['write-tree'], { env })).trim();
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }

  /** The files as the newest commit has them. They were so before, so that nothing of a person is lost. */
  async restore(): Promise<void> {
    await this.#git.run(['reset', '--hard', '--quiet', this.head]);
    await this.#git.run(['clean', '-f', '-d', '--quiet']);
  }

  /** @throws {ClientError} `ERR_GIT` also when the branch moved since `known` was read */
  async push(
    branch: string,
    tree: string,
    builds: string,
    title: string,
    known: KnownBranch | undefined,
  ): Promise<void> {
    const about = {
      'Stackyard-Update': branch,
      'Stackyard-Builds': builds,
      'Stackyard-Tree': tree,
    };
    const lines = Object.entries(about).map(([key, value]) => `${key}: ${value}`);
    const message = `${title}\n\n${lines.join('\n')}\n`;
    const call = { input: message, env: IDENTITY };
    const commit = await this.#git.run(['commit-tree', tree, '-p', this.head], call);
    await this.#set(branch, commit.trim(), known?.tip);
  }

  async drop(branch: string, { tip }: KnownBranch): Promise<void> {
    await this.#set(branch, '', tip);
  }

  async #set(branch: string, commit: string, tip = ''): Promise<void> {
    const ref = `refs/heads/${branch}`;
    const lease = `--force-with-lease=${ref}:${tip}`;
    await this.#git.run(['push', '--quiet', lease, this.#url, `${commit}:${ref}`]);
  }
}
