/** The transparency log against hosts that alter, hide, fork and roll back what a registry published. */
// oxlint-disable vitest/expect-expect -- expectRefused() and expectDone() do
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatNoteKey } from '../../format/log/note-key.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { OTHER, SIGNER, Scenario, expectDone, expectRefused, lockedLog } from './log-scenario.ts';
import { makeProject } from './registry-fixture.ts';

const ALTERED = /documents\/\w+\.json has another digest than in its name/;

describe('an install from a registry with a log', () => {
  it('keeps what the log proves in the lock', async () => {
    const scenario = await Scenario.begin();
    await expectDone(scenario, ['add', 'a/y']);
    const log = lockedLog(scenario.project, 'a/y')!;
    expect(log).toMatchObject({ index: 1, key: formatNoteKey(SIGNER) });
    expect(log.proof).toHaveLength(2);
    expect(log.checkpoint).toMatch(/^registry\.example\/log\n3\n/);
  });

  it('goes on when the log grows', async () => {
    const scenario = await Scenario.begin();
    await expectDone(scenario, ['add', 'a/x']);
    scenario.git.commit(build('a/x', '1.1.0', { base: 'src/x' }));
    await scenario.publish();
    await expectDone(scenario, ['update']);
    expect(lockedLog(scenario.project, 'a/x')).toMatchObject({ index: 3 });
  });

  it('from one that nobody signs works, with a note that is printed once', async () => {
    const scenario = await Scenario.begin();
    await generateDocuments({ repo: scenario.git.folder, out: scenario.index, threads: 1 });
    const note = `note: Nobody signs a transparency log of ${scenario.url}: `;
    const first = await scenario.run(['add', 'a/x']);
    expect([first.status, first.stderr]).toEqual([0, expect.stringContaining(note)]);
    expect(lockedLog(scenario.project, 'a/x')).toBeUndefined();
    const second = await scenario.run(['add', 'a/y']);
    expect([second.status, second.stderr]).toEqual([0, expect.not.stringContaining('note:')]);
    scenario.state = temporaryFolder();
    const other = await scenario.run(['add', 'a/y', '--json'], makeProject());
    expect([other.status, other.stderr]).toEqual([0, expect.stringContaining(note)]);
    expect(JSON.parse(other.stdout)).toMatchObject({ ok: true, warnings: [] });
  });
});

