/**
 * `npm run test:host`: `stackyard update --pull-request` at a real Gitea, over 50 repositories in ten states. The bytes of each branch are
 * those that `stackyard update` gives by hand. `STACKYARD_HOST_LOG` names a file for a line about each.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { advisoryFile, affects } from '../advisories/advisory-fixture.ts';
import { makeProject, readProject, serveRegistry, stackyard } from '../client/registry-fixture.ts';
import { STORE, store, web } from '../client/update-host.ts';
import { GitFixture, temporaryFolder } from '../generate/git-fixture.ts';
import { GiteaServer, type Account } from './gitea-server.ts';

const PORT = 3990;
const EACH = 5;

interface Pull {
  readonly number: number;
  readonly state: string;
  readonly title: string;
  readonly labels: readonly { readonly name: string }[];
}

interface Index {
  readonly url: string;
}

/** One repository at the host, with its checkout. */
class Project {
  readonly work = new GitFixture();
  readonly name: string;
  readonly folder: string;
  readonly #server: GiteaServer;
  readonly #alice: Account;
  readonly #cache: string;

  constructor(server: GiteaServer, alice: Account, cache: string, name: string, folder = '') {
    [this.#server, this.#alice, this.#cache] = [server, alice, cache];
    [this.name, this.folder] = [name, folder];
  }

  async create(files: Record<string, string>): Promise<void> {
    await this.#server.api(this.#alice.token, 'POST', '/user/repos', {
      name: this.name,
      // One without commits has no pull requests, for a moment also after the first push.
      auto_init: true,
      default_branch: 'main',
    });
    const base = this.#server.url.replace('//', `//alice:${this.#alice.token}@`);
    this.work.git('remote', 'add', 'origin', `${base}/alice/${this.name}.git`);
    const placed = Object.entries(files).map(([path, text]) => [join(this.folder, path), text]);
    this.commit(Object.fromEntries(placed) as Record<string, string>);
  }

  commit(files: Record<string, string>): void {
    this.work.commit(files, 'Change');
    this.work.git('push', '-q', '-f', 'origin', 'HEAD:refs/heads/main');
  }

  async update(index: Index): Promise<Record<string, string>> {
    const ended = await stackyard(
      [
        'update',
        '--pull-request',
        '--no-install',
        '--json',
        '-C',
        join(this.work.folder, this.folder),
      ],
      {
        CODE_HOST: 'gitea',
        GITHUB_TOKEN: this.#alice.token,
        GITHUB_SERVER_URL: this.#server.url,
        GITHUB_API_URL: `${this.#server.url}/api/v1`,
        GITHUB_REF_NAME: 'main',
        STACKYARD_CACHE: this.#cache,
        STACKYARD_REGISTRY: index.url,
      },
    );
    const { data } = JSON.parse(ended.stdout) as {
      data: { requests?: { name: string; state: string }[] };
    };
    if (ended.status !== 0) throw new Error(ended.stdout + ended.stderr);
    return Object.fromEntries(data.requests!.map(({ name, state }) => [name, state]));
  }

  pulls(): Promise<Pull[]> {
    return this.#server.api(this.#alice.token, 'GET', `/repos/alice/${this.name}/pulls?state=all`);
  }

  async close(): Promise<void> {
    const [pull] = await this.pulls();
    const path = `/repos/alice/${this.name}/pulls/${pull!.number}`;
    await this.#server.api(this.#alice.token, 'PATCH', path, { state: 'closed' });
  }

  /** The files of a branch. */
  branch(name: string): Record<string, string> {
    const folder = temporaryFolder();
    const prefix = this.folder === '' ? '' : `${this.folder.replaceAll('/', '-')}/`;
    const address = this.work.git('remote', 'get-url', 'origin');
    this.work.git('clone', '-q', '--branch', `stackyard/update/${prefix}${name}`, address, folder);
    return tracked(folder);
  }

  /** What `stackyard update` gives by hand. */
  async byHand(index: Index, id: string): Promise<Record<string, string>> {
    const copy = new GitFixture(undefined, this.work);
    const variables = { STACKYARD_CACHE: this.#cache, STACKYARD_REGISTRY: index.url };
    const at = join(copy.folder, this.folder);
    await stackyard(['update', id, '--conflict', 'markers', '--no-install', '-C', at], variables);
    return tracked(copy.folder);
  }

  tip(name: string): string {
    return this.work.git('ls-remote', 'origin', `refs/heads/stackyard/update/${name}`);
  }
}

function tracked(folder: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(readProject(folder)).filter(
      ([path]) => !/(?:^|\/)\.(?:git|stackyard)\//.test(path),
    ),
  );
}

