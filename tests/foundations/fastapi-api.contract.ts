/**
 * Black-box checks of an installed stackyard/fastapi-api: the server runs as a process and receives requests over
 * HTTP. Titles name the rows of the starters' behaviour table. Call `describeFastapiApi` in a test file.
 */
import { execFile } from 'node:child_process';
import { readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../tools/free-port.ts';
import type { LogEntry } from './fastapi-probe.ts';
import { ORIGIN, copyWithProbe, findLine } from './fastapi-probe.ts';
import { runServer, startServer, until } from './server-process.ts';
import type { Command, ServerProcess } from './server-process.ts';
import type { ErrorBody } from './starter-answers.ts';
import { SECRET, parseLines, readErrorOf } from './starter-answers.ts';

const run = promisify(execFile);
const JSON_HEADERS = { 'Content-Type': 'application/json' };

/** Runs the checks on the project in the folder that `project` gives: installed, with its `.venv`. */
export function describeFastapiApi(project: () => string): void {
  describe('stackyard/fastapi-api', () => {
    let copy: string;
    let python: string;
    let server: ServerProcess;
    const started: ServerProcess[] = [];

    beforeAll(async () => {
      python = join(project(), '.venv/bin/python');
      copy = await copyWithProbe(project());
      // For `./dev`, which starts the Python of its own folder.
      await symlink(join(project(), '.venv'), join(copy, '.venv'));
      server = await start({});
    }, 60_000);

    afterAll(async () => {
      await Promise.all(started.map((one) => one.stop()));
      await rm(copy, { recursive: true, force: true });
    });

    /** The server as in production, on a free port. */
    async function start(env: Record<string, string>): Promise<ServerProcess> {
      const port = await findFreePort();
      const one = await startServer(command(['-m', 'app'], { PORT: String(port), ...env }), port);
      started.push(one);
      return one;
    }

    function command(args: readonly string[], env: Record<string, string>): Command {
      return { file: python, args, cwd: copy, env: { PYTHONDONTWRITEBYTECODE: '1', ...env } };
    }

    function get(path: string, init?: RequestInit): Promise<Response> {
      return fetch(server.url + path, init);
    }

    function post(
      body: NonNullable<RequestInit['body']>,
      headers: Record<string, string> = JSON_HEADERS,
    ): Promise<Response> {
      const init = { method: 'POST', body, headers, duplex: 'half' } as const;
      return fetch(`${server.url}/example`, init);
    }

    test('P13 an unexpected error reveals nothing, has the CORS header and is logged once', async () => {
      const one = await start({ CORS_ORIGINS: ORIGIN });
      const headers = { Origin: ORIGIN, 'X-Request-Id': 'p13' };
      const response = await fetch(`${one.url}/probe/crash`, { headers });
      expect(await readError(response, 500, 'internal')).toEqual({
        status: 500,
        code: 'internal',
        message: 'Internal Server Error',
        requestId: 'p13',
      });
      expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
      await until(() => findLine(one, (entry) => entry.url === '/probe/crash'));
      const logged = parseLines<LogEntry>(one).filter((entry) => entry.exception !== undefined);
      expect(logged).toHaveLength(1);
      expect(logged[0]).toMatchObject({
        level: 'error',
        requestId: 'p13',
        exception: expect.stringMatching(/^Traceback[^]*RuntimeError: probe-secret$/),
      });
      expect(one.stderr()).toBe('');
    });

    test('P13 an error after the headers aborts the response, and the process keeps running', async () => {
      const broken = get('/probe/late').then((response) => response.text());
      await expect(broken).rejects.toThrow(TypeError);
      expect((await get('/health')).status).toBe(200);
    });

    test('P15 each request is one JSON line, without secrets, and /health is none', async () => {
      const one = await start({});
      const headers = { Authorization: `Bearer ${SECRET}`, Cookie: `session=${SECRET}` };
      for (const path of ['/example?page=1', '/nowhere', '/health'])
        await fetch(one.url + path, { headers });
      await fetch(`${one.url}/probe/teapot`);
      await until(() => findLine(one, (entry) => entry.url === '/probe/teapot'));
      const lines = parseLines<LogEntry>(one).filter((entry) => entry.url !== undefined);
      expect(lines.map(({ level, method, url, status }) => [level, method, url, status])).toEqual([
        ['info', 'GET', '/example', 200],
        ['warning', 'GET', '/nowhere', 404],
        ['warning', 'GET', '/probe/teapot', 418],
      ]);
      expect(one.stdout()).not.toContain(SECRET);
    });

    test('P16 a body over the limit answers 413, announced or streamed', async () => {
      const large = JSON.stringify({ name: 'a'.repeat(5_000_000) });
      const error = await readError(await post(large), 413, 'payload_too_large');
      expect(error.message).toBe('Payload Too Large');
      const streamed = new Blob(['{"name":"', 'a'.repeat(200_000), '"}']).stream();
      expect(await readError(await post(streamed))).toMatchObject({
        status: 413,
        code: 'payload_too_large',
      });
      const one = await start({ MAX_BODY_BYTES: '10' });
      const small = await fetch(`${one.url}/example`, {
        method: 'POST',
        body: '{"name":"abc"}',
        headers: JSON_HEADERS,
      });
      expect(await readError(small)).toMatchObject({ status: 413, code: 'payload_too_large' });
    });

    test.each([
      ['SIGTERM', { code: null, signal: 'SIGTERM' }],
      ['SIGINT', { code: 0, signal: null }],
    ] as const)(
      'P17 %s lets a running request finish and refuses new connections',
      async (signal, exit) => {
        const one = await start({});
        const slow = fetch(`${one.url}/probe/slow?seconds=1.5`);
        await new Promise((resolve) => setTimeout(resolve, 300));
        process.kill(one.pid, signal);
        await until(() => one.stdout().includes('Shutting down'));
        await expect(fetch(`${one.url}/health`)).rejects.toThrow(TypeError);
        expect(await (await slow).json()).toEqual({ slow: true });
        expect(await one.exit).toEqual(exit);
      },
    );

    test('P18 SHUTDOWN_TIMEOUT_SECONDS bounds the wait for running requests', async () => {
      const one = await start({ SHUTDOWN_TIMEOUT_SECONDS: '1' });
      const slow = fetch(`${one.url}/probe/slow?seconds=30`).then(
        (response) => response.status,
        () => 'broken off',
      );
      await new Promise((resolve) => setTimeout(resolve, 300));
      const sent = Date.now();
      process.kill(one.pid, 'SIGTERM');
      await one.exit;
      expect(Date.now() - sent).toBeLessThan(4000);
      expect([500, 'broken off']).toContain(await slow);
    });

    test.each([
      ['python -m app', ['-m', 'app']],
      ['uvicorn', ['-m', 'uvicorn', 'app.main:app']],
    ])('P19 bad settings end %s, named in full, without their values', async (_name, args) => {
      const env = { PORT: SECRET, LOG_LEVEL: SECRET, MAX_BODY_BYTES: SECRET, CORS_ORIGINS: SECRET };
      const one = runServer(command(args, env), 0);
      const { code } = await one.exit;
      expect(code).toBeGreaterThan(0);
      for (const name of Object.keys(env)) expect(one.stderr()).toContain(`${name}: `);
      expect(one.stderr() + one.stdout()).not.toContain(SECRET);
      expect(one.stderr()).not.toContain('Traceback');
    });

    test('P19 .env is loaded, the environment wins over it, and empty values count as absent', async () => {
      await writeFile(join(copy, '.env'), 'PORT=1\nHOST=\nMAX_BODY_BYTES="10"\nOTHER=1\n');
      const one = await start({});
      await rm(join(copy, '.env'));
      const response = await fetch(`${one.url}/example`, {
        method: 'POST',
        body: '{"name":"abc"}',
        headers: JSON_HEADERS,
      });
      expect(response.status).toBe(413);
    });

    test('P20 pytest passes, with warnings as errors', async () => {
      const { stdout } = await run(
        python,
        ['-m', 'pytest', '-q', '-W', 'error', '-p', 'no:cacheprovider'],
        {
          cwd: project(),
        },
      );
      expect(stdout).toMatch(/\d+ passed/);
      expect(await readFile(join(project(), 'pyproject.toml'), 'utf8')).toContain(
        'filterwarnings = ["error"]',
      );
    }, 60_000);

    test('ruff reports no problem', async () => {
      const check = await run(python, ['-m', 'ruff', 'check', '--no-cache', '.'], {
        cwd: project(),
      });
      expect(check.stdout).toContain('All checks passed');
      await run(python, ['-m', 'ruff', 'format', '--no-cache', '--check', '.'], { cwd: project() });
    });

    test.each(['by rename', 'in place'])(
      './dev serves each of six changes %s',
      async (how) => {
        const port = await findFreePort();
        const file = join(copy, 'app/health.py');
        const text = await readFile(file, 'utf8');
        const dev = {
          file: './dev',
          args: [],
          cwd: copy,
          env: { PORT: String(port) },
          isGroup: true,
        };
        const one = await startServer(dev, port);
        const read = async () => (await fetch(`${one.url}/health`).catch(() => undefined))?.text();
        for (let change = 1; change <= 6; change += 1) {
          const edited = text.replace('"status": "ok"', `"status": "${change}"`);
          if (how === 'in place') await writeFile(file, edited);
          else {
            await writeFile(`${file}.new`, edited);
            await rename(`${file}.new`, file);
          }
          await expect.poll(read, { timeout: 20_000 }).toBe(`{"status":"${change}"}`);
        }
        await writeFile(file, text);
        await one.stop();
      },
      240_000,
    );
  });
}

const readError = (response: Response, status?: number, code?: string): Promise<ErrorBody> =>
  readErrorOf('application/json', response, status, code);
