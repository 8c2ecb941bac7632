/**
 * What was published stays published, and what was refused stays refused, whatever a later version of the generator demands:
 * the real program runs over one history, first with today's rules and then with changed ones.
 */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { formatNoteKey, formatNoteSigner, noteSigner } from '../../format/log/note-key.ts';
import { runProcess } from '../run/script-process.ts';
import type { Ended } from '../run/script-process.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';
import { readHead, readRecord, readTree } from './index-reader.ts';

const ROOT = join(import.meta.dirname, '../..');
const SIGNER = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(1));

/** One change of a source file, as `[file, text, text instead]`. */
type Mutation = readonly [string, string, string];

const MANIFEST = 'format/build/manifest.ts';
const LIMITS = 'format/build/build-files.ts';

/** Each refuses something that the history below has. */
const STRICTER: Readonly<Record<string, Mutation>> = {
  'shorter descriptions': [MANIFEST, 'text(300)', 'text(10)'],
  'another list of licences': [
    MANIFEST,
    '.refine(isSpdxExpression',
    ".refine((one) => one !== 'MIT'",
  ],
  'a new required field': [MANIFEST, 'homepage: Uri.optional()', 'homepage: Uri'],
  'fewer files': [LIMITS, 'MAX_FILES = 10_000', 'MAX_FILES = 2'],
  'other paths': [
    'scan/validate.ts',
    '...checkFilePaths(readable.map((f) => f.path))',
    '...checkFilePaths(readable.map((f) => `../${f.path}`))',
  ],
  'shorter reasons': ['format/registry/owner-file.ts', '.max(300)', '.max(2)'],
};

const LOOSER: Readonly<Record<string, Mutation>> = {
  'longer descriptions': [MANIFEST, 'text(300)', 'text(3_000)'],
  'longer reasons': ['format/registry/owner-file.ts', '.max(300)', '.max(3_000)'],
};

function history(git: GitFixture, versions: number): void {
  const extra = {
    keywords: ['one', 'two'],
    stack: { requires: { express: '^5.0.0' }, provides: ['auth'] },
    dependencies: { npm: { zod: '^4.0.0' } },
    base: 'src/parts',
    files: ['src/**'],
    env: { SECRET_KEY: { required: true } },
    scripts: { begin: 'node begin.js' },
  };
  for (let n = 0; n < versions; n += 1) {
    const id = `a/part-${n % 5}`;
    const run = { 'bin/run.sh': `#!/bin/sh\necho ${n}\n` };
    git.write(build(id, `1.${n}.0`, extra, run));
    git.makeExecutable(`builds/${id}/bin/run.sh`);
    git.commit({});
  }
  const refused = { description: 'x'.repeat(400) };
  git.commit(build('a/long', '1.0.0', refused));
  git.commit(build('a/long', '1.0.1', { license: 'Nobody-1.0' }));
  git.commit({
    'builds/a/owner.json': JSON.stringify({ yanked: { 'part-0': { '1.0.0': 'broken' } } }),
  });
  const long = { yanked: { 'part-1': { '1.1.0': 'x'.repeat(400) } } };
  git.commit({ 'builds/a/owner.json': JSON.stringify(long) });
  git.commit({
    ...build('a/last', '1.0.0', extra),
    'builds/a/owner.json': JSON.stringify({ yanked: { 'part-0': { '1.0.0': 'broken' } } }),
  });
}

