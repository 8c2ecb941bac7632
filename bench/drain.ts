/**
 * Stops a server under load and counts the requests that break: the server of the command, on the port `$PORT`.
 *
 *     node bench/drain.ts -- node dist/server.js                    10 stops under 8 busy clients
 *     node bench/drain.ts --nginx -- node dist/server.js            8 rolling restarts of two processes behind nginx
 *     node bench/drain.ts --request 'GET /health' --request 'POST /example {"name":"{n}"}' -- node dist/server.js
 *
 * `$PORT` in the command is replaced, and is in its environment with `HOST=127.0.0.1`; the rest of the environment is passed on.
 * There is no shell in between: SIGTERM goes to the command itself. It has started when `--started` (`/health`) answers 200.
 *
 * A client sends its next request when it has the answer to the one before, on the same connection, until an answer has
 * `Connection: close`. A request is broken when its connection was made and no complete answer came. A refused
 * connection is none: the client knows that nothing was sent, and ends. `--nginx` uses the configuration of
 * docs/hosting.md; there a failure is an answer with a status from 500 on, or no answer. Exits with status 1 when a request broke or failed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findFreePort } from '../tools/free-port.ts';

const { values, positionals: command } = parseArgs({
  options: {
    nginx: { type: 'boolean', default: false },
    clients: { type: 'string', default: '8' },
    stops: { type: 'string', default: '10' },
    restarts: { type: 'string', default: '8' },
    answers: { type: 'string', default: '15000' },
    request: { type: 'string', multiple: true, default: ['GET /health'] },
    started: { type: 'string', default: '/health' },
  },
  allowPositionals: true,
});
if (command.length === 0) {
  console.error('error: Cannot stop a server: the command that starts it is missing');
  console.error('hint: node bench/drain.ts -- node dist/server.js');
  process.exit(2);
}

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 30_000;
const HEADING = '## nginx in front of two processes';

/** What clients have seen. */
class Counts {
  readonly byStatus = new Map<string, number>();
  /** By the code of the error. */
  readonly broken = new Map<string, number>();
  /** Answers to requests that began after an answer with `Connection: close`, and have none. */
  keptAlive = 0;
  isClosing = false;

  get answers(): number {
    return total(this.byStatus);
  }
}

const children = new Set<ChildProcess>();
let number = 0;
try {
  process.exitCode = values.nginx ? await restartBehindNginx() : await stopOften();
} finally {
  for (const child of children) child.kill('SIGKILL');
}

async function stopOften(): Promise<number> {
  let broken = 0;
  let keptAlive = 0;
  for (let stop = 1; stop <= Number(values.stops); stop++) {
    const port = await findFreePort();
    const server = await start(port);
    const counts = new Counts();
    const clients = Array.from({ length: Number(values.clients) }, () => ask(port, counts, isDown));
    // Not always at the same place of the load.
    await sleep(300 + stop * 17);
    const began = performance.now();
    const { code, signal } = await end(server);
    const took = performance.now() - began;
    await Promise.all(clients);
    const status = signal ?? `status ${code}`;
    console.log(
      `stop ${stop}: ${list(counts.byStatus)}; broken: ${list(counts.broken)}; ended with ${status} in ${took.toFixed(0)} ms`,
    );
    broken += total(counts.broken);
    keptAlive += counts.keptAlive;
  }
  console.log(`${broken} broken requests in ${values.stops} stops under ${values.clients} clients`);
  console.log(`${keptAlive} answers without "Connection: close" after the first one that has it`);
  return broken === 0 ? 0 : 1;
}

