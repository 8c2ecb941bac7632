/**
 * Preloaded into the client by `kill.long.test.ts`: kills the process with SIGKILL (or `KILL_SIGNAL`) right before its nth
 * change of the file system, or the first of a name (`KILL_AT`), or counts the changes into a file (`KILL_COUNT`).
 * `KILL_ONLY` is a pattern of the names that count.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

type Call = (...args: unknown[]) => unknown;
type Room = Record<string, Call>;

const CHANGING =
  /^(?:rename|link|unlink|mkdir|rmdir|rm|writeFile|chmod|chown|utimes|truncate|copyFile|cp|symlink)(?:Sync)?$/;
const at = process.env['KILL_AT'] ?? '';
const only = new RegExp(process.env['KILL_ONLY'] ?? '');
const signal = process.env['KILL_SIGNAL'] ?? 'SIGKILL';
const countFile = process.env['KILL_COUNT'];
const { closeSync, openSync, writeSync } = fs;
let count = 0;
let hasKilled = false;

function change(name: string): void {
  if (!only.test(name)) return;
  if (countFile !== undefined) {
    const file = openSync(countFile, 'a');
    writeSync(file, `${name}\n`);
    closeSync(file);
  }
  const isHere = at === name || at === String(count);
  count += 1;
  if (!isHere || hasKilled) return;
  hasKilled = true;
  process.kill(process.pid, signal);
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
