/** What a user may demand of a transparency log: keys and witnesses; and what `verify` finds in a lock. */
// oxlint-disable vitest/expect-expect -- expectRefused() and expectDone() do
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatNoteKey, noteSigner, type NoteKey } from '../../format/log/note-key.ts';
import { formatNote, parseNote } from '../../format/log/note.ts';
import { cosign } from '../../format/log/cosignature.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { runCommand } from '../run/generator-command.ts';
import { editHead } from './edit-head.ts';
import { OTHER, SIGNER, Scenario, expectDone, expectRefused } from './log-scenario.ts';
import { makeProject } from './registry-fixture.ts';

const WITNESSES = [3, 4].map((n) =>
  noteSigner(`witness.example/${n}`, 'cosignature', new Uint8Array(32).fill(n)),
);
const [W1 = '', W2 = ''] = WITNESSES.map(formatNoteKey);

/** Puts cosignatures of the first `count` witnesses into the served checkpoint. */
function confirm(scenario: Scenario, count: number): void {
  const file = join(scenario.index, 'log', 'checkpoint');
  const { text, signatures } = parseNote(readFileSync(file));
  const time = Math.floor(Date.now() / 1000);
  const added = WITNESSES.slice(0, count).map((witness) => cosign(text, witness, time));
  writeFileSync(file, formatNote({ text, signatures: [signatures[0]!, ...added] }));
}

/** Runs `registry`, which takes no option --registry. */
function registry(scenario: Scenario, ...args: readonly string[]): ReturnType<Scenario['plain']> {
  return scenario.plain(['registry', ...args]);
}

function stating(scenario: Scenario, key: NoteKey): ReturnType<Scenario['plain']> {
  return registry(scenario, 'add', 'r', scenario.url, '--key', formatNoteKey(key));
}

/** @returns the lock before */
function editLock(scenario: Scenario, edit: (text: string) => string): string {
  const file = join(scenario.project, 'stackyard.lock.json');
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, edit(before));
  return before;
}

/** The project has the registry "r", and its lock names witnesses that must all confirm. */
async function demand(scenario: Scenario, ...keys: readonly string[]): Promise<void> {
  const added = await registry(scenario, 'add', 'r', scenario.url);
  expect(added.status, added.stderr).toBe(0);
  editLock(scenario, (text) => {
    const lock = JSON.parse(text) as { registries: Record<string, object> };
    const log = { witnesses: { count: keys.length, keys } };
    lock.registries['r'] = { ...lock.registries['r'], log };
    return `${JSON.stringify(lock, null, 2)}\n`;
  });
}

describe('a project that demands witnesses', () => {
  it('is refused a state that too few confirmed, and takes one that enough did', async () => {
    const scenario = await Scenario.begin();
    confirm(scenario, 2);
    await demand(scenario, W1, W2);
    confirm(scenario, 1);
    await expectRefused(
      scenario,
      ['add', 'r:a/x'],
      /of its 2 witnesses 1 confirmed this state, and 2 must/,
    );
    confirm(scenario, 2);
    await expectDone(scenario, ['add', 'r:a/x']);
  });

  it('is refused a fork, even one that the witnesses signed', async () => {
    const scenario = await Scenario.begin();
    confirm(scenario, 2);
    await demand(scenario, W1, W2);
    await expectDone(scenario, ['add', 'r:a/x']);
    const forked = new GitFixture();
    forked.commit({ 'registry.config.json': JSON.stringify({ origin: 'registry.example' }) });
    for (const name of ['x', 'y', 'z']) {
      forked.commit(build(`a/${name}`, '1.0.0', { base: `src/${name}`, description: 'Forked.' }));
    }
    await scenario.publish(forked);
    confirm(scenario, 2);
    const problem = /4 entries do not begin with the 3/;
    await expectRefused(scenario, ['add', 'a/z'], problem, makeProject());
  });

  it.each([
    [['--key', W1], /not the public key of a log/],
    [['--key', 'none'], /not the public key of a log/],
  ])('gets a message about what is wrong with %j', async (options, problem) => {
    const scenario = await Scenario.begin();
    const refused = await registry(scenario, 'add', 'r', scenario.url, ...options);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringMatching(problem)]);
  });
});

