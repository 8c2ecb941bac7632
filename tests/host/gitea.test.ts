/**
 * `npm run test:host`: the very workflows that `init` writes, at a real Gitea with a real runner. It fails where Go is missing.
 * `STACKYARD_HOST_LOG` names a file for the log of the run.
 */
import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { formBody } from '../publish/form-fixture.ts';
import { runCommand, runCommandProcess } from '../run/generator-command.ts';
import { packRegistry } from '../ship/packed-registry.ts';
import { GiteaServer, RUNNER_LABEL, type Account } from './gitea-server.ts';

const PORT = 3987;
const REPOSITORY = 'alice/registry';
/** With which the host of the index lets people read. */
const READER = 'r3ad3r-of-the-registry';
const started = Date.now();
let commands = 0;

/** One line of what happened, for people. */
function note(text: string): void {
  const line = `${((Date.now() - started) / 1000).toFixed(0).padStart(5)} s  ${text}\n`;
  const file = process.env['STACKYARD_HOST_LOG'];
  if (file !== undefined) appendFileSync(file, line);
}

/** What an operator types. */
function typed(text: string): void {
  commands += 1;
  note(`$ ${text}`);
}

function git(folder: string, ...args: string[]): string {
  const who = ['-c', 'user.name=x', '-c', 'user.email=x@host.example'];
  return execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
}

interface Run {
  readonly id: number;
  readonly path: string;
  readonly status: string;
  readonly conclusion: string | null;
  readonly event: string;
}

/** The repository of a registry, with what its owner and its publishers do. */
class Registry {
  readonly server: GiteaServer;
  readonly alice: Account;
  readonly #seen = new Set<number>();

  constructor(server: GiteaServer, alice: Account) {
    this.server = server;
    this.alice = alice;
  }

  get<T>(path: string): Promise<T> {
    return this.server.api<T>(this.alice.token, 'GET', `/repos/${REPOSITORY}${path}`);
  }

  send<T>(method: string, path: string, body?: object): Promise<T> {
    return this.server.api<T>(this.alice.token, method, `/repos/${REPOSITORY}${path}`, body);
  }

  address(account: Account, repository = REPOSITORY): string {
    return `${this.server.url.replace('//', `//${account.login}:${account.token}@`)}/${repository}.git`;
  }

