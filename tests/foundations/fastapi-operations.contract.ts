/**
 * Black-box checks of how an installed stackyard/fastapi-api is operated: probes, proxies, settings, types, container.
 * Titles continue the rows of fastapi-api.contract.ts. Call `describeFastapiOperations` in a test file.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { findFreePort } from '../../tools/free-port.ts';
import { askUntilRefused } from './ask-until-refused.ts';
import type { LogEntry } from './fastapi-probe.ts';
import { copyWithProbe, findLine } from './fastapi-probe.ts';
import { sendAll } from './raw-requests.ts';
import { runServer, startServer, until } from './server-process.ts';
import type { Command, ServerProcess } from './server-process.ts';
import { SECRET, parseLines, readErrorOf } from './starter-answers.ts';

const run = promisify(execFile);

const JSON_TYPE = 'application/json';
/** More than the 40 threads in which FastAPI runs `def` functions. */
const BLOCKING_REQUESTS = 45;

/** Runs the checks on the project in the folder that `project` gives: installed, with its `.venv` and CI files. */
export function describeFastapiOperations(project: () => string): void {
  describe('stackyard/fastapi-api in operation', () => {
    let copy: string;
    let python: string;
    const started: ServerProcess[] = [];

    beforeAll(async () => {
      python = join(project(), '.venv/bin/python');
      copy = await copyWithProbe(project());
    }, 60_000);

    afterAll(async () => {
      await Promise.all(started.map((one) => one.stop()));
      await rm(copy, { recursive: true, force: true });
    });

    function command(args: readonly string[], env: Record<string, string>, cwd = copy): Command {
      return { file: python, args, cwd, env: { PYTHONDONTWRITEBYTECODE: '1', ...env } };
    }

    /** The server as in production, on a free port. */
    async function start(env: Record<string, string>, cwd = copy): Promise<ServerProcess> {
      const port = await findFreePort();
      const given = { PORT: String(port), PYTHONPATH: copy, ...env };
      const one = await startServer(command(['-m', 'app'], given, cwd), port);
      started.push(one);
      return one;
    }

    test('P22 /health answers while all threads are in use', async () => {
      const one = await start({});
      let ended = 0;
      const blocking = Array.from({ length: BLOCKING_REQUESTS }, async () => {
        await fetch(`${one.url}/probe/blocking?seconds=2`);
        ended += 1;
      });
      await new Promise((resolve) => setTimeout(resolve, 500));
      const health = await fetch(`${one.url}/health`);
      expect([health.status, ended]).toEqual([200, 0]);
      await Promise.all(blocking);
    });

    test('P23 paths are compared without the prefix of a proxy', async () => {
      const port = await findFreePort();
      const args = ['-m', 'uvicorn', 'app.main:app', '--root-path', '/v1', '--port', String(port)];
      const one = await startServer(command(args, {}), port);
      started.push(one);
      const docs = await fetch(`${one.url}/docs`);
      expect(docs.headers.has('content-security-policy')).toBe(false);
      expect(await docs.text()).toContain('/v1/openapi.json');
      await fetch(`${one.url}/nowhere`);
      await until(() => findLine(one, (entry) => entry.url === '/v1/nowhere'));
      expect(urlsOf(one)).toEqual(['/v1/docs', '/v1/nowhere']);
    });

    test.each([
      ['of the client behind a trusted proxy', '127.0.0.1', '203.0.113.9'],
      ['of the connection otherwise', '10.0.0.1', '127.0.0.1'],
    ])(
      'P25 the log has the path without query, and the address %s',
      async (_name, ips, address) => {
        const one = await start({ FORWARDED_ALLOW_IPS: ips });
        const headers = { 'X-Forwarded-For': '203.0.113.9' };
        await fetch(`${one.url}/nowhere?token=${SECRET}`, { headers });
        const line = await until(() => findLine(one, (entry) => entry.url === '/nowhere'));
        expect(line.remoteAddress).toBe(address);
        expect(one.stdout()).not.toContain(SECRET);
      },
    );

    test('P26 mypy and pyright, both strict, find nothing', async () => {
      const options = { cwd: project() };
      const mypy = await run(
        python,
        // A folder of its own: mypy writes a `.gitignore` there, which formatters of other projects would obey.
        ['-m', 'mypy', '--strict', '--cache-dir', await mkdtemp(join(tmpdir(), 'mypy-'))],
        options,
      );
      expect(mypy.stdout).toMatch(/Success: no issues found in \d+ source files/);
      const pyright = await run(python, ['-m', 'pyright'], options);
      expect(pyright.stdout).toContain('0 errors, 0 warnings');
      const { tool } = await readToml<{ tool: Record<string, Record<string, unknown>> }>();
      expect(tool).toMatchObject({
        mypy: { strict: true, plugins: ['pydantic.mypy'] },
        pyright: { typeCheckingMode: 'strict' },
      });
    }, 240_000);

    test('P33 /ready answers 503 while the server is draining, and requests are still served', async () => {
      const one = await start({ SHUTDOWN_DELAY_SECONDS: '30' });
      process.kill(one.pid, 'SIGINT');
      await expect.poll(async () => (await fetch(`${one.url}/ready`)).status).toBe(503);
      await readErrorOf(JSON_TYPE, await fetch(`${one.url}/ready`), 503, 'draining');
      expect((await fetch(`${one.url}/example`)).status).toBe(200);
      process.kill(one.pid, 'SIGINT');
      expect(await one.exit).toEqual({ code: 0, signal: null });
    });

    test('P38 of the requests of 8 busy clients none breaks in 3 stops', async () => {
      for (let stop = 0; stop < 3; stop += 1) {
        const one = await start({});
        const clients = Array.from({ length: 8 }, () => askUntilRefused(one.port));
        await new Promise((resolve) => setTimeout(resolve, 300 + stop * 37));
        process.kill(one.pid, 'SIGTERM');
        const seen = await Promise.all(clients);
        expect(seen.flatMap(({ broken }) => broken)).toEqual([]);
        expect(seen.every(({ answers }) => answers > 0)).toBe(true);
        expect(seen.some(({ closed }) => closed > 0)).toBe(true);
        expect(await one.exit).toEqual({ code: null, signal: 'SIGTERM' });
      }
    });

    test('P39 a module that is in the list is started, and what it misses ends the start', async () => {
      const module = await copyWithProbe(project());
      await writeFile(join(module, 'app/parts.py'), MODULE);
      await writeFile(
        join(module, 'app/modules.py'),
        'from app.module import Module\nfrom app.parts import Part\n\nmodules: list[Module] = [Part()]\n',
      );
      const refused = runServer(command(['-m', 'app'], { PORT: 'none' }, module), 0);
      expect((await refused.exit).code).toBe(1);
      expect(refused.stderr()).toMatch(
        /^Invalid environment variables:\n {2}PORT: .*\n {2}PART_URL: is not set\n$/,
      );
      const env = { PYTHONPATH: module, PART_URL: 'x' };
      const one = await start(env, module);
      expect(await (await fetch(`${one.url}/part/url`)).json()).toBe('x');
      process.kill(one.pid, 'SIGINT');
      await one.exit;
      const lines = parseLines<LogEntry & { logger: string; message: string }>(one);
      const own = lines.filter(({ logger }) => logger === 'app.part');
      expect(own.map(({ message }) => message)).toEqual(['started', 'stopped']);
      const failing = runServer(
        command(['-m', 'app'], { ...env, PORT: '0', PART_FAILS: '1' }, module),
        0,
      );
      expect((await failing.exit).code).toBe(1);
      expect(failing.stdout()).toContain('Application startup failed');
      await rm(module, { recursive: true, force: true });
    });

    test('P40 requests of any method and path are answered, and refused in JSON', async () => {
      const one = await start({});
      const answers = await sendAll(one.port);
      expect(answers.length).toBeGreaterThanOrEqual(1500);
      const wrong = answers.filter(({ request, status, body }) => {
        if (status < 400) return status === 0;
        // The server refuses what is no HTTP (RFC 9112, section 3) before an application sees it.
        if (body === 'Invalid HTTP request received.') return status !== 400;
        if (request.startsWith('HEAD ')) return status >= 500;
        return status >= 500 || !body.startsWith(`{"error":{"status":${status},`);
      });
      expect(wrong).toEqual([]);
      expect(one.stdout()).not.toContain('Traceback');
      expect((await fetch(`${one.url}/health`)).status).toBe(200);
    });

    test('P34 of many requests for one name, one gets it', async () => {
      const one = await start({});
      const requests = Array.from({ length: 60 }, (_, at) =>
        fetch(`${one.url}/example`, {
          method: 'POST',
          body: JSON.stringify({ name: `name ${at % 3}`, price: 1 }),
          headers: { 'Content-Type': JSON_TYPE },
        }),
      );
      const statuses = (await Promise.all(requests)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(3);
      expect(statuses.filter((status) => status === 409)).toHaveLength(57);
      const items = (await (await fetch(`${one.url}/example`)).json()) as { id: number }[];
      expect(items.map(({ id }) => id)).toEqual([1, 2, 3]);
    });

    test('P37 the workflow has no permissions but reading, pins its actions, and runs all checks', async () => {
      const text = await readFile(join(project(), '.github/workflows/ci.yml'), 'utf8');
      const workflow = parseYaml(text) as Workflow;
      expect(workflow.permissions).toEqual({});
      const { permissions, steps } = workflow.jobs['check']!;
      expect(permissions).toEqual({ contents: 'read' });
      for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/@[\da-f]{40}$/);
      const commands = steps.flatMap((step) => step.run ?? []).join('\n');
      for (const tool of ['ruff check', 'ruff format --check', 'mypy', 'pyright', 'pytest'])
        expect(commands).toContain(`python -m ${tool}`);
    });

    async function readToml<T>(): Promise<T> {
      const code =
        'import json, tomllib; print(json.dumps(tomllib.load(open("pyproject.toml", "rb"))))';
      return JSON.parse((await run(python, ['-c', code], { cwd: project() })).stdout) as T;
    }
  });
}

const MODULE = `
from fastapi import APIRouter

from app.module import Module, ModuleHost

router = APIRouter()
found = {}


@router.get("/url")
def read_url() -> str:
    return found["url"]


class Part(Module):
    name = "part"
    routers = [("/part", router)]

    def check_settings(self, env):
        return [] if "PART_URL" in env else [("PART_URL", "is not set")]

    async def start(self, host: ModuleHost) -> None:
        if "PART_FAILS" in host.env:
            raise ConnectionError("no part")
        self.host = host
        host.log.info("started")
        found["url"] = host.env["PART_URL"]

    async def stop(self) -> None:
        self.host.log.info("stopped")
`;

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Workflow {
  readonly permissions: object;
  readonly jobs: Record<string, { permissions: object; steps: readonly Step[] }>;
}

function urlsOf(server: ServerProcess): string[] {
  return parseLines<LogEntry>(server).flatMap(({ url }) => url ?? []);
}
