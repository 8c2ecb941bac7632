/** Deployments to a folder. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatNoteKey, noteSigner, type NoteSigner } from '../../format/log/note-key.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { readFromFolder } from '../../generator/log/published-log.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { readTree } from '../generate/index-reader.ts';
import { holding } from '../generate/withdrawing.ts';
import { runCommand } from '../run/generator-command.ts';
import { makeSource } from './deploy-fixture.ts';
import type { Source } from './deploy-fixture.ts';

/** Deploys by the program to a folder, without a fault. */
async function deployed(source: Source, folder: string, ...more: string[]): Promise<string> {
  const args = [`file:${folder}`, '--out', source.index, ...more];
  const { status, stdout, stderr } = await runCommand('deploy', args);
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

describe('file: targets', () => {
  it('lose the tarball of a withdrawn version after the grace period, which is no fault', async () => {
    const source = await makeSource();
    const folder = join(temporaryFolder(), 'www');
    const tarball = join(folder, 'builds/a/x/1.1.0.tgz');
    await deployed(source, folder);
    const withdrawn = { x: { '1.1.0': 'It has a key' } };
    await source.publish({ 'builds/a/owner.json': JSON.stringify({ withdrawn }) });
    await deployed(source, folder);
    expect(existsSync(tarball)).toBe(true);
    await deployed(source, folder, '--grace', '0');
    expect(existsSync(tarball)).toBe(false);
    expect(existsSync(join(folder, 'builds/a/x/1.1.0.json'))).toBe(true);
  });

  it('lose all of a take-down at once, whatever the grace period, also a kept state', async () => {
    const source = await makeSource();
    const folder = join(temporaryFolder(), 'www');
    const marker = 'm4rk3r-of-the-leak';
    await source.publish(
      build('a/leak', '1.0.0', { description: marker }, { 'README.md': `# ${marker}\n` }),
    );
    await deployed(source, folder);
    // As a deployment with another key left it.
    const state = join(folder, '.deploy/state/0000');
    mkdirSync(join(folder, '.deploy/state'));
    writeFileSync(state, marker);
    expect(holding(folder, marker).length).toBeGreaterThan(4);
    const statement = { reason: 'Order', date: '2026-04-01', reference: '12 O 34/26' };
    const taken = { taken_down: { leak: { '*': statement } } };
    await source.publish({ 'builds/a/owner.json': JSON.stringify(taken) });
    await deployed(source, folder);
    expect(holding(folder, marker)).toEqual([]);
    expect(existsSync(state)).toBe(false);
    expect(holding(folder, marker)).toEqual([]);
    // What goes later for another reason waits again.
    await source.publish({
      'builds/a/owner.json': JSON.stringify({ ...taken, withdrawn: { x: { '1.1.0': 'x' } } }),
    });
    await deployed(source, folder);
    expect(existsSync(join(folder, 'builds/a/x/1.1.0.tgz'))).toBe(true);
  });

  it('become equal to the index, step by step', async () => {
    const source = await makeSource();
    const folder = join(temporaryFolder(), 'www');
    const run = (...more: string[]): Promise<string> => deployed(source, folder, ...more);
    const present = (): Record<string, string> => {
      const files = Object.entries(readTree(folder)).filter(
        ([path]) => !path.startsWith('.deploy/'),
      );
      return Object.fromEntries(files);
    };
    await run();
    expect(present()).toEqual(readTree(source.index));
    expect(await run()).toContain(': 0 uploaded');
    await source.publish({ ...build('a/x', '1.2.0'), 'builds/b': null });
    await run('--grace', '0');
    await run('--grace', '0');
    expect(present()).toEqual(readTree(source.index));
    rmSync(join(folder, 'heads/a/x.json'));
    rmSync(join(folder, 'builds/a/x/1.0.0.tgz'));
    rmSync(join(folder, '.deploy'), { recursive: true });
    expect(await run()).toContain(': 2 uploaded');
    expect(present()).toEqual(readTree(source.index));
  });

  it('that hold other files are refused', async () => {
    const source = await makeSource();
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'thesis.txt'), '');
    const { status, stderr } = await runCommand('deploy', [
      `file:${folder}`,
      '--out',
      source.index,
    ]);
    expect([status, stderr]).toEqual([1, expect.stringContaining('[ERR_DEPLOY_TARGET]')]);
  });

  it('take no index that clients would refuse for its signature', async () => {
    const [key, next] = [1, 2].map((byte) =>
      noteSigner('registry.example/main/log', 'note', new Uint8Array(32).fill(byte)),
    ) as [NoteSigner, NoteSigner];
    const configOf = (signer: NoteSigner): Record<string, string> => ({
      'registry.config.json': JSON.stringify({
        origin: 'registry.example/main',
        log: { key: formatNoteKey(signer) },
      }),
    });
    const git = new GitFixture();
    git.commit({ ...configOf(key), ...build('a/x', '1.0.0') });
    const folder = join(temporaryFolder(), 'www');
    const indexOf = async (signers: readonly NoteSigner[], config?: string): Promise<string[]> => {
      const index = join(temporaryFolder(), 'index');
      await generateDocuments({
        repo: git.folder,
        out: index,
        threads: 1,
        signers,
        unsigned: true,
        // Its log continues the deployed one.
        comparedWith: readFromFolder(folder),
      });
      const more = config === undefined ? [] : ['--config', config];
      return [`file:${folder}`, '--out', index, ...more];
    };
    const expectRefused = async (args: readonly string[], why: string): Promise<void> => {
      const before = existsSync(folder) ? readTree(folder) : {};
      const { status, stderr } = await runCommand('deploy', args);
      expect([status, stderr]).toEqual([1, expect.stringContaining('[ERR_LOG_KEY]')]);
      expect(stderr).toContain(why);
      expect(existsSync(folder) ? readTree(folder) : {}).toEqual(before);
    };
    // Nothing is deployed yet: the configuration names the key.
    const config = join(git.folder, 'registry.config.json');
    await expectRefused(await indexOf([], config), 'The log is not signed by');
    expect((await runCommand('deploy', await indexOf([key], config))).status).toBe(0);
    await expectRefused(await indexOf([]), 'The log is not signed by');
    git.commit(configOf(next));
    await expectRefused(await indexOf([next]), 'The log is not signed by');
    expect((await runCommand('deploy', await indexOf([next, key], config))).status).toBe(0);
    expect((await runCommand('deploy', await indexOf([next]))).status).toBe(0);
    const altered = await indexOf([next]);
    const checkpoint = join(altered[2]!, 'log/checkpoint');
    writeFileSync(checkpoint, readFileSync(checkpoint, 'utf8').replace(/^(— .{40}).*$/m, '$1AAAA'));
    await expectRefused(altered, 'The log is not signed by');
  });
});
