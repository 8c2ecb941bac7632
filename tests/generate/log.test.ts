/** The transparency log of a generated index: what it holds, that it is signed, and that no entry is removed. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseCheckpoint, type Checkpoint } from '../../format/log/checkpoint.ts';
import { parseLogEntry, type LogEntry } from '../../format/log/entry.ts';
import { parseBundle } from '../../format/log/bundle.ts';
import { inclusionProof, treeRoot, verifyInclusion } from '../../format/log/proof.ts';
import { leafHash } from '../../format/log/hash.ts';
import {
  formatNoteKey,
  noteSigner,
  type NoteSigner,
  formatNoteSigner,
} from '../../format/log/note-key.ts';
import { parseNote, signersOf } from '../../format/log/note.ts';
import { hashesFromTiles } from '../../format/log/append.ts';
import { bundlePath, tilePath } from '../../format/log/tile.ts';
import { readPublished } from '../../generator/log/published-log.ts';
import { build, temporaryFolder } from './git-fixture.ts';
import { readHead, readVersion, readTree } from './index-reader.ts';
import { runCommand } from '../run/generator-command.ts';
import { SIGNER, signedRegistry } from './signed-registry.ts';

const read = (out: string, path: string): Uint8Array => readFileSync(join(out, 'log', path));

function checkpointOf(out: string): Checkpoint {
  const note = parseNote(read(out, 'checkpoint'));
  expect(signersOf(note, [SIGNER])).toEqual([SIGNER]);
  return parseCheckpoint(note.text);
}

/** The entries of a log with up to 256, each proved; without those of maps, which `map.long.test.ts` reads. */
function entriesOf(out: string): LogEntry[] {
  const { size, root } = checkpointOf(out);
  const subtree = hashesFromTiles(size, (tile) => read(out, tilePath(tile)));
  expect(treeRoot(size, subtree)).toEqual(root);
  const bundle = parseBundle(read(out, bundlePath({ index: 0, width: size })), size);
  for (const [index, entry] of bundle.entries()) {
    const leaf = { hash: leafHash(entry), index };
    expect(verifyInclusion(leaf, { size, root }, inclusionProof(index, size, subtree))).toBe(true);
  }
  return bundle.map(parseLogEntry).filter(({ type }) => type !== 'map');
}

const yanking = (...versions: string[]): Record<string, string> => ({
  'builds/a/owner.json': JSON.stringify({
    yanked: { x: Object.fromEntries(versions.map((v) => [v, 'broken'])) },
  }),
});

describe('the log of an index', () => {
  it('holds publications and yanks in the order of the main line', async () => {
    const { git, out, run } = signedRegistry();
    git.commit(build('a/x', '1.0.0'));
    git.commit({ ...build('a/x', '1.1.0'), ...build('a/w', '1.0.0') });
    git.commit(yanking('1.0.0'));
    git.commit(yanking());
    await run();
    const entries = entriesOf(out);
    expect(
      entries.map((e) => ('version' in e && 'id' in e ? `${e.type} ${e.id}@${e.version}` : e.type)),
    ).toEqual([
      'publish a/x@1.0.0',
      'publish a/w@1.0.0',
      'publish a/x@1.1.0',
      'yank a/x@1.0.0',
      'unyank a/x@1.0.0',
    ]);
    for (const { version, integrity, published_at } of readHead(out, 'a/x').versions) {
      const { index, entry } = readVersion(out, 'a/x', version).provenance.predicate;
      expect(entries[index]).toEqual(entry);
      expect(entry).toMatchObject({ type: 'publish', id: 'a/x', version, integrity, published_at });
    }
    const registry = JSON.parse(readFileSync(join(out, 'registry.json'), 'utf8')) as object;
    expect(registry).toMatchObject({ log: { origin: SIGNER.name, key: formatNoteKey(SIGNER) } });
  });

  it('keeps the signatures of others until it grows', async () => {
    const { git, out, run } = signedRegistry();
    git.commit(build('a/x', '1.0.0'));
    await run();
    const file = join(out, 'log/checkpoint');
    const cosigned = `${readFileSync(file, 'utf8')}— witness.example AAAAAAAA\n`;
    writeFileSync(file, cosigned);
    await run({ full: true });
    expect(readFileSync(file, 'utf8')).toBe(cosigned);
    git.commit(build('a/x', '1.1.0'));
    await run();
    expect(readFileSync(file, 'utf8')).not.toContain('witness.example');
  });

  it('records the key that the configuration names', async () => {
    const { git, out, run } = signedRegistry();
    const key = formatNoteKey(SIGNER);
    git.commit({
      'registry.config.json': JSON.stringify({ origin: 'registry.example', log: { key } }),
    });
    await run();
    expect(entriesOf(out)).toMatchObject([{ type: 'key', id: SIGNER.name, key }]);
    const other = noteSigner(SIGNER.name, 'note', new Uint8Array(32).fill(2));
    await expect(run({ signers: [other] })).rejects.toMatchObject({ code: 'ERR_LOG_KEY' });
  });
});

