/** An audit of a registry: what a host may alter, and what it finds with a clone. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteSigner, formatNoteKey } from '../../format/log/note-key.ts';
import { generateDocuments } from './generate-documents.ts';
import { serveFolder } from '../client/registry-fixture.ts';
import { runCommand, runCommandProcess } from '../run/generator-command.ts';
import { ADVISORY, advisoryFile } from '../advisories/advisory-fixture.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';
import { editHead } from '../client/edit-head.ts';
import type { HeadVersion } from '../../format/index/record.ts';
import { readHead } from './index-reader.ts';
import { OPEN } from '../../format/registry/status.ts';

const SIGNER = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(1));
const OTHER = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(2));

interface Published {
  readonly git: GitFixture;
  readonly out: string;
}

const root = mkdtempSync(join(tmpdir(), 'stackyard-audit-'));
let original: Published;
beforeAll(async () => {
  original = await publishOriginal(join(root, 'git'), join(root, 'made/index'));
});
afterAll(() => rmSync(root, { recursive: true }));

/** A copy of a registry with three versions, a yank and a deprecation. */
function publish(): Published {
  const folder = temporaryFolder();
  // With what is beside the index: the next run goes on from it.
  cpSync(dirname(original.out), folder, { recursive: true });
  const git = new GitFixture(temporaryFolder(), original.git);
  return { git, out: join(folder, basename(original.out)) };
}

async function publishOriginal(folder: string, out: string): Promise<Published> {
  for (const path of [folder, dirname(out)]) mkdirSync(path);
  const git = new GitFixture(folder);
  git.commit({ 'registry.config.json': JSON.stringify({ origin: 'registry.example' }) });
  git.commit(build('a/x', '1.0.0'));
  git.commit(build('a/x', '1.1.0'));
  git.commit(build('b/y', '1.0.0'));
  const yanked = { x: { '1.0.0': 'broken' } };
  const deprecated = { x: { reason: 'old', replacement: 'b/y' } };
  git.commit({ 'builds/a/owner.json': JSON.stringify({ yanked, deprecated }) });
  await generateDocuments({ repo: git.folder, out, threads: 1, signers: [SIGNER] });
  return { git, out };
}

/** A published index in which a file was changed. */
function altered(path: string, edit: ((text: string) => string) | null): string {
  const { out } = publish();
  const [first = ''] = path.endsWith('/') ? readdirSync(join(out, path)) : [];
  const file = join(out, path, first);
  if (edit === null) rmSync(file);
  else writeFileSync(file, edit(readFileSync(file, 'latin1')), 'latin1');
  return out;
}

