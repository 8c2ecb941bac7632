/** Witnesses for tests: litewitness of filippo.io/torchwood, which anybody can run, built from the Go module proxy. */
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import {
  formatNoteKey,
  noteSigner,
  parseNoteKey,
  type NoteKey,
} from '../../format/log/note-key.ts';
import { findFreePort } from '../../tools/free-port.ts';
import { installOnce } from '../run/install-once.ts';
import { temporaryFolder } from './git-fixture.ts';

export const LOG = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(1));

interface Witness {
  readonly key: NoteKey;
  readonly address: string;
}

/** Starts a witness that knows the log `LOG`. @param name of its key */
export async function startWitness(name: string): Promise<Witness> {
  const program = await provideLitewitness();
  const folder = temporaryFolder();
  const secret = join(folder, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', secret]);
  const [, blob = ''] = readFileSync(`${secret}.pub`, 'utf8').split(' ');
  const publicKey = Buffer.from(blob, 'base64').subarray(-32);
  const agent = join(folder, 'agent');
  start('ssh-agent', ['-D', '-a', agent]);
  await until(() => {
    const env = { ...process.env, SSH_AUTH_SOCK: agent };
    execFileSync('ssh-add', ['-q', secret], { env, stdio: 'ignore' });
  });
  const port = await findFreePort();
  const hash = createHash('sha256').update(publicKey).digest('hex');
  const db = join(folder, 'witness.db');
  const options = ['-ssh-agent', agent, '-name', name, '-key', hash, '-db', db];
  start(program, [...options, '-listen', `127.0.0.1:${port}`]);
  const address = `http://127.0.0.1:${port}`;
  await until(() => fetch(address));
  addLog(db, LOG);
  return { key: cosignatureKey(name, publicKey), address };
}

function provideLitewitness(): Promise<string> {
  const module = 'filippo.io/torchwood/cmd/litewitness@v0.9.0';
  const home = installOnce('litewitness-0.9.0', async (folder) => {
    const env = { ...process.env, GOBIN: folder };
    await promisify(execFile)('go', ['install', module], { env });
  });
  return home.then((folder) => join(folder, 'litewitness'));
}

function start(program: string, args: readonly string[]): ChildProcess {
  const child = spawn(program, args, { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

const MAX_TRIES = 200;

async function until(works: () => unknown): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await works();
      return;
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
      await sleep(50);
    }
  }
}

/** What its program `witnessctl` writes. */
function addLog(file: string, key: NoteKey): void {
  const db = new Database(file);
  const empty = createHash('sha256').digest('base64');
  db.prepare('INSERT INTO log VALUES (?, 0, ?)').run(key.name, empty);
  db.prepare('INSERT INTO key VALUES (?, ?)').run(key.name, formatNoteKey(key));
  db.close();
}

/** C2SP tlog-cosignature: the id of a key is of type 4, an Ed25519 cosignature. */
function cosignatureKey(name: string, publicKey: Buffer): NoteKey {
  const typed = Buffer.concat([Uint8Array.of(4), publicKey]);
  const digest = createHash('sha256').update(`${name}\n`).update(typed).digest('hex');
  return parseNoteKey(`${name}+${digest.slice(0, 8)}+${typed.toString('base64')}`);
}