describe('a configured key', () => {
  const configOf = (key: NoteSigner): Record<string, string> => ({
    'registry.config.json': JSON.stringify({
      origin: 'registry.example',
      log: { key: formatNoteKey(key) },
    }),
  });

  it('without its private key stops the run before anything is written', async () => {
    const { git, out, run } = signedRegistry();
    git.commit({ ...configOf(SIGNER), ...build('a/x', '1.0.0') });
    await run();
    const before = readTree(out);
    git.commit(build('a/x', '1.1.0'));
    await expect(run({ signers: [] })).rejects.toMatchObject({
      code: 'ERR_LOG_KEY',
      message: expect.stringContaining('STACKYARD_LOG_KEY is not set'),
    });
    expect(readTree(out)).toEqual(before);
    const empty = join(temporaryFolder(), 'index');
    await expect(run({ signers: [], out: empty })).rejects.toMatchObject({ code: 'ERR_LOG_KEY' });
    expect(existsSync(join(empty, 'registry.json'))).toBe(false);
  });

  it('is not needed for an index to look at, which is not signed', async () => {
    const { git, out, run } = signedRegistry();
    git.commit({ ...configOf(SIGNER), ...build('a/x', '1.0.0') });
    await run({ signers: [], unsigned: true });
    expect(Buffer.from(read(out, 'checkpoint')).toString()).not.toContain('— ');
  });

  it('that replaces the one of the published log needs both once', async () => {
    const { git, out, run } = signedRegistry();
    const next = noteSigner(SIGNER.name, 'note', new Uint8Array(32).fill(2));
    git.commit({ ...configOf(SIGNER), ...build('a/x', '1.0.0') });
    await run();
    const before = readTree(out);
    git.commit(configOf(next));
    await expect(run({ signers: [next] })).rejects.toMatchObject({
      code: 'ERR_LOG_KEY',
      message: expect.stringContaining('did not sign the published log'),
    });
    expect(readTree(out)).toEqual(before);
    await run({ signers: [next, SIGNER] });
    git.commit(build('a/x', '1.1.0'));
    await run({ signers: [next] });
    expect(signersOf(parseNote(read(out, 'checkpoint')), [SIGNER, next])).toEqual([next]);
  });

  it('that replaces a lost one is named with it', async () => {
    const { git, out, run } = signedRegistry();
    const next = noteSigner(SIGNER.name, 'note', new Uint8Array(32).fill(2));
    git.commit({ ...configOf(SIGNER), ...build('a/x', '1.0.0') });
    await run();
    const log = { key: formatNoteKey(next), dropped: [formatNoteKey(SIGNER)] };
    const config = JSON.stringify({ origin: 'registry.example', log });
    git.commit({ 'registry.config.json': config, ...build('a/x', '1.1.0') });
    await run({ signers: [next] });
    expect(signersOf(parseNote(read(out, 'checkpoint')), [SIGNER, next])).toEqual([next]);
  });

  it('signs again after a run of earlier software left it out, and the log goes on', async () => {
    const { git, out, run } = signedRegistry();
    git.commit({ ...configOf(SIGNER), ...build('a/x', '1.0.0') });
    await run();
    const [seen, entries] = [checkpointOf(out), entriesOf(out).length];
    git.commit(build('a/x', '1.1.0'));
    await run({ signers: [], unsigned: true });
    // Another machine has nothing but what is published.
    const again = join(temporaryFolder(), 'index');
    git.commit(build('a/x', '1.2.0'));
    await run({ out: again, published: readPublished(out) });
    const { size } = checkpointOf(again);
    expect(entriesOf(again)).toHaveLength(entries + 2);
    const subtree = hashesFromTiles(size, (tile) => read(again, tilePath(tile)));
    expect(treeRoot(seen.size, subtree)).toEqual(seen.root);
  });
});

