/** What projects need beside their packages, each of this machine, on a free port, ended with this process. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../free-port.ts';
import type { Service } from './projects.ts';

const POSTGRES = '/usr/lib/postgresql/15/bin';
const MONGO_PROGRAM = `import de.bwaldvogel.mongo.*;
public class Serve { public static void main(String[] a) throws Exception {
  new MongoServer(new de.bwaldvogel.mongo.backend.memory.MemoryBackend()).bind("127.0.0.1", Integer.parseInt(a[0]));
  System.out.println("ready"); Thread.currentThread().join(); } }`;

export interface Running {
  /** What stands for `$NAME` in the variables of a project. */
  readonly values: Readonly<Record<string, string>>;
  stop(): void;
}

/** @param tools the folder with the jars of mongo-java-server in `mongo/` */
export async function startServices(wanted: readonly Service[], tools: string): Promise<Running> {
  const values: Record<string, string> = {};
  const stops: (() => void)[] = [];
  if (wanted.includes('postgres')) {
    const port = await findFreePort();
    stops.push(startPostgres(port));
    Object.assign(values, {
      POSTGRES: `postgresql://app:app@127.0.0.1:${port}/postgres`,
      POSTGRES_PORT: String(port),
    });
  }
  if (wanted.includes('mongo')) {
    const port = await findFreePort();
    const child = await startMongo(port, tools);
    stops.push(() => child.kill());
    values['MONGO'] = `mongodb://127.0.0.1:${port}/app`;
  }
  return { values, stop: () => stops.forEach((stop) => stop()) };
}

/** A cluster of its own, which takes any password; returns what ends it. The server refuses to run as root. */
function startPostgres(port: number): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-postgres-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) execFileSync('chown', ['postgres', folder]);
  const as = (program: string, ...args: string[]): void => {
    const command = [join(POSTGRES, program), ...args];
    const [first, ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command;
    execFileSync(first!, rest, { cwd: folder, stdio: 'ignore' });
  };
  const data = join(folder, 'data');
  as(
    'initdb',
    `--pgdata=${data}`,
    '--username=app',
    '--auth=trust',
    '--encoding=UTF8',
    '--no-sync',
  );
  const settings = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`;
  as(
    'pg_ctl',
    'start',
    '--wait',
    `--pgdata=${data}`,
    `--log=${folder}/log`,
    `--options=${settings}`,
  );
  return () => {
    as('pg_ctl', 'stop', '--wait', `--pgdata=${data}`, '--mode=immediate');
    rmSync(folder, { recursive: true, force: true });
  };
}

async function startMongo(port: number, tools: string): Promise<ChildProcess> {
  const program = join(mkdtempSync(join(tmpdir(), 'stackyard-mongo-')), 'Serve.java');
  writeFileSync(program, MONGO_PROGRAM);
  const child = spawn('java', ['-cp', join(tools, 'mongo/*'), program, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => {
      throw new Error(`The server of MongoDB did not start: are its jars in ${tools}/mongo?`);
    }),
  ]);
  return child;
}