describe('a host', () => {
  it('that swaps a tarball with its head and record is refused, in an old and in a new project, and for a new user', async () => {
    const scenario = await Scenario.begin();
    await expectDone(scenario, ['add', 'a/y']);
    const forged = new GitFixture();
    forged.commit({ 'registry.config.json': JSON.stringify({ origin: 'registry.example' }) });
    forged.commit(build('a/x', '1.0.0', { base: 'src/x', description: 'Forged.' }));
    const out = join(temporaryFolder(), 'index');
    await generateDocuments({ repo: forged.folder, out, threads: 1 });
    scenario.replace('heads/a/x.json', readFileSync(join(out, 'heads/a/x.json')));
    scenario.serve(out, 'builds/a', 'heads/a/x.json');
    const problem = ALTERED;
    await expectRefused(scenario, ['add', 'a/x'], problem);
    await expectRefused(scenario, ['add', 'a/x'], problem, makeProject());
    scenario.state = temporaryFolder();
    await expectRefused(scenario, ['add', 'a/x'], problem, makeProject());
  });

  it('that forks the log is refused, and both sides are kept', async () => {
    const scenario = await Scenario.begin();
    await expectDone(scenario, ['add', 'a/y']);
    const forked = new GitFixture();
    forked.commit({ 'registry.config.json': JSON.stringify({ origin: 'registry.example' }) });
    forked.commit(build('a/x', '1.0.0', { base: 'src/x', description: 'Another.' }));
    forked.commit(build('a/y', '1.0.0', { base: 'src/y' }));
    forked.commit(build('a/z', '1.0.0', { base: 'src/z' }));
    await scenario.publish(forked);
    const error = await expectRefused(
      scenario,
      ['add', 'a/z'],
      /4 entries do not begin with the 3/,
    );
    const [, file = ''] = /evidence: (\S+)/.exec(error) ?? [];
    const evidence = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    expect(evidence).toMatchObject({ origin: 'registry.example' });
    expect([evidence['kept'], evidence['served']]).toEqual([
      expect.stringMatching(/\n3\n/),
      expect.stringMatching(/\n4\n/),
    ]);
  });

  it('that shows another log of the same size is refused', async () => {
    const scenario = await Scenario.begin();
    await expectDone(scenario, ['add', 'a/y']);
    const forked = new GitFixture();
    forked.commit({ 'registry.config.json': JSON.stringify({ origin: 'registry.example' }) });
    forked.commit(build('a/y', '1.0.0', { base: 'src/y' }));
    forked.commit(build('a/z', '1.0.0', { base: 'src/z' }));
    await scenario.publish(forked);
    await expectRefused(scenario, ['add', 'a/z'], /3 entries do not begin with the 3/);
  });

  it('that rolls the log back is refused', async () => {
    const scenario = await Scenario.begin();
    const old = scenario.copy();
    scenario.git.commit(build('a/z', '1.0.0', { base: 'src/z' }));
    await scenario.publish();
    await expectDone(scenario, ['add', 'a/y']);
    scenario.serve(old);
    await expectRefused(scenario, ['add', 'a/x'], /it has 3 entries, and had 5/);
  });

  it('that signs with another key is refused', async () => {
    const scenario = await Scenario.begin();
    await expectDone(scenario, ['add', 'a/y']);
    const forged = new GitFixture(join(temporaryFolder()));
    forged.commit({ 'registry.config.json': JSON.stringify({ origin: 'registry.example' }) });
    forged.commit(build('a/x', '1.0.0', { base: 'src/x' }));
    await scenario.publish(forged, OTHER);
    await expectRefused(
      scenario,
      ['add', 'a/x'],
      /its checkpoint is not signed by "registry\.example\/log\+/,
    );
  });

  it('that has no log any more, or an unsigned one, is refused', async () => {
    const scenario = await Scenario.begin();
    await expectDone(scenario, ['add', 'a/y']);
    const out = join(temporaryFolder(), 'index');
    await generateDocuments({ repo: scenario.git.folder, out, threads: 1 });
    rmSync(join(scenario.index, 'log/checkpoint'));
    const gone = await scenario.run(['add', 'a/x']);
    expect([gone.status, gone.stderr]).toEqual([
      7,
      expect.stringContaining('log/checkpoint: it is'),
    ]);
    scenario.serve(out);
    const stderr = await expectRefused(
      scenario,
      ['add', 'a/x'],
      /has a log that is not signed, and it must be signed by/,
    );
    expect(stderr).toContain('docs/operate.md, "When something happened"');
  });

  it.each([
    ['a signature', 'checkpoint', (text: string) => text.replace(/.{3}=\n$/, 'AAA=\n')],
    [
      'the root',
      'checkpoint',
      (text: string) => text.replace(/\n.{43}=\n/, `\n${'A'.repeat(43)}=\n`),
    ],
    ['the form', 'checkpoint', () => 'not a note'],
    [
      'a tile',
      'tile/0/000.p/3',
      (text: string) => `${text.startsWith('x') ? 'y' : 'x'}${text.slice(1)}`,
    ],
    ['the length of a tile', 'tile/0/000.p/3', (text: string) => text.slice(1)],
  ])('that alters %s is refused', async (_, path, alter) => {
    const scenario = await Scenario.begin();
    const file = join(scenario.index, 'log', path);
    writeFileSync(file, alter(readFileSync(file, 'latin1')), 'latin1');
    await expectRefused(scenario, ['add', 'a/x'], /transparency log cannot be trusted|is missing/);
    // Before registry.json is read, nobody knows the name by which evidence is kept.
    const logs = join(scenario.state, 'logs');
    const kept = existsSync(logs) ? readdirSync(logs) : [];
    expect(kept.filter((file) => !file.includes('evidence'))).toEqual([]);
  });

  it('with two keys, while one replaces the other, is trusted with the new one afterwards', async () => {
    const scenario = await Scenario.begin();
    await expectDone(scenario, ['add', 'a/y']);
    const key = formatNoteKey(OTHER);
    scenario.git.commit({
      'registry.config.json': JSON.stringify({ origin: 'registry.example', log: { key } }),
    });
    await generateDocuments({
      repo: scenario.git.folder,
      out: scenario.index,
      threads: 1,
      signers: [OTHER, SIGNER],
    });
    await expectDone(scenario, ['add', 'a/x']);
    scenario.git.commit(build('a/z', '1.0.0', { base: 'src/z' }));
    await generateDocuments({
      repo: scenario.git.folder,
      out: scenario.index,
      threads: 1,
      signers: [OTHER],
    });
    await expectDone(scenario, ['add', 'a/z']);
    expect(lockedLog(scenario.project, 'a/z')).toMatchObject({ key });
  });
});