/** A copy of the sources; the folder with packages is shared. */
function copyOfSources(): string {
  const folder = temporaryFolder();
  for (const room of ['format', 'scan', 'generator']) {
    cpSync(join(ROOT, room), join(folder, room), {
      recursive: true,
      filter: (path) => !path.endsWith('.test.ts'),
    });
  }
  for (const file of ['package.json', 'package-lock.json']) {
    cpSync(join(ROOT, file), join(folder, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function generate(sources: string, git: GitFixture, out: string): Promise<Ended> {
  const options = ['--no-client', '--no-site', '--threads', '1'];
  return runProcess({
    file: join(sources, 'generator/main.ts'),
    args: ['generate', '--repo', git.folder, '--out', out, ...options],
    cwd: ROOT,
    env: { ...process.env, STACKYARD_LOG_KEY: formatNoteSigner(SIGNER) },
  });
}

/** Path and digest of each tarball. */
function tarballs(out: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(readTree(out)).filter(([path]) => path.endsWith('.tgz')),
  );
}

function errorsIn(out: string, ids: readonly string[]): number {
  const levels = ids.flatMap((id) => readRecord(out, id).checks.findings.map((f) => f.level));
  return levels.filter((level) => level === 'error').length;
}

/** `out` as a run with other sources continues it. */
async function runWith(mutation: Mutation, start: string, git: GitFixture) {
  const [file, text, instead] = mutation;
  const sources = copyOfSources();
  const before = readFileSync(join(sources, file), 'utf8');
  expect(before.includes(text)).toBe(true);
  writeFileSync(
    join(sources, file),
    before.replace(text, () => instead),
  );
  const folder = temporaryFolder();
  cpSync(start, folder, { recursive: true });
  const out = join(folder, 'index');
  return { out, ended: await generate(sources, git, out) };
}

describe('a signed log', () => {
  const made: { git: GitFixture; start: string }[] = [];
  const begin = async (): Promise<{ git: GitFixture; start: string }> => {
    if (made[0] !== undefined) return made[0];
    const root = mkdtempSync(join(tmpdir(), 'stackyard-rules-'));
    mkdirSync(join(root, 'repo'));
    const git = new GitFixture(join(root, 'repo'));
    const log = { key: formatNoteKey(SIGNER) };
    const config = { name: 'example', base_url: 'https://registry.example', log };
    git.write({ 'registry.config.json': JSON.stringify(config) });
    history(git, 20);
    const start = join(root, 'start');
    const ended = await generate(ROOT, git, join(start, 'index'));
    expect(ended.stderr).not.toContain('[ERR_');
    made.push({ git, start });
    return { git, start };
  };
  afterAll(() => {
    for (const { start } of made) rmSync(dirname(start), { recursive: true, force: true });
  });

  it.each(Object.entries(STRICTER))('loses nothing by %s', async (_, mutation) => {
    const { git, start } = await begin();
    const before = join(start, 'index');
    const { out, ended } = await runWith(mutation, start, git);
    expect(ended.stderr).not.toContain('[ERR_');
    expect(ended.stdout).toMatch(/^builds: /m);
    expect(tarballs(out)).toEqual(tarballs(before));
    const ids = ['a/last', 'a/part-0', 'a/part-1'];
    const versions = (folder: string) =>
      ids.map((id) => readHead(folder, id).versions.map((v) => [v.version, v.status]));
    expect(versions(out)).toEqual(versions(before));
    const isOfOwners = mutation[0].includes('owner');
    expect(errorsIn(before, ids)).toBe(0);
    if (!isOfOwners) expect(errorsIn(out, ids)).toBeGreaterThan(0);
  });

  it.each(Object.entries(LOOSER))('publishes nothing in the past by %s', async (_, mutation) => {
    const { git, start } = await begin();
    const before = join(start, 'index');
    const { out, ended } = await runWith(mutation, start, git);
    expect(ended.stderr).not.toContain('[ERR_');
    expect(ended.stderr).toContain('[integrity-refused-before]');
    expect(tarballs(out)).toEqual(tarballs(before));
    expect(readHead(out, 'a/part-1').versions.filter((v) => v.status.is !== 'open')).toEqual([]);
  });
});

describe('a history over which rules change', () => {
  const all = [...Object.values(STRICTER), ...Object.values(LOOSER)];

  it.each([0, 1, 2, 3])(
    'has the same index after each run and after one full run: %i',
    async (seed) => {
      const random = generator(seed);
      const folder = temporaryFolder();
      mkdirSync(join(folder, 'repo'));
      const git = new GitFixture(join(folder, 'repo'));
      const config = { origin: 'registry.example' };
      git.commit({ ...build('a/first', '1.0.0'), 'registry.config.json': JSON.stringify(config) });
      const out = join(folder, 'out/index');
      let sources = ROOT;
      for (let step = 0; step < 3; step += 1) {
        for (let n = 0; n < 3; n += 1) {
          const id = `a/part-${random() % 3}`;
          const text = 'x'.repeat([5, 100, 400][random() % 3]!);
          const license = ['MIT', 'ISC', 'Nobody-1.0'][random() % 3]!;
          git.commit(
            build(id, `1.${step}.${n}`, { description: text, license, keywords: ['a', 'b'] }),
          );
        }
        const ended = await generate(sources, git, out);
        expect(ended.stderr).not.toContain('[ERR_');
        sources = copyOfSources();
        const [file, before, instead] = all[random() % all.length]!;
        const source = readFileSync(join(sources, file), 'utf8');
        writeFileSync(
          join(sources, file),
          source.replace(before, () => instead),
        );
      }
      await generate(sources, git, out);
      const fresh = join(folder, 'fresh/index');
      cpSync(join(out, 'log'), join(fresh, 'log'), { recursive: true });
      const full = await generate(sources, git, fresh);
      expect(full.stderr).not.toContain('[ERR_');
      expect(readTree(fresh)).toEqual(readTree(out));
    },
  );
});

/** Numbers that look random, the same for the same seed (xorshift32). */
function generator(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}
