// A real PostgreSQL for tests: its own cluster in a temporary folder, on a free port of the loopback interface.

import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '../../tools/free-port.ts';
import { makeOnce } from '../run/make-once.ts';

export interface PostgresServer {
  /** Creates an empty database and gives its URL. */
  createDatabase(name: string): Promise<string>;
  /** Runs SQL as the superuser and gives the rows. */
  query(url: string, text: string): Promise<Record<string, unknown>[]>;
  /** `fast` ends sessions, `immediate` is a crash. */
  stop(mode: 'fast' | 'immediate'): void;
  start(): void;
  /** Stops the server and deletes the folder. */
  remove(): void;
}

const DEBIAN_FOLDER = '/usr/lib/postgresql';
const PASSWORD = 'p@ss/word';
const HOST = '127.0.0.1';

/** Folder of the server's programs: of the path, else the newest of Debian's; `undefined` without one. */
function findPostgres(): string | undefined {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
  return [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...newestFirst.map((version) => join(DEBIAN_FOLDER, version, 'bin')),
  ].find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')));
}

/** Starts a server. Throws when PostgreSQL is not installed. */
export async function startPostgres(): Promise<PostgresServer> {
  const programs = findPostgres();
  if (programs === undefined) {
    throw new Error(
      'Cannot find PostgreSQL: install it, on Debian with "apt-get install postgresql"',
    );
  }
  const folder = mkdtempSync(join(tmpdir(), 'auth-pg-'));
  const data = join(folder, 'data');
  const port = await findFreePort();
  const owner = findOwner();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const run = (program: string, args: readonly string[]): void => {
    // Not by pipes: the server would keep them open.
    const { status, error } = spawnSync(join(programs, program), args, {
      cwd: folder,
      stdio: 'ignore',
      ...owner,
    });
    if (status !== 0) throw new Error(`Program "${program}" failed`, { cause: error });
  };

  const empty = await makeOnce('postgres', (made) => {
    if (owner) chownSync(made, owner.uid, owner.gid);
    const passwordFile = join(made, 'password');
    writeFileSync(passwordFile, PASSWORD);
    if (owner) chownSync(passwordFile, owner.uid, owner.gid);
    run('initdb', [
      `--pgdata=${join(made, 'data')}`,
      '--username=tester',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ]);
  });
  // It keeps the owner and the modes, which the server requires.
  execFileSync('cp', ['-a', join(empty, 'data'), data]);

  const settings = [
    `port=${port}`,
    `listen_addresses=${HOST}`,
    `unix_socket_directories=${folder}`,
    // In the data folder, not in a folder that all programs of the machine share.
    'dynamic_shared_memory_type=mmap',
  ];
  const start = (): void =>
    run('pg_ctl', [
      'start',
      '--wait',
      `--pgdata=${data}`,
      `--log=${join(folder, 'log')}`,
      `--options=${settings.map((setting) => `-c ${setting}`).join(' ')}`,
    ]);
  const stop: PostgresServer['stop'] = (mode) =>
    run('pg_ctl', ['stop', '--wait', `--pgdata=${data}`, `--mode=${mode}`]);
  const remove = (): void => {
    process.off('exit', remove);
    try {
      if (existsSync(join(data, 'postmaster.pid'))) stop('immediate');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  // A test run that is ended in the middle leaves no server behind.
  process.once('exit', remove);
  start();

  const urlOf = (database: string): string =>
    `postgres://tester:${encodeURIComponent(PASSWORD)}@${HOST}:${port}/${database}`;
  const query: PostgresServer['query'] = async (url, text) => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    async createDatabase(name) {
      await query(urlOf('postgres'), `CREATE DATABASE ${name}`);
      return urlOf(name);
    },
    query,
    stop,
    start,
    remove,
  };
}

// The server refuses to run as root.
function findOwner(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim() || Number.NaN);
  const owner = { uid: idOf('-u'), gid: idOf('-g') };
  if (Number.isInteger(owner.uid) && Number.isInteger(owner.gid)) return owner;
  throw new Error('Cannot start PostgreSQL as root, and there is no user "postgres"');
}
