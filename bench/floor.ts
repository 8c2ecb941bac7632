/**
 * The floor of a full run, in a process of its own: reads the same blobs through one
 * `git cat-file --batch`, packs them with the same packer, hashes, and writes the same bytes to as many
 * files. No history, no manifests, no checks, no state, no syncing.
 *
 *     node bench/floor.ts <repository> <index> <folder to write to>
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packTarball } from '../format/archive/tarball.ts';

interface Version {
  readonly path: string;
  readonly files: readonly { readonly path: string; readonly oid: string }[];
}

const [repository = '', index = '', out = ''] = process.argv.slice(2);
const versions = listVersions();
const documents = listDocuments();

const started = performance.now();
const versionOf = versions.flatMap((version) => version.files.map(() => version));
let at = 0;
let contents: Buffer[] = [];
await readBlobs(
  versions.flatMap((version) => version.files.map((file) => file.oid)),
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
console.log(JSON.stringify({ seconds, versions: versions.length, blobs: versionOf.length }));

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
      const listed = execFileSync('git', ['ls-tree', '-r', commit, `${folder}/`], {
        cwd: repository,
        encoding: 'utf8',
      });
      const files = listed
        .trim()
        .split('\n')
        .map((line) => {
          const [meta = '', path = ''] = line.split('\t');
          return { oid: meta.split(' ')[2] ?? '', path: path.slice(folder.length + 1) };
        });
      return { path: `${folder}/${commit}.tgz`, files };
    });
}

function listDocuments(): { path: string; bytes: Buffer }[] {
  return readdirSync(index, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.tgz'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: file.slice(index.length + 1), bytes: readFileSync(file) }));
}

async function readBlobs(oids: readonly string[], onBlob: (bytes: Buffer) => void): Promise<void> {
  const git = spawn('git', ['cat-file', '--batch'], {
    cwd: repository,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  git.stdin.end(`${oids.join('\n')}\n`);
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of git.stdout as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (;;) {
      const newline = rest.indexOf(0x0a, start);
      if (newline < 0) break;
      const size = Number(rest.toString('latin1', rest.lastIndexOf(0x20, newline) + 1, newline));
      if (rest.length < newline + 1 + size + 1) break;
      onBlob(rest.subarray(newline + 1, newline + 1 + size));
      start = newline + size + 2;
    }
    rest = rest.subarray(start);
  }
}

function write(path: string, bytes: Uint8Array): void {
  const file = join(out, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}
