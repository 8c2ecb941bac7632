/** A program in Go reads and verifies our served log: x/mod's `note` and `tlog`, and tessera's client. Needs `go`. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { makeRepository } from '../../bench/made-repository.ts';
import { parseUnverifiedNote } from '../../format/log/checkpoint.ts';
import { formatNoteKey, noteSigner } from '../../format/log/note-key.ts';
import { serveIndex } from '../../generator/serve/serve-index.ts';
import { generateDocuments } from './generate-documents.ts';
import { GitFixture, temporaryFolder } from './git-fixture.ts';
import { LOG } from './witness-fixture.ts';

const READER = join(import.meta.dirname, '../log-reader');
const run = promisify(execFile);

it('is read and verified by packages of Go, and an altered log is refused', async () => {
  const folder = temporaryFolder();
  const [repo, out, program] = ['repo', 'index', 'read-log'].map((name) => join(folder, name));
  await run('go', ['build', '-o', program!, '.'], { cwd: READER });
  // More than one tile, the last one in part.
  await makeRepository(repo!, { builds: 100, versions: 3, files: 1 });
  const git = new GitFixture(repo);
  git.git('reset', '-q', '--hard');
  git.commit({ 'registry.config.json': JSON.stringify({ origin: 'registry.example' }) });
  await generateDocuments({ repo: repo!, out: out!, threads: 2, signers: [LOG] });
  const server = await serveIndex(out!, 0);
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/log`;
  const read = (key: string): Promise<{ stdout: string }> => run(program!, [address, key]);

  const checkpoint = readFileSync(join(out!, 'log/checkpoint'), 'utf8');
  const { origin, size, root } = parseUnverifiedNote(checkpoint);
  expect(size).toBeGreaterThan(300);
  const { stdout } = await read(formatNoteKey(LOG));
  expect(stdout).toBe(`${origin} ${size} ${Buffer.from(root).toString('base64')}\n`);

  const stranger = noteSigner(LOG.name, 'note', new Uint8Array(32).fill(9));
  await expect(read(formatNoteKey(stranger))).rejects.toMatchObject({ code: 1 });
  const bundle = join(out!, 'log/tile/entries/000');
  const bytes = readFileSync(bundle);
  writeFileSync(bundle, bytes.with(40, bytes[40]! ^ 1));
  await expect(read(formatNoteKey(LOG))).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('error: '),
  });
}, 600_000);
