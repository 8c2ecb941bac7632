// What `npm run dev` runs: the server in development, started again when a source file changes. It looks at the files
// themselves, because the watchers of Node miss files that are replaced or that change while the server starts.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const FOLDER = import.meta.dirname;
const SOURCE = /(?<!\.test)\.(?:[cm]?[jt]s|json|sql)$/;
const CHECK_MS = 250;

/** How long requests may take at a restart. A second signal ends the server at once. */
const RESTART_MS = 2000;

const env = { ...process.env, NODE_ENV: process.env['NODE_ENV'] || 'development' };
let server: ChildProcess;
let isFirst = true;
let isEnding = false;

// A terminal sends SIGINT to the server as well.
process.on('SIGINT', () => (isEnding = true));
process.on('SIGTERM', () => {
  isEnding = true;
  server.kill();
});

while (!isEnding) {
  // Before the server reads them: what changes from now on starts it again.
  const seen = readVersions();
  server = spawn(process.execPath, ['--import', 'tsx', join(FOLDER, 'server.ts')], { stdio: 'inherit', env });
  const exit = once(server, 'exit');
  // Later it may fail while somebody edits.
  server.once('exit', (status) => isFirst && process.exit(status ?? 1));
  while (!isEnding && readVersions() === seen) await sleep(CHECK_MS);
  isFirst = false;
  if (!isEnding) server.kill();
  const late = setTimeout(() => server.kill(), RESTART_MS);
  await exit;
  clearTimeout(late);
}

/** A text that changes with each file. */
function readVersions(): string {
  try {
    const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => SOURCE.test(name));
    return names.map((name) => [name, ...versionOf(join(FOLDER, name))].join()).join();
  } catch {
    return 'A folder was removed meanwhile';
  }
}

function versionOf(file: string): number[] {
  const { ino, mtimeMs, size } = statSync(file);
  return [ino, mtimeMs, size];
}
