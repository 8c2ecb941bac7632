/** A registry repository with owners and builds, and pull requests into it as branches. */
import type { Person } from '../../format/registry/account.ts';
import type { GateVerdict } from '../../generator/gate/gate-verdict.ts';
import { judgePullRequest } from '../../generator/gate/judge-pull-request.ts';
import { GitFixture, build as buildAnywhere } from '../generate/git-fixture.ts';
import type { Files } from '../generate/git-fixture.ts';

export const ALICE: Person = { login: 'alice', id: 11 };
export const BOB: Person = { login: 'bob', id: 22 };
export const CAROL: Person = { login: 'Carol', id: 33 };
export const ROOT: Person = { login: 'root', id: 1 };
export const MALLORY: Person = { login: 'mallory', id: 66 };

/** The files of a small valid build that needs no consent: its files go into a folder of its own. */
export function build(id: string, version: string, changes: object = {}, files: Files = {}): Files {
  return buildAnywhere(id, version, { base: `src/${id.split('/')[1]}`, ...changes }, files);
}

const NOW = '2026-03-01T00:00:00.000Z';

export function ownerFile(account: number, more: object = {}): string {
  return `${JSON.stringify({ account_id: account, ...more }, null, 2)}\n`;
}

/** The base branch of most tests: two owners, three builds, an admin. */
export const REGISTRY: Files = {
  'registry.config.json': JSON.stringify({
    admins: [{ login: 'root', account_id: 1 }],
    reserved_names: ['search'],
    review_hours: 48,
    site: false,
  }),
  'generator/commands/generate.ts': 'export {};\n',
  '.github/workflows/publish.yml': 'on: push\n',
  'builds/alice/owner.json': ownerFile(11, { maintainers: [{ login: 'bob', account_id: 22 }] }),
  ...build('alice/web-forms', '1.0.0'),
  ...build('alice/page-tables', '2.1.0'),
  'builds/carol/owner.json': ownerFile(33),
  ...build('carol/mail-queue', '1.0.0'),
};

/** Deletes a folder without listing its files. */
export function without(id: string): Files {
  return { [`builds/${id}`]: null };
}

export class GateFixture {
  readonly git: GitFixture;
  #pulls = 0;

  constructor(files: Files = REGISTRY, git = new GitFixture()) {
    this.git = git;
    this.git.commit(files);
  }

  /** Opens a pull request from `from`: a commit with `files`, and whatever `more` does to the branch. */
  pull(files: Files, from = 'main', more?: (git: GitFixture) => void): string {
    const branch = `pull-${(this.#pulls += 1)}`;
    this.git.git('checkout', '-q', '-b', branch, from);
    more?.(this.git);
    this.git.commit(files);
    this.git.git('checkout', '-q', '-f', 'main');
    return branch;
  }

  judge(head: string, author: Person = ALICE, now: string = NOW): Promise<GateVerdict> {
    return judgePullRequest({ repo: this.git.folder, base: 'main', head, author, now });
  }

  /** Opens a pull request and judges it. */
  async propose(
    files: Files,
    author: Person = ALICE,
    more?: (git: GitFixture) => void,
  ): Promise<GateVerdict> {
    return this.judge(this.pull(files, 'main', more), author);
  }

  /** Merges as the workflow does: the judged tree, on top of both sides. */
  land({ base, head, tree = '' }: GateVerdict): string {
    const commit = this.git.git('commit-tree', tree, '-p', base, '-p', head, '-m', 'Merge');
    this.git.git('update-ref', 'refs/heads/main', commit, base);
    this.git.git('reset', '-q', '--hard');
    return commit;
  }
}

/** The codes of a verdict, sorted, each once. */
export function codes({ reasons }: GateVerdict): string[] {
  return [...new Set(reasons.map((reason) => reason.code))].sort();
}
