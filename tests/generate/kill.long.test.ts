/**
 * `generate`, killed with SIGKILL before any of its changes of the file system: what is then served is a log that
 * continues the one before, it has every version that a head shows, and the next run completes it.
 */
// oxlint-disable vitest/expect-expect -- expectContinued() does
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { auditLog } from '../../format/audit/audit-index.ts';
import { formatLogEntry } from '../../format/log/entry.ts';
import { formatNoteKey, formatNoteSigner, noteSigner } from '../../format/log/note-key.ts';
import { generateDocuments } from './generate-documents.ts';
import { readFromFolder } from '../../generator/log/published-log.ts';
import { runProcess } from '../run/script-process.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';
import { readHead, readVersion, readTree } from './index-reader.ts';

const ROOT = join(import.meta.dirname, '../..');
const PRELOAD = join(ROOT, 'tests/client/kill-at.ts');
const SIGNER = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(1));
const KILLED_AT_ONCE = 3;
/** Of many removals of files that a full tile replaces, one in so many is tried. */
const REMOVALS = 40;

/** The entries of what is served, which must be a sound log. */
async function servedEntries(out: string): Promise<readonly Uint8Array[]> {
  const read = readFromFolder(out);
  const key = formatNoteKey(SIGNER);
  // Only a whole index has registry.json; the log is checked without it.
  const info = {
    interface: 1,
    name: '',
    source_commit: '',
    builds: 0,
    versions: 0,
    log: { key, origin: SIGNER.name },
  };
  const registry = new TextEncoder().encode(JSON.stringify({ base_url: '', ...info }));
  const readLog: typeof read = (path) => {
    return path === 'registry.json' ? Promise.resolve(registry) : read(path);
  };
  const { problems, entries } = await auditLog(readLog, key);
  expect(problems).toEqual([]);
  return entries.map(formatLogEntry);
}

/** @param ids of the builds that have heads */
async function expectContinued(
  git: GitFixture,
  start: string,
  ids: readonly string[],
): Promise<void> {
  const run = (folder: string, variables: Readonly<Record<string, string>>) =>
    runProcess({
      file: join(ROOT, 'generator/main.ts'),
      args: [
        'generate',
        '--repo',
        git.folder,
        '--out',
        join(folder, 'index'),
        '--no-client',
        '--no-site',
        '--threads',
        '1',
      ],
      cwd: ROOT,
      env: {
        ...process.env,
        STACKYARD_LOG_KEY: formatNoteSigner(SIGNER),
        NODE_OPTIONS: `--import=${PRELOAD}`,
        ...variables,
      },
    });
  const copy = (): string => {
    const folder = temporaryFolder();
    cpSync(start, folder, { recursive: true });
    return folder;
  };
  const isFirst = readIfAny(join(start, 'index/log/checkpoint')) === undefined;
  const before = isFirst ? [] : await servedEntries(join(start, 'index'));
  const done = copy();
  const counter = join(temporaryFolder(), 'count');
  const ended = await run(done, { KILL_COUNT: counter });
  expect([ended.status, ended.stderr]).toEqual([
    0,
    isFirst ? expect.stringMatching(/^note: This run begins a transparency log\./) : '',
  ]);
  const after = readTree(join(done, 'index'));
  const entries = await servedEntries(join(done, 'index'));
  expect(entries.length).toBeGreaterThan(before.length);
  const names = readFileSync(counter, 'utf8').trim().split('\n');
  const steps = chosen(names);
  const sizes = new Set<number>();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < steps.length; at = next++) {
      const step = steps[at]!;
      const folder = copy();
      const out = join(folder, 'index');
      expect((await run(folder, { KILL_AT: String(step) })).status, names[step]).toBeNull();
      if (!isFirst || readIfAny(join(out, 'log/checkpoint')) !== undefined) {
        const served = await servedEntries(out);
        sizes.add(served.length);
        expect(served.slice(0, before.length)).toEqual(before);
        expect(entries.slice(0, served.length)).toEqual(served);
        expectShownIsLogged(out, served, ids);
      }
      const options = { repo: git.folder, out, threads: 1, signers: [SIGNER] };
      await generateDocuments(options);
      expect(readTree(out), `${step} ${names[step]}`).toEqual(after);
    }
  };
  await Promise.all(Array.from({ length: KILLED_AT_ONCE }, worker));
  expect(sizes).toContain(entries.length);
}

/** Which changes the run is killed before. */
function chosen(names: readonly string[]): number[] {
  const all = [...names.keys()];
  const removals = all.filter((at) => names[at] === 'rmSync');
  const left = new Set(removals.filter((_, n) => n > 3 && n % REMOVALS !== 0));
  return all.filter((at) => !left.has(at) || at === all.length - 1);
}

/** A version that a head shows is in the log that is served with it. */
function expectShownIsLogged(
  out: string,
  served: readonly Uint8Array[],
  ids: readonly string[],
): void {
  for (const id of ids) {
    if (readIfAny(join(out, `heads/${id}.json`)) === undefined) continue;
    for (const { version } of readHead(out, id).versions) {
      const entry = served[readVersion(out, id, version).provenance.predicate.index];
      expect(new TextDecoder().decode(entry)).toContain(`"type":"publish","version":"${version}"`);
    }
  }
}

function readIfAny(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function begin(): GitFixture {
  const git = new GitFixture();
  git.commit({ 'registry.config.json': JSON.stringify({ origin: 'registry.example' }) });
  return git;
}

const toggled = (isYanked: boolean): Record<string, string> => ({
  'builds/a/owner.json': JSON.stringify({ yanked: { x: isYanked ? { '1.0.0': 'x' } : {} } }),
});

it('generate killed in its first run leaves no log, or a whole one', async () => {
  const git = begin();
  git.commit(build('a/x', '1.0.0'));
  await expectContinued(git, temporaryFolder(), ['a/x']);
});

it('generate killed while the log grows leaves one that continues', async () => {
  const git = begin();
  git.commit(build('a/x', '1.0.0'));
  git.commit(build('a/y', '1.0.0'));
  const start = temporaryFolder();
  const out = join(start, 'index');
  await generateDocuments({ repo: git.folder, out, threads: 1, signers: [SIGNER] });
  git.commit({ ...build('a/x', '1.1.0'), ...toggled(true) });
  git.commit(build('a/z', '1.0.0'));
  await expectContinued(git, start, ['a/x', 'a/y', 'a/z']);
});
