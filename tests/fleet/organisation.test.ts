/** The inventory of an organisation at a code host: real git over HTTP, and locks that the client wrote. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { advisoryFile, affects } from '../advisories/advisory-fixture.ts';
import { serveAnswers, serveRegistry } from '../client/registry-fixture.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { answerGit } from '../publish/code-host.ts';
import { TOKEN, installed, published, runFleet } from './fleet-fixture.ts';

const BASIC = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`;

/** An organisation `acme` as Forgejo shows it, with repositories over git's own protocol. */
class Organisation {
  readonly root = temporaryFolder();
  readonly repositories = new Map<string, { archived?: boolean; empty?: boolean }>();
  readonly forbidden = new Set<string>();
  /** Answers before those of the API. */
  readonly faults: { status: number; headers: Record<string, string> }[] = [];
  readonly gitAsked: string[] = [];
  url = '';

  static async start(): Promise<Organisation> {
    const host = new Organisation();
    host.url = await serveAnswers((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://host');
      if (pathname.startsWith('/api/v1/')) {
        const fault = host.faults.shift();
        if (fault !== undefined) response.writeHead(fault.status, fault.headers).end('{}');
        else if (request.headers.authorization !== `Bearer ${TOKEN}`)
          response.writeHead(401).end('{}');
        else if (pathname === '/api/v1/orgs/acme/repos')
          response.end(JSON.stringify(host.#listed()));
        else response.writeHead(404).end('{}');
        return;
      }
      const name = pathname.split('/')[2]!.replace(/\.git$/, '');
      host.gitAsked.push(name);
      if (request.headers.authorization !== BASIC || host.forbidden.has(name)) {
        response.writeHead(403).end();
      } else answerGit(host.root, request, response);
    });
    return host;
  }

  #listed(): object[] {
    return [...this.repositories].map(([name, about]) => ({
      full_name: `acme/${name}`,
      clone_url: `${this.url}/acme/${name}.git`,
      ...about,
    }));
  }

  /** Commits to a new or known repository. */
  push(name: string, files: Record<string, string>): void {
    const bare = join(this.root, 'acme', `${name}.git`);
    const work = this.#works.get(name) ?? new GitFixture();
    if (!existsSync(bare)) {
      mkdirSync(bare, { recursive: true });
      work.git('init', '-q', '--bare', '-b', 'main', bare);
      appendFileSync(join(bare, 'config'), '[uploadpack]\n\tallowFilter = true\n');
    }
    this.#works.set(name, work);
    work.commit(files);
    work.git('push', '-q', bare, 'HEAD:refs/heads/main');
    if (!this.repositories.has(name)) this.repositories.set(name, {});
  }

  readonly #works = new Map<string, GitFixture>();

  source(): string {
    return `forgejo:${this.url}/acme`;
  }
}

it('an inventory names versions, advisories, edits, and what cannot be read; a second run reads what changed', async () => {
  const git = published();
  const before = await serveRegistry(git);
  const shop = await installed(before.url, 'alice/web');
  const edited = {
    ...shop,
    'src/store/src/index.ts': '// ours\n',
    'src/web/src/index.ts': shop['src/web/src/index.ts']!.replaceAll('\n', '\r\n'),
  };
  const lock = shop['stackyard.lock.json']!;
  git.commit(build('bob/store', '1.1.0', { base: 'src/store' }));
  git.commit(advisoryFile({ affected: affects('bob/store', '0', '1.1.0') }));
  const { url, index } = await serveRegistry(git);

  const host = await Organisation.start();
  host.push('shop', shop);
  host.push('edited', edited);
  host.push(
    'members',
    Object.fromEntries(Object.entries(shop).map(([path, text]) => [`packages/a b/${path}`, text])),
  );
  host.push('newer', {
    'stackyard.lock.json': lock.replace(/"lockVersion": \d+/, '"lockVersion": 99'),
  });
  host.push('by-hand', { 'stackyard.lock.json': '<<<<<<< ours\n' });
  host.push('elsewhere', {
    ...shop,
    'stackyard.lock.json': lock.replace(/"origin": "[^"]*"/, '"origin": "other.example"'),
  });
  host.push('plain', { 'README.md': '# Nothing\n', 'node_modules/x/stackyard.lock.json': lock });
  host.push('secret', shop);
  host.forbidden.add('secret');
  host.push('old', shop);
  host.repositories.set('old', { archived: true });
  host.repositories.set('new', { empty: true });
  host.push('bare', {});
  host.faults.push({ status: 429, headers: { 'retry-after': '0' } });

  const out = join(temporaryFolder(), 'fleet');
  const args = ['--source', host.source(), '--registry', url, '--also', 'sarif,cyclonedx'];
  const first = await runFleet(out, ...args);
  expect(first.status, first.stderr).toBe(1);
  const at = new URL(host.url).host;
  const name = (repository: string) => `${at}/acme/${repository}`;
  const states = Object.entries(first.fleet.repositories).map(([key, { state }]) => [
    key.split('/').at(-1),
    state,
  ]);
  expect(Object.fromEntries(states)).toEqual({
    bare: 'read',
    'by-hand': 'read',
    edited: 'read',
    elsewhere: 'read',
    members: 'read',
    new: 'empty',
    newer: 'read',
    old: 'archived',
    plain: 'read',
    secret: 'forbidden',
    shop: 'read',
  });
  expect(JSON.stringify(first)).not.toContain(TOKEN);
  const rules = (project: string) =>
    first.fleet.findings
      .filter((one) => one.project === name(project))
      .map(({ rule, build: id }) => (id === undefined ? rule : `${rule} ${id}`))
      .sort();
  const usual = ['build-advisory bob/store', 'build-behind bob/store', 'project-unproven'];
  expect(rules('shop')).toEqual(usual);
  expect(rules('members/packages/a b')).toEqual(usual);
  expect(rules('edited')).toEqual([...usual, 'build-edited bob/store'].sort());
  expect(rules('newer')).toEqual(['lock-unreadable']);
  expect(rules('by-hand')).toEqual(['lock-unreadable']);
  expect(rules('elsewhere')).toEqual(['project-unproven']);
  expect(first.fleet.builds['bob/store']).toMatchObject({
    latest: '1.1.0',
    versions: { '1.0.0': 4 },
  });
  expect(first.fleet.history).toMatchObject([
    {
      projects: 6,
      with: { 'build-advisory': 3, 'build-behind': 3, 'build-edited': 1, 'lock-unreadable': 2 },
    },
  ]);
  expect(statSync(out).mode & 0o077).toBe(0);
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain(
    '1.0.0 <span class="faint">× 4</span>',
  );
  const sarif = JSON.parse(readFileSync(join(out, 'fleet.sarif'), 'utf8')) as {
    runs: { results: object[] }[];
  };
  expect(sarif.runs[0]!.results).toHaveLength(first.fleet.findings.length);
  const bill = JSON.parse(readFileSync(join(out, 'fleet.cdx.json'), 'utf8')) as {
    vulnerabilities: { affects: object[] }[];
  };
  expect(bill.vulnerabilities[0]!.affects).toHaveLength(3);

  // Only what has another commit is fetched; what is forbidden now stays as it was.
  host.gitAsked.length = 0;
  host.push('edited', shop);
  host.forbidden.add('shop');
  const second = await runFleet(out, ...args);
  const asked = Map.groupBy(host.gitAsked, (one) => one);
  expect(asked.get('members')).toHaveLength(2);
  expect(asked.get('edited')!.length).toBeGreaterThan(4);
  expect(second.fleet.repositories[name('shop')]).toMatchObject({
    state: 'forbidden',
    projects: [{ path: '' }],
  });
  expect(second.fleet.history).toMatchObject([{ projects: 6, with: { 'build-edited': 0 } }]);

  // An index is public: nothing of an inventory goes there.
  const refused = await runFleet(index, ...args);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain('ERR_OUT_FOLDER');
});
