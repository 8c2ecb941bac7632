/**
 * The floor of a full run, in a process of its own: reads the same trees and blobs once, in order, through one buffered
 * `git cat-file`, packs the blobs with the same packer, hashes, and writes the same bytes to as many files. No history, no
 * manifests, no checks, no state, no syncing.
 *
 *     node bench/floor.ts <repository> <index> <folder to write to>
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packTarball } from '../format/archive/tarball.ts';

interface Version {
  readonly path: string;
  /** Ids of the folder and of those in it. */
  readonly trees: readonly string[];
  readonly files: readonly { readonly path: string; readonly oid: string }[];
}

const [repository = '', index = '', out = ''] = process.argv.slice(2);
const versions = listVersions();
const documents = listDocuments();

const [started, used] = [performance.now(), processorSeconds()];
const versionOf = versions.flatMap((version) => version.files.map(() => version));
let at = 0;
let contents: Buffer[] = [];
await readBlobs(
  versions.flatMap(({ trees, files }) => [...trees, ...files.map(({ oid }) => oid)]),
  (bytes) => {
    const version = versionOf[at]!;
    at += 1;
    contents.push(bytes);
    if (contents.length < version.files.length) return;
    const entries = version.files.map(({ path }, n) => {
      return { path, bytes: contents[n]!, executable: false };
    });
    contents = [];
    const tarball = packTarball(entries);
    createHash('sha256').update(tarball).digest('base64');
    write(version.path, tarball);
  },
);
for (const { path, bytes } of documents) write(path, bytes);
const seconds = (performance.now() - started) / 1000;
console.log(JSON.stringify({ seconds, processor: processorSeconds() - used }));

/** User and system time of this process and of those that it has waited for. */
function processorSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  // Fields 14 to 17, in hundredths of a second.
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / 100, 0);
}

function listVersions(): Version[] {
  const log = execFileSync('git', ['log', '--reverse', '--format=%H', '--', 'builds'], {
    cwd: repository,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  return log
    .trim()
    .split('\n')
    .map((commit) => {
      const changed = execFileSync(
        'git',
        ['diff-tree', '--root', '--no-commit-id', '--name-only', '-r', commit],
        {
          cwd: repository,
          encoding: 'utf8',
        },
      );
      const folder = changed.split('/').slice(0, 3).join('/');
      const root = execFileSync('git', ['rev-parse', `${commit}:${folder}`], {
        cwd: repository,
        encoding: 'utf8',
      });
      const listed = execFileSync('git', ['ls-tree', '-r', '-t', `${commit}:${folder}`], {
        cwd: repository,
        encoding: 'utf8',
      });
      const entries = listed
        .trim()
        .split('\n')
        .map((line) => {
          const [meta = '', path = ''] = line.split('\t');
          const [, type = '', oid = ''] = meta.split(' ');
          return { type, oid, path };
        });
      const trees = [root.trim(), ...entries.filter((e) => e.type === 'tree').map((e) => e.oid)];
      const files = entries.filter((e) => e.type === 'blob');
      return { path: `${folder}/${commit}.tgz`, trees, files };
    });
}

function listDocuments(): { path: string; bytes: Buffer }[] {
  return readdirSync(index, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.tgz'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: file.slice(index.length + 1), bytes: readFileSync(file) }));
}

async function readBlobs(oids: readonly string[], onBlob: (bytes: Buffer) => void): Promise<void> {
  const git = spawn('git', ['cat-file', '--batch', '--buffer'], {
    cwd: repository,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(git, 'close');
  git.stdin.end(`${oids.join('\n')}\n`);
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of git.stdout as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (;;) {
      const newline = rest.indexOf(0x0a, start);
      if (newline < 0) break;
      const [, type, size = 0] = rest.toString('latin1', start, newline).split(' ');
      if (rest.length < newline + 1 + Number(size) + 1) break;
      if (type === 'blob') onBlob(rest.subarray(newline + 1, newline + 1 + Number(size)));
      start = newline + Number(size) + 2;
    }
    rest = rest.subarray(start);
  }
  await ended;
}

function write(path: string, bytes: Uint8Array): void {
  const file = join(out, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}
