/** A real Gitea with its runner, built from their modules by Go, on this machine: the API, git and Actions; it has no pages. */
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);

/** Both are exact, and Go checks them against its database of digests. */
const GITEA = 'code.gitea.io/gitea@v1.26.0';
const RUNNER = 'gitea.com/gitea/runner@v1.0.8';
/** Of the runner: jobs run on this machine, in folders of their own. */
export const RUNNER_LABEL = 'stackyard';

/** Compiled once; the folder is kept outside of the repository. */
function cacheFolder(): string {
  return process.env['STACKYARD_HOST_CACHE'] ?? join(homedir(), '.cache/stackyard-host');
}

/** @throws {Error} where Go is missing: this test is not skipped */
async function provideBinary(name: string, module: string, tags: string): Promise<string> {
  const file = join(cacheFolder(), 'bin', `${name}-${module.split('@')[1]}`);
  if (existsSync(file)) return file;
  const env = { ...process.env, GOFLAGS: '-buildvcs=false', GOPATH: join(cacheFolder(), 'go') };
  const { Dir: from } = await downloadModule(module);
  const source = sourceFolder(name);
  // Modules are read-only where Go keeps them, and one with replacements cannot be installed by its name.
  if (!existsSync(source)) {
    cpSync(from, source, { recursive: true });
    execFileSync('chmod', ['-R', 'u+w', source]);
  }
  await run('go', ['build', '-tags', tags, '-o', file, '.'], { cwd: source, env, maxBuffer: 1e8 });
  return file;
}

async function downloadModule(module: string): Promise<{ Dir: string }> {
  const folder = join(cacheFolder(), 'empty');
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, GOPATH: join(cacheFolder(), 'go') };
  const { stdout } = await run('go', ['mod', 'download', '-json', module], { cwd: folder, env });
  return JSON.parse(stdout) as { Dir: string };
}

function sourceFolder(name: string): string {
  return join(cacheFolder(), `${name}-src`);
}

export interface Account {
  readonly login: string;
  readonly id: number;
  readonly token: string;
}

export class GiteaServer {
  readonly url: string;
  readonly database: string;
  readonly #folder: string;
  readonly #binary: string;
  readonly #env: Record<string, string | undefined>;

  private constructor(folder: string, binary: string, port: number) {
    this.#folder = folder;
    this.#binary = binary;
    this.url = `http://127.0.0.1:${port}`;
    this.database = join(folder, 'gitea.db');
    this.#env = { ...process.env, GITEA_WORK_DIR: folder, GITEA_CUSTOM: join(folder, 'custom') };
  }

  static async start(folder: string, port: number): Promise<GiteaServer> {
    const binary = await provideBinary('gitea', GITEA, 'sqlite sqlite_unlock_notify');
    const server = new GiteaServer(folder, binary, port);
    const file = join(folder, 'custom/conf/app.ini');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, server.#configuration(port));
    server.#spawn('gitea', binary, ['web'], server.#env);
    for (;;) {
      const answer = await fetch(`${server.url}/api/v1/version`).catch(() => undefined);
      if (answer?.ok === true) return server;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  #configuration(port: number): string {
    return `WORK_PATH = ${this.#folder}
RUN_USER = ${process.env['USER'] ?? execFileSync('id', ['-un'], { encoding: 'utf8' }).trim()}
I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = ${this.url}/
DISABLE_SSH = true
OFFLINE_MODE = true
STATIC_ROOT_PATH = ${sourceFolder('gitea')}
[database]
DB_TYPE = sqlite3
PATH = ${this.database}
[repository]
ROOT = ${this.#folder}/repositories
[security]
INSTALL_LOCK = true
[actions]
ENABLED = true
[log]
MODE = file
LEVEL = warn
`;
  }

  #spawn(
    name: string,
    file: string,
    args: string[],
    env: object,
    cwd = this.#folder,
  ): ChildProcess {
    const out = openSync(join(this.#folder, `${name}.log`), 'a');
    const options = { cwd, env: env as NodeJS.ProcessEnv, stdio: ['ignore', out, out] as const };
    const child = spawn(file, args, { ...options, stdio: ['ignore', out, out] });
    onTestFinished(() => void child.kill());
    return child;
  }

  async account(login: string, isAdmin = false): Promise<Account> {
    const user = ['--username', login, '--password', `pw-${login}-123`];
    const more = ['--email', `${login}@host.example`, '--must-change-password=false'];
    const admin = isAdmin ? ['--admin'] : [];
    const options = { env: this.#env as NodeJS.ProcessEnv };
    await run(this.#binary, ['admin', 'user', 'create', ...user, ...more, ...admin], options);
    const make = ['admin', 'user', 'generate-access-token', '--username', login];
    const scopes = ['--scopes', 'all', '--token-name', 'test', '--raw'];
    const { stdout } = await run(this.#binary, [...make, ...scopes], options);
    const token = stdout.trim().split('\n').at(-1) ?? '';
    const { id } = await this.api<{ id: number }>(token, 'GET', '/user');
    return { login, id, token };
  }

  /** @throws {Error} for an answer that is no success */
  async api<T>(token: string, method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** Starts a runner of a repository, which runs jobs on this machine. @param path of programs for the jobs */
  async startRunner(token: string, repository: string, path: string): Promise<void> {
    const binary = await provideBinary('runner', RUNNER, '');
    const place = `/repos/${repository}/actions/runners/registration-token`;
    const { token: registration } = await this.api<{ token: string }>(token, 'POST', place);
    const cwd = join(this.#folder, 'runner');
    mkdirSync(cwd, { recursive: true });
    const { HOME, npm_config_cache: cache } = process.env;
    const env = { PATH: path, HOME, npm_config_cache: cache, npm_config_prefer_offline: 'true' };
    const named = ['--name', 'one', '--labels', `${RUNNER_LABEL}:host`];
    const args = ['register', '--no-interactive', '--instance', this.url, '--token', registration];
    await run(binary, [...args, ...named], { cwd, env });
    this.#spawn('runner', binary, ['daemon'], env, cwd);
  }
}
