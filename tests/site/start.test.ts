/** The programs `npm start` and `npm run dev`: port, progress, signals, memory. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAIN = join(ROOT, 'generator/main.ts');

interface Started {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** The address in the line that begins with `text`. */
  readonly addressIn: (text: string) => Promise<string>;
}

function start(command: string, args: readonly string[], variables = {}): Started {
  const env = { ...process.env, ...variables };
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const addressIn = async (text: string): Promise<string> => {
    await expect.poll(() => output).toMatch(new RegExp(`${text}.*\n`));
    return new RegExp(`${text}.*(http:\\S+)`).exec(output)![1]!;
  };
  return { child, output: () => output, addressIn };
}

function repository(): { repo: string; out: string } {
  const git = new GitFixture();
  git.commit(build('a/web', '1.0.0'));
  return { repo: git.folder, out: join(temporaryFolder(), 'index') };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

it.each(['serve', 'dev'])('%s refuses a busy port before it generates', async (command) => {
  const { repo, out } = repository();
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const place = command === 'serve' ? ['--out', out] : [];
  const args = [MAIN, command, '--repo', repo, ...place, '--port', String(port)];
  const { child, output } = start(process.execPath, args);
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(output()).toBe(
    `error: Port ${port} of this machine is in use [ERR_PORT_IN_USE]\n` +
      'hint: choose another one with --port\n',
  );
  expect(existsSync(out)).toBe(false);
});

it('npm start prints how far it is, serves in little memory, and ends with npm', async () => {
  const { repo, out } = repository();
  const port = await freePort();
  // Git waits for the file, so that there is time to look.
  const folder = temporaryFolder();
  const [go, git] = [join(folder, 'go'), join(folder, 'git')];
  const path = process.env['PATH'] ?? '';
  const wait = `until [ -e '${go}' ]; do sleep 0.05; done`;
  writeFileSync(git, `#!/bin/sh\n${wait}\nPATH='${path}' exec git "$@"\n`);
  chmodSync(git, 0o755);
  const args = ['start', '--', '--repo', repo, '--out', out, '--port', String(port)];
  const { child, output, addressIn } = start('npm', args, { PATH: `${folder}:${path}` });
  const address = await addressIn('Generating the index for');
  expect(address).toBe(`http://127.0.0.1:${port}`);
  await expect.poll(output).toContain('opening the repository\n');
  const waiting = await fetch(`${address}/builds/a/web/`);
  expect([waiting.status, waiting.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await waiting.text()).toMatch(
    /<p>Now: (?:starting the generator|opening the repository)\./,
  );

  writeFileSync(go, '');
  await addressIn('Serving the index on');
  expect(output()).toMatch(
    /opening the repository\nreading commits: 0 of 1\nbuilding the client\nwriting documents\nmaking pages of builds: 0 of 1\npublishing the index\nbuilds: 1, versions: 1;.*\nServing/,
  );
  const page = await fetch(`${address}/builds/a/web/`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('a/web')]);
  const server = serverOf(child.pid!);
  const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server}/status`, 'utf8'))!;
  expect(Number(peak)).toBeLessThan(150_000);

  child.kill('SIGTERM');
  await once(child, 'close');
  await expect.poll(() => existsSync(`/proc/${server}`)).toBe(false);
  await expect(fetch(address)).rejects.toThrow('fetch failed');
});

it('npm start ends its generator with it', async () => {
  const { repo, out } = repository();
  const folder = temporaryFolder();
  const git = join(folder, 'git');
  writeFileSync(git, '#!/bin/sh\nwhile kill -0 $PPID; do sleep 0.2; done\n');
  chmodSync(git, 0o755);
  const args = ['start', '--', '--repo', repo, '--out', out, '--port', '0'];
  const PATH = `${folder}:${process.env['PATH']}`;
  const { child, output } = start('npm', args, { PATH });
  await expect.poll(output).toContain('opening the repository\n');
  const server = serverOf(child.pid!);
  const [generator] = childrenOf(server);
  expect(generator).toBeDefined();
  child.kill('SIGTERM');
  await once(child, 'close');
  await expect.poll(() => existsSync(`/proc/${generator}`)).toBe(false);
});

/** npm starts it by a shell, which becomes it. */
function serverOf(npm: number): number {
  const [server, ...others] = childrenOf(npm);
  expect([server === undefined, others]).toEqual([false, []]);
  expect(readFileSync(`/proc/${server}/cmdline`, 'utf8')).toContain('\0serve\0');
  return server!;
}

function childrenOf(process: number): number[] {
  const text = readFileSync(`/proc/${process}/task/${process}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}