  /** Waits for the next run of a workflow to end. */
  async ran(workflow: string): Promise<string> {
    for (;;) {
      const { workflow_runs: runs } = await this.get<{ workflow_runs: Run[] }>(
        '/actions/runs?limit=50',
      );
      const ended = runs.filter(({ id, path, status }) => {
        return path.startsWith(`${workflow}.yml`) && status === 'completed' && !this.#seen.has(id);
      });
      const found = ended.at(-1);
      // A run counts as failed at its first failed job, while others of it have not begun.
      const jobs = found === undefined ? [] : await this.#jobs(found.id);
      const isEnded = jobs.every(({ status }) => status === 'completed');
      if (found !== undefined && isEnded) {
        this.#seen.add(found.id);
        note(`  ${workflow}.yml (${found.event}): ${found.conclusion}`);
        if (found.conclusion !== 'success') note(await this.logs(found.id));
        return found.conclusion ?? '';
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  async #jobs(run: number): Promise<{ id: number; name: string; status: string }[]> {
    type Jobs = { jobs: { id: number; name: string; status: string }[] };
    return (await this.get<Jobs>(`/actions/runs/${run}/jobs`)).jobs;
  }

  async logs(run: number): Promise<string> {
    const texts = (await this.#jobs(run)).map(async ({ id, name }) => {
      const headers = { authorization: `token ${this.alice.token}` };
      const url = `${this.server.url}/api/v1/repos/${REPOSITORY}/actions/jobs/${id}/logs`;
      const text = await (await fetch(url, { headers })).text();
      return `--- ${name}\n${text.split('\n').slice(-60).join('\n')}`;
    });
    return (await Promise.all(texts)).join('\n');
  }

  /** Opens a pull request from a fork of `publisher`. @returns its number and head */
  async propose(
    publisher: Account,
    branch: string,
    files: Readonly<Record<string, string>>,
  ): Promise<{ number: number; head: { sha: string } }> {
    const folder = join(temporaryFolder(), branch);
    git('.', 'clone', '-q', this.address(publisher), folder);
    git(folder, 'checkout', '-q', '-b', branch);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    git(folder, 'add', '-A');
    git(folder, 'commit', '-q', '-m', branch);
    git(folder, 'push', '-q', this.address(publisher, `${publisher.login}/registry`), branch);
    const pull = { title: branch, head: `${publisher.login}:${branch}`, base: 'main' };
    note(`${publisher.login} opens a pull request from a fork: ${branch}`);
    const path = `/repos/${REPOSITORY}/pulls`;
    return this.server.api(publisher.token, 'POST', path, pull);
  }

  pull(number: number): Promise<{ state: string; merged: boolean; labels: { name: string }[] }> {
    return this.get(`/pulls/${number}`);
  }

  async comments(number: number): Promise<string[]> {
    const all = await this.get<{ body: string }[]>(`/issues/${number}/comments`);
    return all.map(({ body }) => body);
  }
}

function files(owner: Account, name: string, version: string): Record<string, string> {
  const manifest = {
    name,
    version,
    kind: 'module',
    description: 'Serves pages of text to people',
    license: 'MIT',
    base: `src/${name}`,
  };
  const folder = `builds/${owner.login}/${name}`;
  return {
    [`builds/${owner.login}/owner.json`]: `{ "account_id": ${owner.id} }\n`,
    [`${folder}/stackyard.json`]: `${JSON.stringify(manifest, null, 2)}\n`,
    [`${folder}/LICENSE`]: 'MIT License\n',
    [`${folder}/README.md`]: `# ${name}\n\nServes pages of text.\n`,
    [`${folder}/src/page.ts`]: `export const page = '${version}';\n`,
  };
}

/** A server of the folder to which the index is deployed, which asks for the token of the registry. */
async function serve(folder: string): Promise<string> {
  const server = createServer((request, response) => {
    const file = join(folder, new URL(request.url ?? '/', 'http://x').pathname);
    const isKnown = request.headers.authorization === `Bearer ${READER}`;
    const isThere = existsSync(file) && !file.endsWith('/');
    response.writeHead(isKnown ? (isThere ? 200 : 404) : 401);
    response.end(isKnown && isThere ? readFileSync(file) : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What `doctor` prints, which has to end with `status`. */
async function doctor(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  status = 0,
): Promise<string> {
  typed(`stackyard-registry doctor ${args.join(' ')}`);
  const ended = await runCommand('doctor', args, env);
  note(ended.stdout + ended.stderr);
  expect(ended.status).toBe(status);
  return ended.stdout;
}

it('a private registry at Gitea: from an empty folder to published, judged, waiting, reported builds', async () => {
  const folder = temporaryFolder();
  const server = await GiteaServer.start(join(folder, 'gitea'), PORT);
  note('Gitea answers');
  const alice = await server.account('alice', true);
  const [bob, carol] = [await server.account('bob'), await server.account('carol')];
  const registry = new Registry(server, alice);
  const [www, own] = [join(folder, 'www'), join(folder, 'registry')];
  mkdirSync(www);
  const address = await serve(www);
  const software = await packRegistry();
  note('the package is packed');
  const begun = Date.now();

  // The repository and the key.
  const options = [
    '--admin',
    `alice:${alice.id}`,
    '--base-url',
    address,
    '--origin',
    'registry.host.example',
    '--auth',
    'bearer',
  ];
  const args = [
    own,
    ...options,
    '--host',
    'gitea',
    '--runner',
    RUNNER_LABEL,
    '--software',
    software,
  ];
  typed(`stackyard-registry init ${args.join(' ')}`);
  expect(await runCommand('init', args)).toMatchObject({ status: 0 });
  typed('(umask 077; stackyard-registry log:key > log.key)');
  const key = await runCommandProcess('log:key', '--name', 'registry.host.example/log');
  const [publicKey = ''] = /\S+\+[0-9a-f]{8}\+\S+/.exec(key.stderr) ?? [];
  const file = join(own, 'registry.config.json');
  const config = JSON.parse(readFileSync(file, 'utf8')) as object;
  const waits = { waiting_hours: { 'gate-new-name': 24, 'gate-first-build': 24 } };
  writeFileSync(
    file,
    `${JSON.stringify({ ...config, ...waits, log: { key: publicKey } }, null, 2)}\n`,
  );
  typed('git commit -am "Name the key of the log"');
  git(own, 'config', 'user.name', 'alice');
  git(own, 'config', 'user.email', 'alice@host.example');
  git(own, 'commit', '-q', '-a', '-m', 'Name the key of the log');
  typed('curl .../user/repos: an empty private repository; git remote add, git push');
  const made = { name: 'registry', default_branch: 'main', private: true };
  await server.api(alice.token, 'POST', '/user/repos', made);
  git(own, 'remote', 'add', 'origin', registry.address(alice));
  typed('gitea-runner register, gitea-runner daemon');
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
  await server.startRunner(alice.token, REPOSITORY, path);
  git(own, 'push', '-q', '-u', 'origin', 'main');
  // Nothing is set up yet.
  expect(await registry.ran('deploy')).toBe('failure');

  // The settings of the code host, which doctor names and a person makes.
  const env = { STACKYARD_HOST_TOKEN: alice.token, STACKYARD_LOG_KEY: key.stdout.trim() };
  const healthy = ['--published', address, '--repo', own];
  const reads = { ...env, STACKYARD_HEADERS: `${address} Authorization: Bearer ${READER}` };
  const bare = await doctor(healthy, reads, 1);
  expect(bare).toContain('secret STACKYARD_TOKEN: it is missing; to do: set it to a token');
  const gate = await server.account('gate');
  typed('an account for the gate; secrets, variables, a rule of main, manual merges');
  const secrets = { ...reads, STACKYARD_TOKEN: gate.token };
  for (const name of ['STACKYARD_LOG_KEY', 'STACKYARD_TOKEN', 'STACKYARD_HEADERS'] as const) {
    await registry.send('PUT', `/actions/secrets/${name}`, { data: secrets[name] });
  }
  for (const [name, value] of Object.entries({ BASE_URL: address, BUCKET: `file:${www}` })) {
    await registry.send('POST', `/actions/variables/${name}`, { value });
  }
  await registry.send('PUT', '/collaborators/gate', { permission: 'write' });
  await registry.send('POST', '/branch_protections', {
    rule_name: 'main',
    enable_push: true,
    enable_push_whitelist: true,
    push_whitelist_usernames: ['gate'],
  });
  const merges = { allow_manual_merge: true, autodetect_manual_merge: true };
  await registry.send('PATCH', '', { has_pull_requests: true, ...merges });
  await registry.send('POST', '/actions/workflows/deploy.yml/dispatches', { ref: 'main' });

  // The first deployment: an empty index, and the labels that people and forms set.
  expect(await registry.ran('deploy')).toBe('success');
  expect(JSON.parse(readFileSync(join(www, 'registry.json'), 'utf8'))).toMatchObject({
    builds: 0,
    auth: { scheme: 'bearer' },
  });
  const templates = await registry.get<{ name: string; labels: string[] }[]>('/issue_templates');
  expect(
    templates
      .map(({ labels: set }) => set)
      .flat()
      .sort(),
  ).toEqual(['appeal', 'flag', 'report']);
  const well = await doctor(healthy, reads);
  expect(well).not.toMatch(/^(?!ok|$)/m);
  for (const secret of [alice.token, gate.token, key.stdout.trim(), READER]) {
    expect(bare + well).not.toContain(secret);
  }
  note(
    `set up, with an empty index, after ${((Date.now() - begun) / 60_000).toFixed(1)} minutes, ${commands} commands`,
  );
  for (const { login } of [bob, carol]) {
    await registry.send('PUT', `/collaborators/${login}`, { permission: 'read' });
  }

  // Settings that a person changes by hand.
  await registry.send('PATCH', '/branch_protections/main', {
    push_whitelist_usernames: ['alice', 'gate'],
  });
  await registry.send('DELETE', '/actions/variables/BASE_URL');
  await registry.send('PATCH', '', { has_pull_requests: true, allow_manual_merge: false });
  const ill = await doctor(healthy, reads, 1);
  expect(ill).toContain('protection of main: pushes: alice, gate');
  expect(ill).toContain('variable BASE_URL: it is missing');
  expect(ill).toContain('manual merges');
  await registry.send('PATCH', '/branch_protections/main', { push_whitelist_usernames: ['gate'] });
  await registry.send('POST', '/actions/variables/BASE_URL', { value: address });
  await registry.send('PATCH', '', { has_pull_requests: true, ...merges });
  await doctor(healthy, reads);

  // A pull request of a fork, which an admin approves.
  await server.api(bob.token, 'POST', `/repos/${REPOSITORY}/forks`, {});
  const first = await registry.propose(bob, 'web', files(bob, 'web', '1.0.0'));
  expect(await registry.ran('publish')).toBe('success');
  const [comment = '', ...others] = await registry.comments(first.number);
  expect([comment.split('\n')[1], others]).toEqual(['## An admin looks at this pull request', []]);
  const approval = { pull: String(first.number), approved_head: first.head.sha };
  typed(
    `curl .../actions/workflows/publish.yml/dispatches with approved_head ${first.head.sha.slice(0, 12)}`,
  );
  await registry.send('POST', '/actions/workflows/publish.yml/dispatches', {
    ref: 'main',
    inputs: approval,
  });
  expect(await registry.ran('publish')).toBe('success');
  expect(await registry.pull(first.number)).toMatchObject({ state: 'closed', merged: true });
  expect((await registry.comments(first.number))[0]).toContain(
    '## The gate merged this pull request',
  );
  expect(await registry.ran('deploy')).toBe('success');
  expect(existsSync(join(www, 'builds/bob/web/1.0.0.tgz'))).toBe(true);
  note('bob/web 1.0.0 is deployed');

  // One that the gate merges itself.
  const second = await registry.propose(bob, 'web-1.1', files(bob, 'web', '1.1.0'));
  expect(await registry.ran('publish')).toBe('success');
  expect(await registry.pull(second.number)).toMatchObject({ merged: true });
  expect(await registry.ran('deploy')).toBe('success');
  expect(existsSync(join(www, 'builds/bob/web/1.1.0.tgz'))).toBe(true);
  note('bob/web 1.1.0 is deployed');

  // A stranger's version of the build of another account.
  await server.api(carol.token, 'POST', `/repos/${REPOSITORY}/forks`, {});
  const bad = await registry.propose(carol, 'stolen', {
    'builds/bob/web/src/page.ts': 'evil();\n',
  });
  expect(await registry.ran('publish')).toBe('failure');
  expect((await registry.comments(bad.number))[0]).toContain('cannot be merged as it is');
  expect((await registry.pull(bad.number)).labels.map(({ name }) => name)).toEqual([
    'gate: refuse',
  ]);

  // One that waits: the clock of the host goes on by a day.
  const third = await registry.propose(bob, 'shop', files(bob, 'shop', '1.0.0'));
  expect(await registry.ran('publish')).toBe('success');
  const waiting = (await registry.pull(third.number)).labels.map(({ name }) => name);
  expect(waiting).toEqual(expect.arrayContaining(['gate: waiting', 'version: bob/shop@1.0.0']));
  const database = new DatabaseSync(server.database);
  database.exec('UPDATE commit_status SET created_unix = created_unix - 90000');
  database.close();
  typed('curl .../actions/workflows/waiting.yml/dispatches (its timer does that each hour)');
  await registry.send('POST', '/actions/workflows/waiting.yml/dispatches', { ref: 'main' });
  expect(await registry.ran('waiting')).toBe('success');
  expect(await registry.ran('publish')).toBe('success');
  expect(await registry.pull(third.number)).toMatchObject({ merged: true });
  expect(await registry.ran('deploy')).toBe('success');
  note('bob/shop 1.0.0 is merged after its time');

  // A report with the form.
  const document = readFileSync(join(www, 'builds/bob/web/1.1.0.json'), 'utf8');
  const { integrity } = JSON.parse(document) as { integrity: string };
  expect(integrity).toMatch(/^sha256-/);
  const body = formBody(integrity, { Build: 'bob/web', Version: '1.1.0' });
  const issue = { title: 'Report: bob/web', body };
  const filed = await server.api<{ number: number }>(
    carol.token,
    'POST',
    `/repos/${REPOSITORY}/issues`,
    issue,
  );
  note('carol opens an issue with the form for reports');
  expect(await registry.ran('signals')).toBe('success');
  const answered = await registry.get<{ state: string; labels: { name: string }[] }>(
    `/issues/${filed.number}`,
  );
  const [answer = ''] = await registry.comments(filed.number);
  note(answer);
  expect(answer).toContain('Filed as <code>reports/bob/web/1.1.0/');
  expect([answered.state, answered.labels.map(({ name }) => name).sort()]).toEqual([
    'closed',
    ['report', 'signal: filed'],
  ]);
  const reports = await registry.get<{ name: string }[]>('/contents/reports/bob/web/1.1.0');
  expect(reports).toHaveLength(1);

  // An admin takes a version down; its content leaves the host with the next deployment.
  const tarball = join(www, 'builds/bob/web/1.0.0.tgz');
  expect(existsSync(tarball)).toBe(true);
  git(own, 'pull', '-q', registry.address(alice), 'main');
  typed(
    'stackyard-registry take-down bob/web@1.0.0 --reason "Court order" --reference "12 O 34/26"',
  );
  const why = ['--reason', 'Court order', '--reference', '12 O 34/26'];
  expect(await runCommand('take-down', ['bob/web@1.0.0', '--repo', own, ...why])).toMatchObject({
    status: 0,
  });
  typed('git commit -am "Take down bob/web 1.0.0" && git push');
  git(own, 'commit', '-q', '-a', '-m', 'Take down bob/web 1.0.0');
  // Alice may not push to main any more: the account of the gate does.
  git(own, 'push', '-q', registry.address(gate), 'HEAD:main');
  // The run for the report before may wait still: then this one takes its place.
  let deployment = await registry.ran('deploy');
  if (deployment === 'cancelled') deployment = await registry.ran('deploy');
  expect(deployment).toBe('success');
  expect(existsSync(tarball)).toBe(false);
  note('bob/web 1.0.0 is gone from the host');

  await doctor(healthy, reads);

  // A project installs what is published, with the credential of npm alone.
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  for (const one of [home, project]) mkdirSync(one);
  writeFileSync(join(home, '.npmrc'), `${address.replace('http:', '')}/:_authToken=${READER}\n`, {
    mode: 0o600,
  });
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(project, 'tsconfig.json'), '{}\n');
  const npx = `npx --yes ${address}/client/stackyard.tgz add bob/web --yes --no-install`;
  typed(npx);
  const { npm_config_cache: cache } = process.env;
  const client = { HOME: home, PATH: path, npm_config_cache: cache };
  const [program = '', ...given] = npx.split(' ');
  // This process serves the registry meanwhile.
  await promisify(execFile)(program, given, { cwd: project, env: client });
  expect(readFileSync(join(project, 'src/web/src/page.ts'), 'utf8')).toContain('1.1.0');
  const minutes = ((Date.now() - begun) / 60_000).toFixed(1);
  note(`done: ${minutes} minutes, ${commands} commands`);
});