describe('a published log', () => {
  it.each([
    ['in the index', (_: string, out: string) => Promise.resolve(out)],
    ['at an address', (copy: string) => serve(copy)],
  ])('%s loses no entry', async (_, place) => {
    const { git, out, run } = signedRegistry();
    const base = git.git('rev-parse', 'HEAD');
    git.commit(build('a/x', '1.0.0'));
    const first = git.git('rev-parse', 'HEAD');
    git.commit(build('a/x', '1.1.0'));
    await run();
    const copy = join(temporaryFolder(), 'copy');
    await run({ out: copy });
    const before = readTree(out);
    const published = readPublished(await place(copy, out));
    // Another second publication, and a history that is shorter.
    git.git('reset', '-q', '--hard', first);
    git.commit(build('a/x', '1.2.0'));
    await expect(run({ published })).rejects.toMatchObject({
      code: 'ERR_LOG_FORK',
      message: expect.stringMatching(
        /entry 1 of 3 was \{.*"1\.1\.0"\}, and is now \{.*"1\.2\.0"\}$/,
      ),
    });
    git.git('reset', '-q', '--hard', base);
    git.commit({ 'README.md': 'new' });
    await expect(run({ published })).rejects.toMatchObject({
      code: 'ERR_LOG_FORK',
      message: expect.stringMatching(/entry 0 of 3 was \{.*"1\.0\.0"\}, and is now \{.*"map".*\}$/),
    });
    expect(readTree(out)).toEqual(before);
  });

  it('with another name or damaged stops the run', async () => {
    const { git, out, run } = signedRegistry();
    git.commit(build('a/x', '1.0.0'));
    await run();
    const renamed = noteSigner('other.example/log', 'note', new Uint8Array(32).fill(1));
    git.commit({ 'registry.config.json': JSON.stringify({ origin: 'other.example' }) });
    await expect(run({ signers: [renamed] })).rejects.toMatchObject({
      code: 'ERR_LOG_FORK',
      message: expect.stringContaining(
        'its name is "registry.example/log", and now "other.example/log"',
      ),
    });
    writeFileSync(join(out, 'log/checkpoint'), 'registry.example/log\nmany\n\n— x y\n');
    await expect(run({ signers: [renamed] })).rejects.toMatchObject({
      code: 'ERR_LOG_PUBLISHED',
    });
  });

  it('that cannot be reached stops the run', async () => {
    const { git, run } = signedRegistry();
    git.commit(build('a/x', '1.0.0'));
    const published = readPublished('http://127.0.0.1:1');
    await expect(run({ published })).rejects.toMatchObject({ code: 'ERR_LOG_PUBLISHED' });
  });

  it('that nobody signed begins again with another history', async () => {
    const { git, out, run } = signedRegistry();
    git.commit(build('a/x', '1.0.0'));
    const report = await run({ signers: [] });
    expect(report.isUnsigned).toBe(true);
    git.git('reset', '-q', '--hard', 'HEAD~1');
    git.commit(build('a/x', '2.0.0'));
    await run();
    expect(entriesOf(out)).toMatchObject([{ version: '2.0.0' }]);
  });
});

it('generate signs with the key of the environment, and warns without', async () => {
  const { git, out } = signedRegistry();
  git.commit(build('a/x', '1.0.0'));
  const args = ['--repo', git.folder, '--out', out, '--no-client', '--no-site'];
  const runWith = (variables: Record<string, string>) => runCommand('generate', args, variables);
  const unsigned = await runWith({});
  expect([unsigned.status, unsigned.stderr]).toEqual([
    0,
    expect.stringContaining('warning: The transparency log is not signed'),
  ]);
  const key = { STACKYARD_LOG_KEY: formatNoteSigner(SIGNER) };
  const signed = await runWith(key);
  expect([signed.status, signed.stderr]).toEqual([
    0,
    expect.stringMatching(/^note: This run begins a transparency log\./),
  ]);
  const again = await runWith(key);
  expect([again.status, again.stderr]).toEqual([0, '']);
  expect(checkpointOf(out).size).toBe(2);
  const wrong = await runWith({ STACKYARD_LOG_KEY: 'PRIVATE+KEY+hunter2' });
  expect(wrong.status).toBe(1);
  expect(wrong.stderr).toContain('[ERR_LOG_KEY]');
  expect(wrong.stderr).not.toContain('hunter2');
});

/** The address of a server for the files of a folder. */
async function serve(folder: string): Promise<string> {
  const server = createServer((request, response) => {
    const file = join(folder, request.url ?? '');
    if (!existsSync(file)) response.writeHead(404).end();
    else response.end(readFileSync(file));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
