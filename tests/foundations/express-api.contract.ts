/**
 * Black-box checks of an installed starter in TypeScript: the server runs as a process and receives requests over HTTP.
 * Titles name the rows of the starters' behaviour table. Call `describeNodeStarter` in a test file.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../tools/free-port.ts';
import { askUntilRefused } from './ask-until-refused.ts';
import { sendAll } from './raw-requests.ts';
import { runServer, startServer, until } from './server-process.ts';
import type { Command, ServerProcess } from './server-process.ts';
import type { ErrorBody } from './starter-answers.ts';
import { SECRET, parseLines, readErrorOf } from './starter-answers.ts';
import { addProbe, copyProject, hideDevelopmentPackages, readJson } from './starter-project.ts';

const run = promisify(execFile);

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** What differs between the starters. */
export interface NodeStarter {
  readonly id: string;
  /** Of answers in JSON. */
  readonly jsonType: string;
  /** A feature that fails in every way, added the way a user adds one. */
  readonly probeRouter: string;
}

/** Runs the checks on the project in the folder that `project` gives: installed, with its packages. */
export function describeNodeStarter(starter: NodeStarter, project: () => string): void {
  const { id, jsonType, probeRouter } = starter;
  const readError = (response: Response, status?: number, code?: string): Promise<ErrorBody> =>
    readErrorOf(jsonType, response, status, code);

  describe(`${id} in production`, () => {
    let copy: string;
    let server: ServerProcess;
    const started: ServerProcess[] = [];

    beforeAll(async () => {
      copy = await copyProject(project());
      await addProbe(copy, probeRouter);
      const tsc = join(copy, 'node_modules/typescript/bin/tsc');
      await run(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: copy });
      await hideDevelopmentPackages(copy, project());
      server = await start({ NODE_ENV: 'production' });
    }, 120_000);

    afterAll(async () => {
      await Promise.all(started.map((one) => one.stop()));
      await rm(copy, { recursive: true, force: true });
    });

    /** The built server, on a free port, without packages for development. */
    async function start(env: Record<string, string>): Promise<ServerProcess> {
      const port = await findFreePort();
      const one = await startServer(built({ PORT: String(port), ...env }), port);
      started.push(one);
      return one;
    }

    function built(env: Record<string, string>): Command {
      return { file: process.execPath, args: ['dist/server.js'], cwd: copy, env };
    }

    function get(path: string, init?: RequestInit): Promise<Response> {
      return fetch(server.url + path, init);
    }

    test('the lines of requests that end together are written without a further request', async () => {
      for (let round = 0; round < 30; round++) {
        const paths = [1, 2, 3].map((each) => `/together-${round}-${each}`);
        await Promise.all(paths.map(async (path) => (await fetch(`${server.url}${path}`)).text()));
        const isWritten = (): boolean =>
          paths.every((path) => server.stdout().includes(`"${path}"`));
        await until(isWritten);
        expect(isWritten()).toBe(true);
      }
    });

    test('N20 an unexpected error reveals nothing and is logged once, with its stack', async () => {
      const response = await get('/probe/crash', { headers: { 'X-Request-Id': 'n20' } });
      expect(await readError(response, 500, 'internal')).toEqual({
        status: 500,
        code: 'internal',
        message: 'Internal Server Error',
        requestId: 'n20',
      });
      await until(() => server.stdout().includes('"n20"'));
      const lines = server.stdout().split('\n');
      const own = lines.filter((line) => line.includes(SECRET) && line.includes('/probe/crash'));
      expect(own).toHaveLength(1);
      expect(JSON.parse(own[0] ?? '')).toMatchObject({
        level: 50,
        req: { id: 'n20', url: '/probe/crash' },
        err: { message: SECRET, stack: expect.stringContaining('router.js:') },
      });
      expect(server.stderr()).toBe('');
    });

    test('N22 an error after the headers aborts the response, and the process keeps running', async () => {
      const broken = get('/probe/late').then((response) => response.text());
      await expect(broken).rejects.toThrow(TypeError);
      expect((await get('/health')).status).toBe(200);
      const line = await until(() => findLine(server, (entry) => entry.req?.url === '/probe/late'));
      expect(line).toMatchObject({ level: 50, err: { message: SECRET } });
      expect(server.stderr()).toBe('');
    });

    test('N25 each request is one JSON line, without secrets and query, and /health is none', async () => {
      const one = await start({ NODE_ENV: 'production' });
      const headers = { Authorization: `Bearer ${SECRET}`, Cookie: `session=${SECRET}` };
      for (const path of [`/example?search=${SECRET}`, '/nowhere', '/probe/text', '/health']) {
        await fetch(one.url + path, { headers: path === '/probe/text' ? {} : headers });
      }
      await until(() => findLine(one, (entry) => entry.req?.url === '/probe/text'));
      const lines = parseLines<LogEntry>(one).filter((entry) => entry.req !== undefined);
      expect(
        lines.map(({ level, req, res }) => [level, req?.method, req?.url, res?.statusCode]),
      ).toEqual([
        [30, 'GET', '/example', 200],
        [40, 'GET', '/nowhere', 404],
        [50, 'GET', '/probe/text', 500],
      ]);
      for (const line of lines)
        expect(line).toMatchObject({
          responseTime: expect.any(Number),
          req: { id: expect.stringMatching(UUID) },
        });
      expect(JSON.stringify(lines.slice(0, 2))).not.toContain(SECRET);
    });

    test('N27 a bad environment is named in full, without its values, and nothing listens', async () => {
      const env = {
        NODE_ENV: 'prod',
        PORT: SECRET,
        LOG_LEVEL: SECRET,
        BODY_LIMIT: SECRET,
        CORS_ORIGINS: SECRET,
      };
      const one = runServer(built(env), 0);
      expect(await one.exit).toEqual({ code: 1, signal: null });
      for (const name of Object.keys(env)) expect(one.stderr()).toContain(name);
      expect(one.stderr() + one.stdout()).not.toContain(SECRET);
      expect(one.stderr()).not.toMatch(/^\s+at /m);
      expect(one.stdout()).toBe('');
    });

    test('N27 problems of the settings of modules are in the same list', async () => {
      const one = runServer(built({ PORT: SECRET, PROBE: 'wrong' }), 0);
      expect(await one.exit).toEqual({ code: 1, signal: null });
      expect(one.stderr()).toMatch(
        /^Invalid environment variables:\n {2}PORT: .*\n {2}PROBE: Expected another word\n$/,
      );
      expect(one.stdout()).toBe('');
    });

    test('N28 a module that does not start ends the process, with a line of the log', async () => {
      const one = runServer(built({ PORT: '0', PROBE: 'fails' }), 0);
      expect(await one.exit).toEqual({ code: 1, signal: null });
      expect(one.stderr()).toBe('');
      expect(parseLines<LogEntry>(one)).toMatchObject([
        {
          level: 60,
          msg: 'Cannot start module "probe": no probe',
          err: { stack: expect.stringMatching(/caused by: Error: no probe/) },
        },
      ]);
    });

    test('N27 .env is loaded, the environment wins over it, and empty values count as absent', async () => {
      const port = await findFreePort();
      await writeFile(
        join(copy, '.env'),
        `PORT=1\nHOST=\nTRUST_PROXY=\nBODY_LIMIT="10b"\nLOG_LEVEL=silent\n`,
      );
      const one = await startServer(built({ PORT: String(port) }), port);
      await rm(join(copy, '.env'));
      started.push(one);
      const response = await fetch(`${one.url}/example`, {
        method: 'POST',
        body: '{"name":"abcdef"}',
        headers: { 'Content-Type': 'application/json' },
      });
      expect(response.status).toBe(413);
      expect(one.stdout() + one.stderr()).toBe('');
    });

    test('N28 a port in use ends the process with a plain message', async () => {
      const holder = createServer().listen(0);
      await new Promise((resolve) => holder.once('listening', resolve));
      const { port } = holder.address() as { port: number };
      const one = runServer(built({ PORT: String(port) }), port);
      expect(await one.exit).toEqual({ code: 1, signal: null });
      holder.close();
      expect(one.stderr()).toContain(`Cannot listen on port ${port}`);
      expect(one.stderr()).not.toMatch(/^\s+at /m);
    });

    test.each(['SIGTERM', 'SIGINT'] as const)(
      'N29 %s lets a running request finish, refuses new connections and exits 0',
      async (signal) => {
        const one = await start({});
        const { slow } = await running(one);
        const sent = Date.now();
        process.kill(one.pid, signal);
        await until(() => one.stdout().includes('shutting down'));
        // A connection of its own, until there is none.
        await expect.poll(() => ask(one.port, CLOSING).catch(codeOf)).toBe('ECONNREFUSED');
        expect(await (await slow).json()).toEqual({ slow: true });
        expect(await one.exit).toEqual({ code: 0, signal: null });
        // Less than SHUTDOWN_TIMEOUT_MS.
        expect(Date.now() - sent).toBeLessThan(9000);
      },
    );

    test('N29 the modules start in order before the first request and stop after the last one', async () => {
      const one = await start({});
      const { slow } = await running(one);
      process.kill(one.pid, 'SIGTERM');
      expect(await (await slow).json()).toEqual({ slow: true });
      await one.exit;
      const lines = parseLines<LogEntry>(one).map(({ msg }) => msg.replace(/ on port.*/, ''));
      expect(lines.filter((msg) => !msg.startsWith('GET /health'))).toEqual([
        'the probe starts',
        'listening',
        'shutting down after SIGTERM',
        'GET /probe/slow 200',
        'the probe stops',
      ]);
      expect(parseLines<object>(one)[0]).toMatchObject({ migrations: ['0001_probe'] });
    });

    test('N29 a request on an idle connection during a stop is answered, with "Connection: close"', async () => {
      const one = await start({ SHUTDOWN_DELAY_MS: '600' });
      const socket = connect(one.port, '127.0.0.1').setEncoding('utf8');
      let answers = '';
      socket.on('data', (text: string) => (answers += text));
      socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
      await until(() => answers.includes('{"status":"ok"}'));
      expect(answers).not.toMatch(/^connection: close/im);
      process.kill(one.pid, 'SIGTERM');
      await until(() => one.stdout().includes('shutting down'));
      answers = '';
      socket.write('GET /probe/ip HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'end');
      expect(answers).toMatch(/^HTTP\/1\.1 200 .*^connection: close\r$.*"ip"/ims);
      expect(await one.exit).toEqual({ code: 0, signal: null });
    });

    test.each(['0', '300'])(
      'N29 a stop breaks no request of 8 busy clients, with SHUTDOWN_DELAY_MS=%s',
      async (SHUTDOWN_DELAY_MS) => {
        const one = await start({ SHUTDOWN_DELAY_MS });
        const clients = Array.from({ length: 8 }, () => askUntilRefused(one.port));
        await new Promise((resolve) => setTimeout(resolve, 300));
        process.kill(one.pid, 'SIGTERM');
        const seen = await Promise.all(clients);
        expect(seen.flatMap(({ broken }) => broken)).toEqual([]);
        expect(seen.every(({ answers, closed }) => answers > 0 && closed > 0)).toBe(true);
        expect(await one.exit).toEqual({ code: 0, signal: null });
      },
    );

    test('N30 a half-sent request holds the shutdown no longer than SHUTDOWN_TIMEOUT_MS', async () => {
      const one = await start({ SHUTDOWN_TIMEOUT_MS: '500' });
      const socket = connect(one.port, '127.0.0.1').on('error', () => undefined);
      socket.write(
        'POST /example HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n',
      );
      // The server has the request when it asks for the body.
      await once(socket, 'data');
      const sent = Date.now();
      process.kill(one.pid, 'SIGTERM');
      expect(await one.exit).toEqual({ code: 0, signal: null });
      expect(Date.now() - sent).toBeGreaterThan(400);
      // The default is 10 seconds.
      expect(Date.now() - sent).toBeLessThan(9000);
      socket.destroy();
    });

    test('N30 a second signal ends the process at once', async () => {
      const one = await start({ SHUTDOWN_TIMEOUT_MS: '60000' });
      const slow = fetch(`${one.url}/probe/slow`).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 200));
      process.kill(one.pid, 'SIGTERM');
      await until(() => one.stdout().includes('shutting down'));
      const sent = Date.now();
      process.kill(one.pid, 'SIGTERM');
      await one.exit;
      expect(Date.now() - sent).toBeLessThan(500);
      await slow;
    });

    test('N31 the build runs in production without packages for development, with JSON logs', async () => {
      const manifest = await readJson(join(copy, 'package.json'));
      expect(manifest['devDependencies']).toHaveProperty('pino-pretty');
      await expect(readFile(join(copy, 'node_modules/pino-pretty/package.json'))).rejects.toThrow(
        'ENOENT',
      );
      expect(parseLines<LogEntry>(server).length).toBeGreaterThan(0);
    });

    test('N32 tests build applications in process: see test/app.test.ts of the project', async () => {
      const { stdout } = await run('npm', ['test'], { cwd: project() });
      expect(stripVTControlCharacters(stdout)).toMatch(/Test Files\s+8 passed/);
    });

    test('types check', async () => {
      const { stdout } = await run('npm', ['run', '--silent', 'typecheck'], { cwd: project() });
      expect(stdout).toBe('');
    });

    test('N49 every method and target that a socket can send gets an answer, and in JSON from the application', async () => {
      const answers = await sendAll(server.port);
      expect(answers.length).toBeGreaterThan(1500);
      const wrong = answers.filter(({ request, status, head }) => {
        if (!/^x-request-id: /im.test(head))
          return status !== 400 && !request.startsWith('CONNECT ');
        return status >= 500 || (status >= 400 && !/^content-type: application\/json/im.test(head));
      });
      expect(wrong).toEqual([]);
      expect((await get('/health')).status).toBe(200);
      expect(server.stderr()).toBe('');
    });

    test('N34 SHUTDOWN_DELAY_MS: /ready answers 503 and other requests go on, then the process ends', async () => {
      const one = await start({ SHUTDOWN_DELAY_MS: '1500' });
      process.kill(one.pid, 'SIGTERM');
      await until(() => one.stdout().includes('shutting down'));
      await readError(await fetch(`${one.url}/ready`), 503, 'draining');
      expect((await fetch(`${one.url}/health`)).status).toBe(200);
      expect(await one.exit).toEqual({ code: 0, signal: null });
    });

    test.each([
      ['reject', 'unhandled rejection'],
      ['throw', 'uncaught exception'],
    ])(
      'N35 /probe/%s, an %s, is logged; running requests finish and the exit status is 1',
      async (path, message) => {
        const one = await start({});
        const { slow } = await running(one);
        await fetch(`${one.url}/probe/${path}`).catch(() => undefined);
        expect(await (await slow).json()).toEqual({ slow: true });
        expect(await one.exit).toEqual({ code: 1, signal: null });
        expect(findLine(one, ({ level }) => level === 60)).toMatchObject({
          msg: message,
          err: { message: SECRET, stack: expect.stringContaining('router.js:') },
        });
        expect(one.stderr()).toBe('');
      },
    );

    test('N36 connections that are cut off at the end are counted in the log', async () => {
      const one = await start({ SHUTDOWN_TIMEOUT_MS: '300' });
      const slow = fetch(`${one.url}/probe/slow`).catch(() => 'cut');
      await new Promise((resolve) => setTimeout(resolve, 200));
      process.kill(one.pid, 'SIGTERM');
      expect(await one.exit).toEqual({ code: 0, signal: null });
      expect(await slow).toBe('cut');
      expect(findLine(one, ({ msg }) => msg.startsWith('cutting off'))).toMatchObject({
        level: 40,
        connections: 1,
      });
    });

    test('N37 KEEP_ALIVE_TIMEOUT_MS, HEADERS_TIMEOUT_MS and REQUEST_TIMEOUT_MS limit connections', async () => {
      const one = await start({
        KEEP_ALIVE_TIMEOUT_MS: '7000',
        HEADERS_TIMEOUT_MS: '400',
        REQUEST_TIMEOUT_MS: '800',
      });
      expect((await fetch(`${one.url}/health`)).headers.get('keep-alive')).toBe('timeout=7');
      for (const text of [
        'GET /health HTTP/1.1\r\nHost: x\r\n',
        'POST /example HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      ]) {
        expect(await ask(one.port, text)).toMatch(/^HTTP\/1\.1 408 /);
      }
      const wrong = runServer(built({ HEADERS_TIMEOUT_MS: '2000', REQUEST_TIMEOUT_MS: '1000' }), 0);
      expect(await wrong.exit).toEqual({ code: 1, signal: null });
      expect(wrong.stderr()).toContain('HEADERS_TIMEOUT_MS: Expected no more than');
    });

    test('N38 a request whose client leaves is logged as aborted, without a status', async () => {
      const one = await start({});
      await fetch(`${one.url}/probe/slow?n=38`, { signal: AbortSignal.timeout(700) }).catch(
        () => undefined,
      );
      const line = await until(() => findLine(one, (entry) => entry.req?.url === '/probe/slow'));
      expect(line).toMatchObject({
        level: 40,
        aborted: true,
        msg: 'GET /probe/slow aborted',
        req: { remoteAddress: expect.stringContaining('127.0.0.1') },
      });
      expect(line).not.toHaveProperty('res');
    });

    test('N40 the log has the address of the client behind trusted proxies', async () => {
      const one = await start({ TRUST_PROXY: '1' });
      await fetch(`${one.url}/example`, { headers: { 'X-Forwarded-For': '9.9.9.9, 8.8.8.8' } });
      const line = await until(() => findLine(one, (entry) => entry.req?.url === '/example'));
      expect(line.req?.remoteAddress).toBe('8.8.8.8');
    });

    test('N47 npm start has source maps: stacks name the sources', async () => {
      const { scripts } = (await readJson(join(copy, 'package.json'))) as {
        scripts: { start: string };
      };
      const [program, ...args] = scripts.start.split(' ');
      expect(program).toBe('node');
      const port = await findFreePort();
      const command = { ...built({ PORT: String(port) }), args };
      const one = await startServer(command, port);
      started.push(one);
      await fetch(`${one.url}/probe/crash`);
      const line = await until(() => findLine(one, (entry) => entry.req?.url === '/probe/crash'));
      expect(line.err).toMatchObject({ stack: expect.stringMatching(/probe\/router\.ts:\d+/) });
    });

    test('N48 an error of the server after it listens is logged, and it goes on', async () => {
      const one = await start({});
      expect((await fetch(`${one.url}/probe/server-error`)).status).toBe(200);
      const line = await until(() => findLine(one, ({ err }) => err?.message === SECRET));
      expect(line.level).toBe(50);
      expect((await fetch(`${one.url}/health`)).status).toBe(200);
      expect(one.stderr()).toBe('');
    });
  });
}

interface LogEntry {
  readonly level: number;
  readonly msg: string;
  readonly req?: { id: string; method: string; url: string; remoteAddress: string };
  readonly res?: { statusCode: number };
  readonly err?: { message: string };
  readonly aborted?: boolean;
}

function findLine(
  server: ServerProcess,
  isWanted: (entry: LogEntry) => boolean,
): LogEntry | undefined {
  return parseLines<LogEntry>(server).find(isWanted);
}

/** A request that the server has and has not answered. */
async function running(one: ServerProcess): Promise<{ slow: Promise<Response> }> {
  const slow = fetch(`${one.url}/probe/slow`);
  await new Promise((resolve) => setTimeout(resolve, 200));
  return { slow };
}

const CLOSING = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** Sends raw text and returns the raw response, once the server has closed the connection. */
async function ask(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}