async function restartBehindNginx(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-drain-'));
  try {
    const ports = [await findFreePort(), await findFreePort()];
    const servers = [await start(ports[0]!), await start(ports[1]!)];
    const port = await findFreePort();
    await startNginx(folder, port, ports);
    const counts = new Counts();
    let isDone = false;
    const clients = Array.from({ length: Number(values.clients) }, () => {
      return ask(port, counts, () => isDone);
    });
    for (let restart = 0; restart < Number(values.restarts); restart++) {
      await sleep(500);
      await end(servers[restart % 2]!);
      servers[restart % 2] = await start(ports[restart % 2]!);
    }
    while (counts.answers + total(counts.broken) < Number(values.answers)) await sleep(100);
    isDone = true;
    await Promise.all(clients);
    const failed = [...counts.byStatus].filter(([status]) => Number(status) >= 500);
    const failures = total(new Map(failed)) + total(counts.broken);
    console.log(`answers by status: ${list(counts.byStatus)}; broken: ${list(counts.broken)}`);
    console.log(
      `${failures} failures of ${counts.answers} answers in ${values.restarts} rolling restarts`,
    );
    return failures === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One client, until `isEnd` is true for the error of a request, or for an answer (`undefined`). */
async function ask(
  port: number,
  counts: Counts,
  isEnd: (code: string | undefined) => boolean,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let code: string | undefined;
  do {
    const wasClosing = counts.isClosing;
    try {
      const { statusCode, headers } = await send(agent, port);
      code = undefined;
      add(counts.byStatus, String(statusCode));
      if (headers.connection === 'close') counts.isClosing = true;
      else if (wasClosing) counts.keptAlive++;
    } catch (error) {
      code = (error as NodeJS.ErrnoException).code ?? String(error);
      if (!isDown(code)) add(counts.broken, code);
      else if (values.nginx) throw error;
    }
  } while (!isEnd(code));
  agent.destroy();
}

function isDown(code: string | undefined): boolean {
  return code === 'ECONNREFUSED';
}

function send(agent: Agent, port: number): Promise<IncomingMessage> {
  const template = values.request[number % values.request.length] ?? '';
  const [method = '', path = '', ...rest] = template.replace('{n}', String(++number)).split(' ');
  const body = rest.join(' ');
  const headers = body === '' ? {} : { 'Content-Type': 'application/json' };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request({ host: '127.0.0.1', port, method, path, agent, headers }, (answer) => {
    answer.on('error', reject).on('end', () => resolve(answer));
    answer.resume();
  });
  sent.on('error', reject).end(body);
  return promise;
}

async function start(port: number): Promise<ChildProcess> {
  const [file = '', ...args] = command.map((word) => word.replaceAll('$PORT', String(port)));
  const env = { ...process.env, PORT: String(port), HOST: '127.0.0.1' };
  const child = spawn(file, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  await waitFor(child, `http://127.0.0.1:${port}${values.started}`);
  return child;
}

async function end(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  const ended = once(child, 'exit', { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) });
  child.kill('SIGTERM');
  const [code, signal] = (await ended) as [number | null, string | null];
  return { code, signal };
}

async function startNginx(folder: string, port: number, ports: readonly number[]): Promise<void> {
  const guide = readFileSync(join(import.meta.dirname, '../docs/hosting.md'), 'utf8');
  const block = /```nginx\n([\s\S]*?)```/.exec(guide.slice(guide.indexOf(HEADING)))?.[1] ?? '';
  const site = block
    .replace('127.0.0.1:3001', `127.0.0.1:${ports[0]}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${ports[1]}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`);
  mkdirSync(join(folder, 'temporary'));
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/temporary/${name};`,
  );
  const log = `access_log off; ${paths.join(' ')}`;
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http { ${log}
${site} }\n`,
  );
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` },
    stdio: 'inherit',
  });
  children.add(child);
  // It takes its worker along on SIGTERM only.
  child.kill = () => process.kill(child.pid ?? 0, 'SIGTERM');
  await waitFor(child, `http://127.0.0.1:${port}${values.started}`);
}

async function waitFor(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(url, { headers: { Connection: 'close' } }).catch(() => undefined);
    if (answer?.ok === true) return;
    await sleep(50);
  }
  throw new Error(`"${child.spawnargs.join(' ')}" did not start`);
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function list(counts: ReadonlyMap<string, number>): string {
  const texts = [...counts].map(([name, count]) => `${name} x ${count}`);
  return texts.join(', ') || 'none';
}
