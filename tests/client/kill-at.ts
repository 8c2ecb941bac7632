/**
 * Preloaded into the client by `kill.long.test.ts`: kills the process with SIGKILL (or `KILL_SIGNAL`) right before its nth
 * change of the file system, or the first of a name (`KILL_AT`), or counts the changes into a file (`KILL_COUNT`).
 * `KILL_ONLY` is a pattern of the names that count. The changes of all threads count together.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

type Call = (...args: unknown[]) => unknown;
type Room = Record<string, Call>;

const CHANGING =
  /^(?:rename|link|unlink|mkdir|rmdir|rm|writeFile|chmod|chown|utimes|truncate|copyFile|cp|symlink)(?:Sync)?$/;
const at = process.env['KILL_AT'] ?? '';
const only = new RegExp(process.env['KILL_ONLY'] ?? '');
const signal = process.env['KILL_SIGNAL'] ?? 'SIGKILL';
const countFile = process.env['KILL_COUNT'];
const { closeSync, fstatSync, openSync, writeSync } = fs;
// A file with a byte for each change. Worker threads inherit its name.
if (isMainThread) process.env['KILL_TALLY'] = join(tmpdir(), `kill-${randomUUID()}`);
const tally = process.env['KILL_TALLY']!;
let hasKilled = false;

function change(name: string): void {
  if (!only.test(name)) return;
  if (countFile !== undefined) append(countFile, `${name}\n`);
  const isHere = at === name || at === String(append(tally, '.') - 1);
  if (!isHere || hasKilled) return;
  hasKilled = true;
  process.kill(process.pid, signal);
}

/** @returns the size of the file */
function append(path: string, text: string): number {
  const file = openSync(path, 'a');
  writeSync(file, text);
  const { size } = fstatSync(file);
  closeSync(file);
  return size;
}

function watch(room: Room, name: string, isChange: (args: readonly unknown[]) => boolean): void {
  const original = room[name]!;
  room[name] = function (this: unknown, ...args: unknown[]): unknown {
    if (isChange(args)) change(name);
    return original.apply(this, args);
  };
}

const opensForWriting = ([, flags]: readonly unknown[]): boolean =>
  typeof flags === 'string' && flags !== 'r';
const probe = await fs.promises.open(process.execPath, 'r');
const handle = Object.getPrototypeOf(probe) as Room;
await probe.close();
for (const room of [fs as unknown as Room, fs.promises as unknown as Room]) {
  for (const name of Object.keys(room)) if (CHANGING.test(name)) watch(room, name, () => true);
  for (const name of ['open', 'openSync']) {
    if (room[name] !== undefined) watch(room, name, opensForWriting);
  }
}
for (const name of ['writeFile', 'write', 'chmod', 'truncate']) watch(handle, name, () => true);
syncBuiltinESMExports();
