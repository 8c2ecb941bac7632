/** The step that asks witnesses over real HTTP, and the commands. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  cosignaturesOf,
  parseNote,
  formatNoteKey,
  formatNoteSigner,
  type NoteSigner,
} from '../../format/log/note-key.ts';
import { cosignLog } from '../../generator/commands/log-cosign.ts';
import { generateDocuments } from './generate-documents.ts';
import { runCommandProcess } from '../run/generator-command.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';
import { LOG, WITNESS, witness, witnessNamed } from './witness-fixture.ts';

interface Index {
  readonly out: string;
  readonly run: () => Promise<void>;
  /** Publishes a version. */
  readonly grow: () => Promise<void>;
}

/** An index with a signed log. */
async function index(description: string): Promise<Index> {
  const [git, out] = [new GitFixture(), join(temporaryFolder(), 'index')];
  const run = async (): Promise<void> => {
    await generateDocuments({ repo: git.folder, out, threads: 1, signers: [LOG] });
  };
  git.commit({ 'registry.config.json': JSON.stringify({ origin: 'registry.example' }) });
  git.commit(build('a/x', '1.0.0', { description }));
  await run();
  let minor = 0;
  const grow = (): Promise<void> => {
    minor += 1;
    git.commit(build('a/x', `1.${minor}.0`, { description }));
    return run();
  };
  return { out, run, grow };
}

function confirmations(out: string, signers: readonly NoteSigner[]): number {
  const note = parseNote(readFileSync(join(out, 'log/checkpoint')));
  return cosignaturesOf(note, signers).length;
}

describe('the step that asks witnesses', () => {
  it('puts their cosignatures into the checkpoint, for every state', async () => {
    const { out, grow } = await index('One.');
    const signers = [3, 4].map(witnessNamed);
    const witnesses = await Promise.all(
      signers.map(async (signer) => ({
        key: formatNoteKey(signer),
        address: await witness(signer),
      })),
    );
    for (let round = 0; round < 3; round += 1) {
      const asked = await cosignLog(out, witnesses);
      expect(asked.map(({ reply }) => reply.kind)).toEqual(['confirmed', 'confirmed']);
      // Again for the same state: newer cosignatures replace the earlier ones.
      await cosignLog(out, witnesses);
      expect(confirmations(out, signers)).toBe(2);
      expect(parseNote(readFileSync(join(out, 'log/checkpoint'))).signatures).toHaveLength(3);
      await grow();
      expect(confirmations(out, signers)).toBe(0);
    }
  });

  it('keeps them while the log is the same', async () => {
    const { out, run } = await index('One.');
    await cosignLog(out, [{ key: formatNoteKey(WITNESS), address: await witness() }]);
    const before = readFileSync(join(out, 'log/checkpoint'), 'utf8');
    await run();
    expect(readFileSync(join(out, 'log/checkpoint'), 'utf8')).toBe(before);
    expect(confirmations(out, [WITNESS])).toBe(1);
  });

  it('finds that a witness saw another log, of this size, a smaller and a larger one', async () => {
    const witnesses = [{ key: formatNoteKey(WITNESS), address: await witness() }];
    const [one, other] = [await index('One.'), await index('Another.')];
    await cosignLog(one.out, witnesses);
    const problems: string[] = [];
    const ask = async (out: string): Promise<void> => {
      const [asked] = await cosignLog(out, witnesses);
      const { reply } = asked!;
      problems.push(reply.kind === 'contradicted' ? reply.problem : reply.kind);
    };
    await ask(other.out);
    await other.grow();
    await ask(other.out);
    await one.grow();
    await one.grow();
    await ask(one.out);
    await ask(other.out);
    expect(problems).toEqual([
      'has another log of 2 entries',
      'has another log of 2 entries',
      'confirmed',
      'has confirmed 6 entries, and there are 4',
    ]);
    expect(confirmations(other.out, [WITNESS])).toBe(0);
  });

  it('goes on without a witness that does not answer, or answers something else', async () => {
    const { out } = await index('One.');
    const before = readFileSync(join(out, 'log/checkpoint'), 'utf8');
    const answers = createServer(
      (_, response) => void response.end('— witness.example/3 AAAAAAAAAAAA\n'),
    );
    await new Promise<void>((resolve) => void answers.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void answers.close());
    const key = formatNoteKey(WITNESS);
    const asked = await cosignLog(out, [
      { key, address: `http://127.0.0.1:${(answers.address() as AddressInfo).port}` },
      { key, address: 'http://127.0.0.1:1' },
      { key, address: await witness(witnessNamed(9)) },
    ]);
    expect(asked.map(({ reply }) => reply)).toEqual([
      { kind: 'failed', problem: 'answers without a signature of its key' },
      { kind: 'failed', problem: expect.any(String) },
      { kind: 'failed', problem: 'answers without a signature of its key' },
    ]);
    expect(readFileSync(join(out, 'log/checkpoint'), 'utf8')).toBe(before);
  });

  it('refuses an index whose log is not signed', async () => {
    const { out } = await index('One.');
    const file = join(out, 'log/checkpoint');
    writeFileSync(file, readFileSync(file, 'utf8').split('—')[0]!);
    await expect(cosignLog(out, [])).rejects.toThrow(/no signature line/);
  });
});

describe('the commands', () => {
  it('"witness" serves until it is stopped, "log:cosign" asks it', async () => {
    const { out } = await index('One.');
    const state = join(temporaryFolder(), 'w.sqlite');
    const command = join(import.meta.dirname, '../../generator/main.ts');
    const args = [command, 'witness', '--log', formatNoteKey(LOG), '--state', state, '--port', '0'];
    const env = { ...process.env, STACKYARD_WITNESS_KEY: formatNoteSigner(WITNESS) };
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const [, key = '', address = ''] =
      /^Witness (\S+) at (\S+)\/add-checkpoint\n$/.exec(line.toString()) ?? [];
    const config = join(temporaryFolder(), 'registry.config.json');
    writeFileSync(config, JSON.stringify({ log: { witnesses: [{ key, address }] } }));
    const done = await runCommandProcess('log:cosign', '--out', out, '--config', config);
    expect(done).toMatchObject({ status: 0, stdout: 'confirmed  witness.example/3\n' });
    expect(confirmations(out, [WITNESS])).toBe(1);
    const { out: other } = await index('Another.');
    const forked = await runCommandProcess('log:cosign', '--out', other, '--config', config);
    expect(forked.status).toBe(1);
    expect(forked.stderr).toMatch(
      /^error: Witness "witness\.example\/3" has another log of 2 entries/,
    );
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each([
    ['witness', [], /Option --log is missing/],
    ['witness', ['--nonsense'], /ERR_USAGE/],
    ['log:cosign', ['--config', '/nowhere.json'], /Cannot read "\/nowhere\.json"/],
  ] as const)('%s %j is wrong usage', async (command, args, problem) => {
    const ended = await runCommandProcess(command, ...args);
    expect([ended.status, ended.stderr]).toEqual([2, expect.stringMatching(problem)]);
  });

  it('witness ends with status 1 without its key', async () => {
    const ended = await runCommandProcess('witness', '--log', formatNoteKey(LOG));
    expect([ended.status, ended.stderr]).toEqual([1, expect.stringContaining('[ERR_LOG_KEY]')]);
  });
});
