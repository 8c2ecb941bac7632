// The servers under test: installs the peers into a folder, starts each server as a process of its own, and defines the
// requests that it accepts.

import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../tools/free-port.ts';
import { askOnce, type Answer, type Call } from './auth-load.ts';

export interface Kind {
  readonly name: string;
  /** The file that Node.js runs. */
  file(peers: string): string;
  readonly env?: Readonly<Record<string, string>>;
  readonly register: string;
  readonly login: string;
  readonly me: string;
  /** The headers of a request to `/me`, from the response to a login. */
  session(login: Answer): Record<string, string>;
}

export interface Server {
  readonly kind: Kind;
  readonly origin: string;
  readonly child: ChildProcess;
  readonly pid: number;
}

const REPOSITORY = join(import.meta.dirname, '..');
const DIST = join(REPOSITORY, 'auth-service/dist');
const PACKAGES = { 'better-auth': '1.7.7', 'better-sqlite3': '13.2.0', express: '5.3.0' };
const PASSWORD = 'password of the bench';
const START_TIMEOUT_MS = 20_000;
/** Clock ticks in /proc on Linux, independent of the kernel's clock. */
const TICKS_PER_SECOND = 100;
/** Read before the benchmark pins itself to fewer. */
const PROCESSORS = availableParallelism();
const STACKYARD = {
  register: '/auth/register',
  login: '/auth/login',
  me: '/auth/me',
  session: bearer,
};

export const SERVICE: Kind = {
  ...STACKYARD,
  name: 'auth service',
  file: () => join(DIST, 'auth-service/main.js'),
};

export const ACCOUNT: Kind = {
  ...STACKYARD,
  name: 'stackyard/account',
  file: (peers) => join(peers, 'account.mjs'),
  env: {
    ACCOUNT_MODULE: pathToFileURL(join(DIST, 'builds/stackyard/account/index.js')).href,
  },
};

export const BARE: Kind = {
  name: 'bare Express 5',
  file: (peers) => join(peers, 'express.mjs'),
  register: '/register',
  login: '/login',
  me: '/me',
  session: bearer,
};

export const BETTER_AUTH: Kind = {
  name: `better-auth ${PACKAGES['better-auth']}`,
  file: (peers) => join(peers, 'better-auth.mjs'),
  register: '/api/auth/sign-up/email',
  login: '/api/auth/sign-in/email',
  me: '/api/auth/get-session',
  session({ headers }) {
    const cookies = [headers['set-cookie'] ?? []].flat();
    return { cookie: cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ') };
  },
};

/**
 * Compiles the service, as `npm run auth` does, and installs the peers into `folder`.
 * @param ownPackages whether the peers use the packages of this repository, which has no better-auth
 */
export function installServers(folder: string, ownPackages: boolean): void {
  execFileSync(process.execPath, [
    join(REPOSITORY, 'node_modules/typescript/bin/tsc'),
    '-p',
    join(REPOSITORY, 'auth-service'),
  ]);
  cpSync(join(import.meta.dirname, 'peers'), folder, { recursive: true });
  if (ownPackages) {
    symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
    return;
  }
  const manifest = { private: true, type: 'module', dependencies: PACKAGES };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  // A peer dependency of better-auth, unused here, conflicts with the others.
  const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', ...flags], { cwd: folder, stdio: 'pipe' });
}

/** Starts a server with an empty database. Its output is discarded; its errors go to standard error. */
export async function startServer(kind: Kind, folder: string, database: string): Promise<Server> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [kind.file(folder)], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      RATE_LIMIT: 'off',
      JWT_SECRET: 'a secret of the bench with more than 32 bytes',
      DATABASE_URL: `file:${database}`,
      DATABASE_FILE: database,
      ...kind.env,
    },
  });
  const server = { kind, child, pid: child.pid ?? 0, origin: `http://127.0.0.1:${port}` };
  try {
    await waitUntilUp(server);
  } catch (error) {
    await stopServer(server);
    throw error;
  }
  return server;
}

/** Ends the process without waiting for its requests. */
export async function stopServer({ child }: Server): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

/** Registers or logs in an account. */
export function credentials(path: string, name: string): Call {
  const body = JSON.stringify({ name, email: `${name}@example.com`, password: PASSWORD });
  return { method: 'POST', path, headers: { 'content-type': 'application/json' }, body };
}

/** The peak resident memory so far (Linux: VmHWM); NaN on other systems. */
export function readPeakMb({ pid }: Server): number {
  try {
    const [, kB] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kB) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** Processor time so far, of all threads (Linux); NaN on other systems. */
export function readCpuSeconds(pid: number): number {
  try {
    const [, afterName = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const fields = afterName.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

/**
 * Pins the server to one processor and this process to another, or lets both run on all again. Does nothing when the
 * system does not support that.
 */
export function holdApart({ pid }: Server, apart: boolean): void {
  if (PROCESSORS < 2) return;
  const all = `0-${PROCESSORS - 1}`;
  for (const [processors, held] of [
    [apart ? '0' : all, pid],
    [apart ? '1' : all, process.pid],
  ] as const) {
    spawnSync('taskset', ['-a', '-p', '-c', processors, String(held)]);
  }
}

function bearer({ text }: Answer): Record<string, string> {
  return { authorization: `Bearer ${(JSON.parse(text) as { token: string }).token}` };
}

async function waitUntilUp({ kind, child, origin }: Server): Promise<void> {
  for (let waited = 0; waited < START_TIMEOUT_MS; waited += 50) {
    if (child.exitCode !== null) throw new Error(`Cannot start "${kind.name}"`);
    try {
      await askOnce(origin, { method: 'GET', path: kind.me });
      return;
    } catch {
      await sleep(50);
    }
  }
  throw new Error(`"${kind.name}" does not answer`);
}