describe('a project that demands a key', () => {
  it('is refused another one', async () => {
    const scenario = await Scenario.begin();
    const refused = await stating(scenario, OTHER);
    expect([refused.status, refused.stderr]).toEqual([
      6,
      expect.stringMatching(/not signed by "registry\.example\/log\+/),
    ]);
    const added = await stating(scenario, SIGNER);
    expect(added.status, added.stderr).toBe(0);
  });

  it('does not replace the one that the user has seen', async () => {
    const scenario = await Scenario.begin();
    await stating(scenario, SIGNER);
    editLock(scenario, (text) => text.replace(formatNoteKey(SIGNER), formatNoteKey(OTHER)));
    // The registry lost its key: users state the new one.
    const log = { dropped: [formatNoteKey(SIGNER)] };
    const config = { origin: 'registry.example', log };
    scenario.git.commit({ 'registry.config.json': JSON.stringify(config) });
    await scenario.publish(scenario.git, OTHER);
    await expectRefused(
      scenario,
      ['add', 'r:a/x'],
      /you have seen it signed by "registry\.example/,
    );
    const stated = await stating(scenario, OTHER);
    expect(stated.status, stated.stderr).toBe(0);
    await expectDone(scenario, ['add', 'r:a/x']);
  });

  it('is proved again by one command where the registry lost its key, with its edits', async () => {
    const scenario = await Scenario.begin();
    await expectDone(scenario, ['add', 'a/x', 'a/y']);
    const file = join(scenario.project, 'src/y/src/index.ts');
    writeFileSync(file, `${readFileSync(file, 'utf8')}// Ours.\n`);
    const before = await scenario.plain(['verify']);
    expect([before.status, before.stdout]).toEqual([0, expect.stringContaining('edited')]);
    const [key, config] = [formatNoteKey(OTHER), { origin: 'registry.example' }];
    const log = { key, dropped: [formatNoteKey(SIGNER)] };
    // Of one build the registry has only a tombstone.
    const gone = ['a/x', '--reason', 'Court order', '--reference', 'x', '--repo'];
    expect((await runCommand('take-down', [...gone, scenario.git.folder])).status).toBe(0);
    scenario.git.commit({ 'registry.config.json': JSON.stringify({ ...config, log }) });
    await scenario.publish(scenario.git, OTHER);
    const stating = ['registry', 'add', 'default', scenario.url, '--key', key];
    const first = join(temporaryFolder(), 'copy');
    cpSync(scenario.project, first, { recursive: true });
    const lost = editLock(scenario, (text) => text.replaceAll('"1.0.0"', '"1.0.1"'));
    const refused = await scenario.plain(stating);
    expect(refused.stderr).toMatch(/cannot prove "default": it does not have .* "a\/x"/);
    editLock(scenario, () => lost);
    expect((await scenario.plain(stating, first)).status).toBe(0);
    const other = await scenario.plain(['verify']);
    expect([other.status, other.stderr]).toEqual([
      6,
      expect.stringMatching(/hint: .* proves it; .* stackyard registry add default http\S+ --key/),
    ]);
    const stated = await scenario.plain(stating);
    expect([stated.status, stated.stdout]).toEqual([
      0,
      expect.stringMatching(/^key before: .*\nkey now: .*\nCompare .*\n.* again: 2\n/),
    ]);
    const after = await scenario.plain(['verify']);
    expect([after.status, after.stdout]).toEqual([before.status, before.stdout]);
    expect(readFileSync(file, 'utf8')).toContain('// Ours.');
  });
});

describe('verify', () => {
  it.each([
    ['the proof', (text: string) => text.replace(/("proof": \[\s*").{4}/, '$1AAAA')],
    ['the index', (text: string) => text.replace('"index": 1', '"index": 0')],
    ['the tree', (text: string) => text.replace(/("tree": ")[0-9a-f]{4}/, '$10000')],
    ['the signature', (text: string) => text.replace(/.{3}=\\n"/, 'AAA=\\n"')],
    [
      'the digest',
      (text: string) => text.replace(/("integrity": "sha256-).{4}(?=.*\n\s*"kind")/, '$1AAAA'),
    ],
  ])('finds an altered lock without network: %s', async (_, edit) => {
    const scenario = await Scenario.begin();
    await expectDone(scenario, ['add', 'a/y']);
    const before = await scenario.plain(['verify', '--offline']);
    expect(before.status, before.stderr).toBe(0);
    editLock(scenario, edit);
    const ended = await scenario.plain(['verify', '--offline', '--json']);
    expect(ended.status).toBe(6);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      ok: false,
      status: 'different',
      data: { unproved: [{ build: 'a/y' }] },
      error: { code: 'ERR_LOG' },
    });
    expect((await scenario.plain(['verify', '--offline'])).stdout).toMatch(/^unproved {2}a\/y: /m);
  });

  it('does not believe a lock that is consistent in itself, with a key of its own', async () => {
    const scenario = await Scenario.begin();
    await expectDone(scenario, ['add', 'a/y']);
    editLock(scenario, (text) => {
      const { text: signed } = parseNote(readFileSync(join(scenario.index, 'log/checkpoint')));
      const forged = formatNote({ text: signed, signatures: [] });
      return text
        .replace(formatNoteKey(SIGNER), formatNoteKey(OTHER))
        .replace(/"checkpoint": ".*"/, `"checkpoint": ${JSON.stringify(forged)}`);
    });
    expect((await scenario.plain(['verify', '--offline'])).status).toBe(6);
  });

  it('still proves what was installed before the key was replaced', async () => {
    const scenario = await Scenario.begin();
    await expectDone(scenario, ['add', 'a/y']);
    const key = formatNoteKey(OTHER);
    scenario.git.commit({
      'registry.config.json': JSON.stringify({ origin: 'registry.example', log: { key } }),
    });
    const common = { repo: scenario.git.folder, out: scenario.index, threads: 1 };
    await generateDocuments({ ...common, signers: [OTHER, SIGNER] });
    await expectDone(scenario, ['add', 'a/x']);
    const ended = await scenario.plain(['verify', '--offline']);
    expect(ended.status, ended.stderr).toBe(0);
  });
});

describe('audit', () => {
  it('finds nothing in what was published, and what a host alters of builds that are not installed', async () => {
    const scenario = await Scenario.begin();
    const done = await scenario.plain(['registry', 'audit', scenario.url]);
    expect([done.status, done.stdout]).toEqual([
      0,
      expect.stringMatching(/^entries: 3, builds: 2/),
    ]);
    const head = join(scenario.index, 'heads/a/x.json');
    const altered = editHead(readFileSync(head), ({ versions }) => {
      versions[0]!.status = { is: 'yanked', reason: 'x' };
    });
    writeFileSync(head, altered);
    const ended = await scenario.plain(['registry', 'audit', scenario.url, '--json']);
    expect(ended.status).toBe(6);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      status: 'different',
      data: {
        problems: [
          { where: 'a/x', problem: expect.stringMatching(/not yanked in the log/) },
          { where: 'heads/a/x.json', problem: 'is not what the map has' },
        ],
      },
      error: { code: 'ERR_LOG' },
    });
  });

  it('refuses a registry without a signed log', async () => {
    const scenario = await Scenario.begin();
    await generateDocuments({ repo: scenario.git.folder, out: scenario.index, threads: 1 });
    const ended = await scenario.plain(['registry', 'audit', scenario.url]);
    expect([ended.status, ended.stderr]).toEqual([
      6,
      expect.stringMatching(/nobody signs its transparency log/),
    ]);
  });
});
