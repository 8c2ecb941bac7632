// Several real processes open and migrate one fresh file at the same time. They run this folder's own files, copied
// to a temporary folder without their types, since Node by itself does not find `./index.ts` under `./index.js`.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, type Migration, openDatabase } from './index.js';

const PROCESSES = 4;
const ROUNDS = 5;

const HERE = dirname(fileURLToPath(import.meta.url));
const BETTER_SQLITE3 = pathToFileURL(createRequire(import.meta.url).resolve('better-sqlite3')).href;

// Many short ones, so that the processes take turns; and none can be applied twice: CREATE TABLE would fail.
const MIGRATIONS: readonly Migration[] = Array.from({ length: 100 }, (_, index) => ({
  id: `${String(index).padStart(4, '0')}_race_create`,
  sql: `CREATE TABLE t${index} (x); INSERT INTO t${index} VALUES (1);`,
}));

// Reports that it is ready, reads the moment of the start, spins until then, opens and migrates.
const CHILD = `
  import { closeDatabase, migrate, openDatabase } from './index.js';
  const [file, migrations] = JSON.parse(process.argv[2]);
  process.stdout.write('ready\\n');
  let start = '';
  for await (const text of process.stdin) start += text;
  while (Date.now() < Number(start));
  const db = openDatabase(file, { busyTimeoutMs: 30000 });
  process.stdout.write(JSON.stringify(migrate(db, migrations)));
  closeDatabase(db);
`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stackyard-sqlite-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

// Also runs from compiled output, where the files are JavaScript already.
function writeProgram(): string {
  const program = join(folder, 'program');
  mkdirSync(program);
  for (const name of readdirSync(HERE)) {
    if (!/^[\w-]+\.[jt]s$/.test(name)) continue;
    const source = readFileSync(join(HERE, name), 'utf8');
    const script = name.endsWith('.ts') ? stripTypeScriptTypes(source) : source;
    writeFileSync(
      join(program, name.replace(/\.ts$/, '.js')),
      script.replace(/(['"])better-sqlite3\1/, JSON.stringify(BETTER_SQLITE3)),
    );
  }
  writeFileSync(join(program, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(program, 'child.js'), CHILD);
  return join(program, 'child.js');
}

async function startProcess(program: string, file: string) {
  const child = spawn(process.execPath, [program, JSON.stringify([file, MIGRATIONS])]);
  let output = '';
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), closed]);
  return async (start: number): Promise<string[]> => {
    child.stdin.end(String(start));
    const [status] = await closed;
    if (status !== 0) throw new Error(`Process ended with status ${String(status)}: ${errors}`);
    return JSON.parse(output.replace('ready\n', '')) as string[];
  };
}

test('migrate() applies each migration once when several processes start at once', { timeout: 60_000 }, async () => {
  const program = writeProgram();
  for (let round = 0; round < ROUNDS; round++) {
    const file = join(folder, `round-${round}.db`);
    const processes = await Promise.all(Array.from({ length: PROCESSES }, () => startProcess(program, file)));
    expect(existsSync(file)).toBe(false);
    const start = Date.now() + 50;
    // Settled, so that none of them still writes to the folder when the first failure ends the test.
    const results = await Promise.allSettled(processes.map((run) => run(start)));
    const applied = results.flatMap((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
    expect(applied.sort()).toEqual(MIGRATIONS.map(({ id }) => id));
    const db = openDatabase(file);
    expect(db.prepare('SELECT count(*) FROM _migrations').pluck().get()).toBe(MIGRATIONS.length);
    closeDatabase(db);
  }
});