describe('an audit', () => {
  it('finds nothing in what was published, over HTTP and with a clone', async () => {
    const { git, out } = publish();
    const url = await serveFolder(out);
    const ended = await runCommandProcess(
      'audit',
      url,
      '--repo',
      git.folder,
      '--key',
      formatNoteKey(SIGNER),
    );
    expect(ended).toMatchObject({
      status: 0,
      stdout: `entries: 6, builds: 2, versions: 3, signed by ${formatNoteKey(SIGNER)}\nNothing differs\n`,
    });
  });

  it.each([
    [
      'a yank that is hidden',
      'heads/a/x.json',
      (t: string) =>
        editHead(t, ({ versions }) => {
          versions.at(-1)!.status = OPEN;
        }),
      /a\/x: 1\.0\.0 is open in its head, and yanked in the log/,
    ],
    [
      'a yank that is not logged',
      'heads/b/y.json',
      (t: string) =>
        editHead(t, ({ versions }) => {
          versions[0]!.status = { is: 'yanked', reason: 'x' };
        }),
      /b\/y: 1\.0\.0 is yanked in its head, and not yanked in the log/,
    ],
    [
      'a version that is hidden',
      'heads/a/x.json',
      (t: string) => editHead(t, ({ versions }) => void versions.pop()),
      /a\/x: 1\.0\.0 is in the log, and its head hides it/,
    ],
    [
      'a version that is not logged',
      'heads/a/x.json',
      (t: string) =>
        editHead(t, ({ versions }) => {
          versions.unshift({ ...versions[0]!, version: '9.0.0' });
        }),
      /a\/x: 9\.0\.0 is in its head, not in the log/,
    ],
    [
      'another digest',
      'heads/a/x.json',
      (t: string) =>
        editHead(t, ({ versions }) => {
          versions[0]!.integrity = `sha256-${'A'.repeat(43)}=`;
        }),
      /a\/x: 1\.1\.0 is in its head as/,
    ],
    [
      'a deprecation that is hidden',
      'heads/a/x.json',
      (t: string) => JSON.stringify({ ...(JSON.parse(t) as object), deprecated: undefined }),
      /a\/x: is deprecated otherwise than logged/,
    ],
    [
      'another tarball',
      'builds/a/x/1.0.0.tgz',
      (t: string) => `${t}x`,
      /the tarball of 1\.0\.0 is sha256-/,
    ],
    [
      'a tarball that is missing',
      'builds/a/x/1.0.0.tgz',
      null,
      /the tarball of 1\.0\.0 is missing/,
    ],
    [
      'another document',
      'builds/a/x/1.0.0.json',
      (t: string) => t.replace('"index":0', '"index":1'),
      /a\/x: the document of 1\.0\.0: has the digest sha256-/,
    ],
    [
      'a document that is missing',
      'builds/a/x/1.0.0.json',
      null,
      /a\/x: the document of 1\.0\.0: is missing/,
    ],
    ['a head that is missing', 'heads/b/y.json', null, /heads\/b\/y\.json: is missing/],
    [
      'an entry',
      'log/tile/entries/000.p/6',
      (t: string) => t.replace('1.0.0', '1.0.1'),
      /checkpoint: its root is not that of the entries/,
    ],
    ['a bundle that is missing', 'log/tile/entries/000.p/6', null, /000\.p\/6: is missing/],
    ['a bundle that is cut', 'log/tile/entries/000.p/6', (t: string) => t.slice(1), /bundle/],
    [
      'a tile',
      'log/tile/0/000.p/6',
      (t: string) => `x${t.slice(1)}`,
      /000\.p\/6: has other hashes/,
    ],
    [
      'the checkpoint',
      'log/checkpoint',
      (t: string) => t.replace('\n6\n', '\n5\n'),
      /not that of its key/,
    ],
    ['a checkpoint that is missing', 'log/checkpoint', null, /log\/checkpoint: is missing/],
    [
      'a requirement that is invented',
      'heads/b/y.json',
      (t: string) =>
        editHead(t, ({ versions }) => {
          versions[0]!.builds = { 'a/x': '*' };
        }),
      /heads\/b\/y\.json: is not what the map has/,
    ],
    [
      'a registry.json that is altered',
      'registry.json',
      (t: string) => t.replace('"builds"', '"builds" '),
      /registry\.json: is not what the map has/,
    ],
    [
      'an owner that is missing',
      'owners/b.json',
      null,
      /owners\/b\.json: is missing, and the map has/,
    ],
    [
      'another catalog',
      'catalog.json',
      (t: string) => `${t} `,
      /catalog\.json: is not what the map/,
    ],
    [
      'another record',
      'builds/a/x.json',
      (t: string) => `${t} `,
      /builds\/a\/x\.json: has the digest sha256-.*, published with sha256-/,
    ],
    ['no entry of the map', 'log/map-entries/', null, /log\/map-entries\/\w+: is missing/],
    ['a copy by digest that is missing', 'documents/', null, /documents\/\w+\.json: is missing/],
    [
      'another copy by digest',
      'documents/',
      (t: string) => `${t} `,
      /documents\/\w+\.json: has another digest/,
    ],
    [
      'another entry of the map',
      'log/map-entries/',
      (t: string) => `${t} `,
      /log\/map-entries\/\w+: is not the last map of the log/,
    ],
  ])('finds %s', async (_, path, edit, problem) => {
    const ended = await runCommand('audit', [altered(path, edit)]);
    expect([ended.status, ended.stdout]).toEqual([1, expect.stringMatching(problem)]);
  });

  it('finds without a clone that advisories and moves are hidden, and a yank is called a withdrawal', async () => {
    const { git, out } = publish();
    const deprecated = { x: { reason: 'old', replacement: 'b/y' } };
    const moved = { x: { to: 'b/y', since: '2026-01-01' } };
    const yanked = { x: { '1.0.0': 'broken' } };
    git.commit({
      ...advisoryFile(),
      'builds/a/owner.json': JSON.stringify({ yanked, deprecated, moved }),
      'builds/b/owner.json': JSON.stringify({ accepts: { y: 'a/x' } }),
    });
    await generateDocuments({ repo: git.folder, out, threads: 1, signers: [SIGNER] });
    expect((await runCommand('audit', [out])).stdout).toMatch(/Nothing differs\n$/);
    const file = join(out, 'heads/a/x.json');
    const { moved: to, versions } = readHead(out, 'a/x');
    expect([to?.to, versions.at(-1)?.advisories]).toEqual(['b/y', [ADVISORY.id]]);
    const alter = (isWithdrawn: (one: HeadVersion) => boolean): void => {
      const text = editHead(readFileSync(file), (head) => {
        delete head.moved;
        for (const one of head.versions) {
          delete one.advisories;
          if (isWithdrawn(one)) one.status = { is: 'withdrawn', reason: 'x' };
        }
      });
      writeFileSync(file, text);
    };
    alter(({ status }) => status.is !== 'open');
    rmSync(join(out, 'builds/a/x/1.0.0.tgz'));
    rmSync(join(out, 'advisories'), { recursive: true });
    const [alone, compared] = [
      await runCommand('audit', [out]),
      await runCommand('audit', [out, '--repo', git.folder]),
    ];
    const differing = ({ stdout }: { stdout: string }): string[] => [
      ...new Set(
        stdout
          .split('\n')
          .slice(0, -3)
          .map((line) => line.split(':')[0]!),
      ),
    ];
    const paths = ['advisories/all.json', `advisories/${ADVISORY.id}.json`, 'heads/a/x.json'];
    expect([alone.status, differing(alone)]).toEqual([1, paths]);
    expect([compared.status, differing(compared).toSorted()]).toEqual([
      1,
      [...paths, 'builds/a/x/1.0.0.tgz'].toSorted(),
    ]);
    // What is not yanked in the log cannot be called withdrawn.
    alter(() => true);
    rmSync(join(out, 'builds/a/x/1.1.0.tgz'));
    expect((await runCommand('audit', [out])).stdout).toMatch(
      /1\.1\.0 is withdrawn in its head, and not yanked in the log\n.*the tarball of 1\.1\.0 is missing/,
    );
  });

  it('finds what is served and not in the map, and a file of the map that is altered', async () => {
    const { out } = publish();
    mkdirSync(join(out, 'client'), { recursive: true });
    writeFileSync(join(out, 'client/stackyard.tgz'), 'evil');
    writeFileSync(join(out, 'builds/b/y/compatibility.json'), '{}');
    const served = await runCommand('audit', [out]);
    expect(served.stdout).toMatch(
      /^builds\/b\/y\/compatibility\.json: has the digest .*, published is none\nclient\/stackyard\.tgz: is served, and the map does not have it\n/,
    );
    for (const name of readdirSync(join(out, 'log/map'))) {
      const file = join(out, 'log/map', name);
      writeFileSync(file, `${readFileSync(file, 'latin1')}x`, 'latin1');
    }
    expect((await runCommand('audit', [out])).stdout).toMatch(/log\/map\/\w+: has another digest/);
    rmSync(join(out, 'log/map'), { recursive: true });
    expect((await runCommand('audit', [out])).stdout).toMatch(/log\/map\/\w+: is missing/);
  });

  it('finds another key than the one that must have signed', async () => {
    const ended = await runCommand('audit', [publish().out, '--key', formatNoteKey(OTHER)]);
    expect([ended.status, ended.stdout]).toEqual([1, expect.stringMatching(/not signed by/)]);
  });

  it('finds with a clone what a host forged together with its log', async () => {
    const published = publish();
    const forged = new GitFixture();
    forged.commit({ 'registry.config.json': JSON.stringify({ origin: 'registry.example' }) });
    forged.commit(build('a/x', '1.0.0', { description: 'Forged.' }));
    const out = join(temporaryFolder(), 'index');
    await generateDocuments({ repo: forged.folder, out, threads: 1, signers: [SIGNER] });
    expect((await runCommand('audit', [out])).status).toBe(0);
    const ended = await runCommand('audit', [out, '--repo', published.git.folder]);
    expect([ended.status, ended.stdout]).toEqual([
      1,
      expect.stringMatching(/check that commit out/),
    ]);
    // A host that states the commit of the clone.
    const file = join(out, 'registry.json');
    const own = JSON.parse(readFileSync(file, 'utf8')) as object;
    const real = JSON.parse(readFileSync(join(published.out, 'registry.json'), 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...real, log: (own as { log: object }).log }));
    const again = await runCommand('audit', [out, '--repo', published.git.folder]);
    expect(again.status).toBe(1);
    expect(again.stdout).toMatch(/builds\/a\/x\/1\.0\.0\.tgz: is not what the clone gives/);
    expect(again.stdout).toMatch(/heads\/b\/y\.json: is missing, and the clone has it/);
  });

  it.each([[[]], [['a', 'b']], [['a', '--key', 'none']], [['--nonsense']]])(
    '%j is wrong usage',
    async (args) => {
      expect((await runCommand('audit', args)).status).toBe(2);
    },
  );
});
