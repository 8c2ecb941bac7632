/** The commands of docs/operate.md: each one in a registry to which that happened, with the real programs, and with a client that knows the log. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { GitFixture, build, temporaryFolder, type Files } from '../generate/git-fixture.ts';
import { readHead, readTree } from '../generate/index-reader.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/operate.md'), 'utf8');
const run = promisify(execFile);
const UNTRUSTED = 'The transparency log cannot be trusted';

/** The commands below a heading; `before` are those of a healthy registry. */
function commandsOf(heading: string, kind: 'run' | 'before' = 'run'): string {
  const section = PAGE.split(/^### /m).find((one) => one.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(/^```sh (run|before)\n([^]*?)^```$/gm)];
  const script = blocks.flatMap(([, of, commands]) => (of === kind ? [commands] : [])).join('');
  expect(script, heading).not.toBe('');
  return script;
}

/** A signed registry that is deployed to a folder and served, and a project whose client has seen its log. */
class Operated {
  readonly folder = temporaryFolder();
  readonly git = new GitFixture(join(this.folder, 'registry'));
  readonly www = join(this.folder, 'www');
  #env: NodeJS.ProcessEnv = {};
  #address = '';

  static async open(): Promise<Operated> {
    const one = new Operated();
    const bin = join(one.folder, 'bin');
    for (const [name, main] of [
      ['stackyard-registry', 'generator/main.ts'],
      ['stackyard', 'client/main.ts'],
    ] as const) {
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, name), `#!/bin/sh\nexec node ${join(ROOT, main)} "$@"\n`);
      chmodSync(join(bin, name), 0o755);
    }
    one.#address = await serve(one.www);
    one.#env = {
      ...process.env,
      PATH: `${bin}:${process.env['PATH']}`,
      HOME: one.folder,
      STACKYARD_STATE: join(one.folder, 'state'),
      STACKYARD_CACHE: join(one.folder, 'cache'),
      STACKYARD_LOG_KEY: '',
      GIT_AUTHOR_NAME: 'Admin',
      GIT_AUTHOR_EMAIL: 'admin@example.org',
      GIT_COMMITTER_NAME: 'Admin',
      GIT_COMMITTER_EMAIL: 'admin@example.org',
      ADDRESS: one.#address,
      STACKYARD_REGISTRY: one.#address,
      TARGET: `file:${one.www}`,
    };
    const key = await run(
      'stackyard-registry',
      ['log:key', '--name', `${new URL(one.#address).host}/log`],
      {
        env: one.#env,
      },
    );
    writeFileSync(join(one.folder, 'log.key'), key.stdout);
    const log = { key: key.stderr.trim().split('\n').at(-1) };
    const admins = [{ login: 'alice', account_id: 123 }];
    const config = { base_url: one.#address, site: false, admins, log };
    const text = JSON.stringify(config, null, 2);
    one.git.commit({ ...build('bob/web', '1.0.0'), 'registry.config.json': text });
    one.git.commit({ ...build('bob/web', '1.1.0'), 'builds/bob/owner.json': '{"account_id":7}\n' });
    await one.publish();
    mkdirSync(join(one.folder, 'app'));
    writeFileSync(join(one.folder, 'app/package.json'), '{"name":"app","private":true}\n');
    await one.stackyard('add', 'bob/web@1.0.0', '--no-install', '--allow', 'all');
    return one;
  }

  /** Generates and deploys with the key of the log, as always. */
  publish(): Promise<string> {
    return this.sh(
      'STACKYARD_LOG_KEY="$(cat ../log.key)" stackyard-registry generate\nstackyard-registry deploy "$TARGET"',
    );
  }

  /** @throws {Error} with what the commands printed, where one fails */
  async sh(script: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
    const options = { cwd: this.git.folder, env: { ...this.#env, ...variables } };
    // The client is not part of these tests, and takes the most time of a run.
    const quick = script.replaceAll(/(stackyard-registry generate)/g, '$1 --no-client');
    return (await run('sh', ['-eu', '-c', quick], options)).stdout;
  }

  /** Runs the client in the project. @returns what it printed @throws {Error} where it fails */
  async stackyard(...args: readonly string[]): Promise<string> {
    const options = { cwd: join(this.folder, 'app'), env: this.#env };
    const ended = await run('stackyard', [...args, '--yes'], options);
    return ended.stdout + ended.stderr;
  }

  /** What users do after the registry has moved. */
  moveTo(address: string): void {
    this.#env = { ...this.#env, STACKYARD_REGISTRY: address };
  }
}

/** The client must go on without a question about the log. */
async function expectTrusted(registry: Operated): Promise<void> {
  expect(await registry.stackyard('outdated').catch(outputOf)).not.toContain(UNTRUSTED);
  expect(await registry.stackyard('info', 'bob/web')).toContain('1.0.0');
}

function outputOf(error: unknown): string {
  const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
  return stdout + stderr;
}

async function serve(folder: string): Promise<string> {
  const server: Server = createServer((request, response) => {
    const file = join(folder, decodeURIComponent(new URL(request.url ?? '', 'http://a').pathname));
    if (existsSync(file)) response.end(readFileSync(file));
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What the gate says of a change by an account: of commands, or of files on a branch of their own. */
async function judge(
  registry: Operated,
  change: Files | string,
  login: string,
  id: number,
): Promise<string> {
  const { git } = registry;
  git.git('checkout', '-q', '-B', 'web', 'main');
  if (typeof change === 'string') await registry.sh(change);
  else {
    git.write(change);
    git.gitAll(['add', 'builds', 'registry.config.json'], ['commit', '-q', '-m', 'Change']);
  }
  git.git('checkout', '-q', 'main');
  const account = `--author ${login} --author-id ${id}`;
  return registry.sh(`stackyard-registry gate --base main --head web ${account}`).catch(outputOf);
}

function land({ git }: Operated): void {
  git.git('merge', '-q', '--no-ff', '-m', 'Merge', 'web');
}

it('an admin joins, may change builds of others after another look, and leaves', async () => {
  const registry = await Operated.open();
  const update = build('bob/web', '1.2.0');
  const config = readFileSync(join(registry.git.folder, 'registry.config.json'), 'utf8');
  expect(await judge(registry, update, 'dora', 9)).toContain('gate-owner-foreign');
  const joins = await judge(registry, commandsOf('An admin joins or leaves'), 'alice', 123);
  expect(joins).toContain('review  gate-no-build');
  land(registry);
  expect(await judge(registry, update, 'dora', 9)).toContain('review  gate-admin ');
  const leaves = await judge(registry, { 'registry.config.json': config }, 'alice', 123);
  expect(leaves).toContain('review  gate-no-build');
  land(registry);
  expect(await judge(registry, update, 'dora', 9)).toContain('refuse  gate-owner-foreign');
});

it('an owner is renamed, leaves builds to a maintainer, and one goes to another owner', async () => {
  const registry = await Operated.open();
  const update = build('bob/web', '1.2.0');
  expect(await judge(registry, update, 'bob', 99)).toContain('refuse  gate-owner-account');
  const renamed = await registry.sh(commandsOf('An owner is renamed'));
  expect(renamed).toContain('review  gate-owner-renamed');

  const leaves = commandsOf('An owner leaves');
  expect(await judge(registry, leaves, 'bob', 7)).toContain('review  gate-maintainers');
  expect(await judge(registry, leaves, 'alice', 123)).toContain('review  gate-maintainers');
  land(registry);
  expect(await judge(registry, update, 'carol', 8)).not.toMatch(/gate-(?:owner|maintainer)/);

  const accepts = { account_id: 8, accepts: { web: 'bob/web' } };
  const file = { 'builds/carol/owner.json': JSON.stringify(accepts) };
  await judge(registry, { ...build('carol/web', '1.1.0'), ...file }, 'carol', 8);
  land(registry);
  const moves = await judge(registry, commandsOf('A build goes to another owner'), 'bob', 7);
  expect(moves).toContain('review  gate-move ');
  land(registry);
  await registry.publish();
  const updated = await registry.stackyard('update', '--no-install', '--allow', 'all');
  expect(updated).toContain('carol/web');
});

it('a key rotates, and clients that know the old one go on, then with the new one alone', async () => {
  const registry = await Operated.open();
  await registry.sh(commandsOf('The key rotates'));
  await expectTrusted(registry);
  registry.git.commit(build('bob/web', '1.2.0'));
  await registry.sh(
    'export STACKYARD_LOG_KEY="$(cat ../new.key)"\nstackyard-registry generate\nstackyard-registry deploy "$TARGET"',
  );
  await expectTrusted(registry);
  expect(await registry.stackyard('verify')).not.toContain('unproved');
});

it('software is upgraded over what the version before wrote, and rolled back', async () => {
  const registry = await Operated.open();
  const [state, inventory] = ['.index.state.sqlite', '.deploy/inventory.json'];
  const write = (version: number, number: number, format: number): void => {
    const db = new Database(join(registry.git.folder, state));
    db.pragma(`user_version = ${version}`);
    db.close();
    for (const folder of [registry.www, join(registry.git.folder, 'index')]) {
      const file = join(folder, 'registry.json');
      const info = JSON.parse(readFileSync(file, 'utf8')) as object;
      writeFileSync(file, JSON.stringify({ ...info, interface: number }));
    }
    writeFileSync(join(registry.www, inventory), JSON.stringify({ inventory: { format } }));
  };
  write(1, 1, 1);
  registry.git.commit(build('bob/web', '1.2.0'));
  await registry.publish();
  await expectTrusted(registry);

  write(10_000, 9, 9);
  registry.git.commit(build('bob/web', '1.3.0'));
  const key = 'export STACKYARD_LOG_KEY="$(cat ../log.key)"\n';
  expect(await registry.publish().catch(outputOf)).toContain('[ERR_STATE_NEWER]');
  const deploy = registry.sh(`${key}stackyard-registry deploy "$TARGET"`);
  expect(await deploy.catch(outputOf)).toContain('[ERR_DEPLOY_INDEX]');
  rmSync(join(registry.git.folder, state));
  expect(await registry.publish().catch(outputOf)).toContain('[ERR_DEPLOY_TARGET]');
  await registry.sh(key + commandsOf('The software is upgraded, or rolled back'));
  await expectTrusted(registry);
  expect(await registry.stackyard('info', 'bob/web')).toContain('1.3.0');
});

it('a state that went out without the key is signed again, and clients go on', async () => {
  const registry = await Operated.open();
  // As software did that knew no configured key.
  await registry.sh('stackyard-registry generate --unsigned\ncp -r index/. ../www');
  const refused = await registry.stackyard('info', 'bob/web').catch(outputOf);
  expect(refused).toContain(`error: ${UNTRUSTED}`);
  registry.git.commit(build('bob/web', '1.2.0'));
  await registry.sh(commandsOf('A run went out without the key, or with a new key alone'));
  await expectTrusted(registry);
  expect(await registry.stackyard('info', 'bob/web')).toContain('1.2.0');
});

it('a lost key is replaced: clients refuse the log until their users state the new key', async () => {
  const registry = await Operated.open();
  rmSync(join(registry.folder, 'log.key'));
  await registry.sh(commandsOf('The key is lost, or leaked'));
  expect(await registry.stackyard('info', 'bob/web').catch(outputOf)).toContain(UNTRUSTED);
  const key = readFileSync(join(registry.folder, 'new.pub'), 'utf8').trim().split('\n').at(-1)!;
  const address = JSON.parse(
    readFileSync(join(registry.git.folder, 'registry.config.json'), 'utf8'),
  ) as { base_url: string };
  expect(statSync(join(registry.folder, 'new.key')).mode & 0o777).toBe(0o600);
  await registry.stackyard('registry', 'add', 'default', address.base_url, '--key', key);
  await expectTrusted(registry);
  expect(await registry.stackyard('verify')).not.toContain('unproved');
});

it('a lost index is made again with the same bytes, from a clone and the key', async () => {
  const registry = await Operated.open();
  const origin = join(registry.folder, 'origin.git');
  await registry.sh(
    `git clone -q --bare . ../origin.git\ngit remote add origin ../origin.git\n${commandsOf('Back up and restore', 'before')}`,
  );
  const before = readTree(registry.www);
  rmSync(registry.www, { recursive: true });
  await registry.sh(
    `git clone -q "${origin}" ../fresh\ncd ../fresh\n${commandsOf('Back up and restore')}`,
  );
  const served = (tree: Readonly<Record<string, string>>): object =>
    Object.fromEntries(Object.entries(tree).filter(([path]) => !path.startsWith('.deploy/')));
  expect(served(readTree(registry.www))).toEqual(served(before));
  await expectTrusted(registry);
});

it('a version is taken down: its content is gone from the host, and clients state why', async () => {
  const registry = await Operated.open();
  const tarball = 'builds/bob/web/1.1.0.tgz';
  registry.git.commit(build('bob/web', '1.2.0'));
  await registry.publish();
  expect(Object.keys(readTree(registry.www))).toContain(tarball);
  await registry.sh(commandsOf('Take something down'));
  expect(Object.keys(readTree(registry.www))).not.toContain(tarball);
  const stated = await registry.stackyard('info', 'bob/web@1.1.0').catch(outputOf);
  expect(stated).toContain('Court order');
  await expectTrusted(registry);
});

it('versions of a publisher who was taken over are yanked', async () => {
  const registry = await Operated.open();
  await registry.sh(
    `export STACKYARD_LOG_KEY="$(cat ../log.key)"\n${commandsOf('A publisher is compromised')}`,
  );
  expect(await registry.stackyard('info', 'bob/web@1.1.0')).toContain('taken over');
  const yanked = readHead(registry.www, 'bob/web').versions.filter(
    ({ status }) => status.is === 'yanked',
  );
  expect(yanked.map(({ version }) => version)).toEqual(['1.1.0']);
  expect(await registry.stackyard('info', 'bob/web')).toContain('1.1.0 (yanked)');
});

it('a deployment to a full host fails with what is served whole, and goes on when there is room', async () => {
  const registry = await Operated.open();
  registry.git.commit(build('bob/web', '1.2.0', {}, { 'src/large.ts': largeFile() }));
  const before = readTree(registry.www);
  const key = 'export STACKYARD_LOG_KEY="$(cat ../log.key)"\n';
  await registry.sh(`${key}stackyard-registry generate`);
  // No file may be larger than 64 KiB, as where there is no room for more.
  const full = `(ulimit -f 128; ${commandsOf('The host is full').trim()})`;
  const failed = await registry.sh(key + full).then(
    () => '',
    (error: unknown) => outputOf(error),
  );
  expect(failed).toMatch(/\[ERR_[A-Z_]+\]/);
  for (const [path, text] of Object.entries(before)) {
    if (path.startsWith('heads/')) expect(readTree(registry.www)[path]).toBe(text);
  }
  await expectTrusted(registry);
  await registry.sh(key + commandsOf('The host is full'));
  expect(await registry.stackyard('info', 'bob/web')).toContain('1.2.0');
});

it('a registry that moves keeps its name, its log and the trust of its clients', async () => {
  const registry = await Operated.open();
  const place = join(registry.folder, 'moved');
  const address = await serve(place);
  await registry.sh(
    `export STACKYARD_LOG_KEY="$(cat ../log.key)"\n${commandsOf('The registry moves to another host')}`,
    { NEW_ADDRESS: address, NEW_TARGET: `file:${place}` },
  );
  registry.moveTo(address);
  await expectTrusted(registry);
  expect(await registry.stackyard('verify')).not.toContain('unproved');
});

it('every runbook of the page has a test', () => {
  const [, runbooks = ''] = PAGE.split('## When something happened');
  const headings = [...(runbooks.split(/^## /m)[0] ?? '').matchAll(/^### (.+)$/gm)];
  const tests = readFileSync(import.meta.filename, 'utf8');
  for (const [, heading = ''] of headings) expect(tests).toContain(`commandsOf('${heading}'`);
});

/** Text that compresses badly, so that its tarball is larger than the limit. */
function largeFile(): string {
  let seed = 1;
  const words = Array.from({ length: 30_000 }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed.toString(36);
  });
  return `export const words = \`${words.join(' ')}\`;\n`;
}