it('opens, refreshes and closes requests of 50 projects in ten states', async () => {
  const registry = new GitFixture();
  registry.commit({ ...store('1.0.0'), ...web('1.0.0') });
  const first = await serveRegistry(registry);
  const cache = join(temporaryFolder(), 'cache');
  const made = makeProject();
  const variables = { STACKYARD_CACHE: cache, STACKYARD_REGISTRY: first.url };
  const install = async (...ids: string[]) => {
    const folder = ids.includes('alice/web') ? makeProject() : made;
    expect((await stackyard(['add', ...ids, '--no-install', '-C', folder], variables)).status).toBe(
      0,
    );
    return readProject(folder);
  };
  const withStore = await install('bob/store');
  const withWeb = await install('alice/web');
  registry.commit(store('1.1.0', ['export const a = 2;', ...STORE.slice(1)]));
  registry.commit(advisoryFile({ affected: affects('bob/store', '0', '1.1.0') }));
  const now = await serveRegistry(registry);
  registry.commit(store('1.2.0', ['export const a = 3;', ...STORE.slice(1)]));
  const later = await serveRegistry(registry);

  const server = await GiteaServer.start(join(temporaryFolder(), 'gitea'), PORT);
  const alice = await server.account('alice', true);
  const STATE = 'bob-store';
  const path = 'src/store/index.ts';
  const opened = async (project: Project) => {
    expect(await project.update(now)).toEqual({ [STATE]: 'opened' });
    expect(project.branch(STATE)).toEqual(await project.byHand(now, 'bob/store'));
  };
  const states: Record<string, (project: Project) => Promise<void>> = {
    current: async (project) => {
      await project.create(withWeb);
      expect(await project.update(now)).toEqual({});
      expect(await project.pulls()).toEqual([]);
    },
    behind: async (project) => {
      await project.create(withStore);
      await opened(project);
      expect(await project.update(now)).toEqual({ [STATE]: 'unchanged' });
    },
    edited: async (project) => {
      await project.create({
        ...withStore,
        [path]: [...STORE.slice(0, 4), 'export const z = 9;', ''].join('\n'),
      });
      await opened(project);
      expect(project.branch(STATE)[path]).toContain('z = 9');
    },
    conflict: async (project) => {
      await project.create({ ...withStore, [path]: 'export const a = 7;\n' });
      await opened(project);
      expect((await project.pulls())[0]!.title).toMatch(/^WIP: /);
      expect(project.branch(STATE)[path]).toMatch(/^<{7}/m);
    },
    advised: async (project) => {
      await project.create(withStore);
      await opened(project);
      const labels = (await project.pulls())[0]!.labels.map(({ name }) => name);
      expect(labels.sort()).toEqual(['dependencies', 'security']);
    },
    newer: async (project) => {
      await project.create(withStore);
      await opened(project);
      expect(await project.update(later)).toEqual({ [STATE]: 'refreshed' });
      expect(project.branch(STATE)).toEqual(await project.byHand(later, 'bob/store'));
      expect(await project.pulls()).toMatchObject([
        { state: 'open', title: 'Update bob/store to 1.2.0' },
      ]);
    },
    merged: async (project) => {
      await project.create(withStore);
      await opened(project);
      project.commit(project.branch(STATE));
      expect(await project.update(now)).toEqual({ [STATE]: 'closed' });
      expect([(await project.pulls())[0]!.state, project.tip(STATE)]).toEqual(['closed', '']);
    },
    taken: async (project) => {
      await project.create(withStore);
      await opened(project);
      const work = new GitFixture();
      work.git('remote', 'add', 'origin', project.work.git('remote', 'get-url', 'origin'));
      work.git('fetch', '-q', 'origin', `stackyard/update/${STATE}`);
      work.git('reset', '-q', '--hard', 'FETCH_HEAD');
      work.commit({ 'mine.txt': 'x\n' });
      work.git('push', '-q', 'origin', `HEAD:refs/heads/stackyard/update/${STATE}`);
      const tip = project.tip(STATE);
      expect(await project.update(later)).toEqual({ [STATE]: 'edited' });
      expect(project.tip(STATE)).toBe(tip);
    },
    declined: async (project) => {
      await project.create(withStore);
      await opened(project);
      await project.close();
      expect(await project.update(now)).toEqual({ [STATE]: 'declined' });
      expect(await project.update(later)).toEqual({ [STATE]: 'opened' });
    },
    member: async (project) => {
      await project.create(withStore);
      await opened(project);
      expect(project.tip(`packages-a/${STATE}`)).not.toBe('');
    },
  };
  const started = Date.now();
  const log = process.env['STACKYARD_HOST_LOG'];
  for (let at = 0; at < EACH; at += 1) {
    for (const [state, check] of Object.entries(states)) {
      const folder = state === 'member' ? 'packages/a' : '';
      await check(new Project(server, alice, cache, `${state}-${at}`, folder));
      if (log === undefined) continue;
      appendFileSync(log, `${((Date.now() - started) / 1000).toFixed(1)} s  ${state}-${at}\n`);
    }
  }
});
