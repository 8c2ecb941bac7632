/** The contract of code hosts at a real Gitea: what the fakes are compared with. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openCodeHost } from '../../generator/host/code-host.ts';
import type { GitHubHost } from '../../generator/host/github-host.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { CONTRACT, type World } from './contract.ts';
import { GiteaServer, type Account } from './gitea-server.ts';

const PORT = 3988;

interface People {
  readonly alice: Account;
  readonly bob: Account;
  readonly gate: Account;
}

/** A new repository of Alice with an open pull request of Bob. */
class GiteaWorld implements World {
  readonly pull: World['pull'];
  readonly #server: GiteaServer;
  readonly #people: People;
  readonly #name: string;

  private constructor(server: GiteaServer, people: People, name: string, pull: World['pull']) {
    this.#server = server;
    this.#people = people;
    this.#name = name;
    this.pull = pull;
  }

  static async open(server: GiteaServer, people: People, name: string): Promise<GiteaWorld> {
    const { alice, bob, gate } = people;
    const own = `/repos/alice/${name}`;
    const made = { name, auto_init: true, default_branch: 'main' };
    await server.api(alice.token, 'POST', '/user/repos', made);
    for (const { login } of [bob, gate]) {
      await server.api(alice.token, 'PUT', `${own}/collaborators/${login}`, {
        permission: 'write',
      });
    }
    const file = { content: 'eA==', message: 'x', branch: 'main', new_branch: 'web' };
    await server.api(bob.token, 'POST', `${own}/contents/x.txt`, file);
    const proposed = { title: 'web', head: 'web', base: 'main' };
    const pull = await server.api<{ number: number; head: { sha: string } }>(
      bob.token,
      'POST',
      `${own}/pulls`,
      proposed,
    );
    const author = { login: bob.login, id: bob.id };
    return new GiteaWorld(server, people, name, { ...pull, head: pull.head.sha, author });
  }

  host(): GitHubHost {
    return openCodeHost({
      CODE_HOST: 'gitea',
      GITHUB_API_URL: `${this.#server.url}/api/v1`,
      GITHUB_REPOSITORY: `alice/${this.#name}`,
      GITHUB_TOKEN: this.#people.gate.token,
    });
  }

  async comments(): Promise<string[]> {
    const path = `/issues/${this.pull.number}/comments`;
    const all = await this.#ask<{ body: string }[]>('GET', path);
    return all.map(({ body }) => body);
  }

  async commentAsStranger(body: string): Promise<void> {
    await this.#ask('POST', `/issues/${this.pull.number}/comments`, { body });
  }

  async closeAs(who: 'author' | 'stranger'): Promise<void> {
    const { alice, bob } = this.#people;
    const path = `/repos/alice/${this.#name}/issues/${this.pull.number}`;
    const { token } = who === 'author' ? bob : alice;
    await this.#server.api(token, 'PATCH', path, { state: 'closed' });
  }

  async openIssues(): Promise<string[]> {
    const all = await this.#ask<{ title: string }[]>('GET', '/issues?type=issues&state=open');
    return all.map(({ title }) => title);
  }

  #ask<T>(method: string, path: string, body?: object): Promise<T> {
    const place = `/repos/alice/${this.#name}${path}`;
    return this.#server.api<T>(this.#people.alice.token, method, place, body);
  }
}

it('a real Gitea does what the contract of code hosts states', async () => {
  const server = await GiteaServer.start(join(temporaryFolder(), 'gitea'), PORT);
  const people = {
    alice: await server.account('alice', true),
    bob: await server.account('bob'),
    gate: await server.account('gate'),
  };
  const failed: Record<string, string> = {};
  for (const [at, [name, step]] of Object.entries(CONTRACT).entries()) {
    const world = await GiteaWorld.open(server, people, `r${at}`);
    await step(world).catch((error: unknown) => (failed[name] = String(error)));
  }
  expect(failed).toEqual({});
});
