/** The command `log:cosign`, with witnesses of others. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cosignaturesOf } from '../../format/log/cosignature.ts';
import { parseNote } from '../../format/log/note.ts';
import { formatNoteKey, noteSigner, type NoteKey } from '../../format/log/note-key.ts';
import { cosignLog } from '../../generator/log/ask-witnesses.ts';
import { generateDocuments } from './generate-documents.ts';
import { runCommandProcess } from '../run/generator-command.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';
import { LOG, startWitness } from './witness-fixture.ts';

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

function confirmations(out: string, keys: readonly NoteKey[]): number {
  const note = parseNote(readFileSync(join(out, 'log/checkpoint')));
  return cosignaturesOf(note, keys).length;
}

/** As registry.config.json names a witness. */
function configured({ key, address }: Awaited<ReturnType<typeof startWitness>>) {
  return { key: formatNoteKey(key), address };
}

describe('the step that asks witnesses', () => {
  it('puts their cosignatures into the checkpoint, for every state', async () => {
    const { out, grow } = await index('One.');
    const started = [await startWitness('witness.example/3'), await startWitness('w.example')];
    const keys = started.map(({ key }) => key);
    const witnesses = started.map(configured);
    for (let round = 0; round < 3; round += 1) {
      const asked = await cosignLog(out, witnesses);
      expect(asked.map(({ reply }) => reply.kind)).toEqual(['confirmed', 'confirmed']);
      // Again for the same state: newer cosignatures replace the earlier ones.
      await cosignLog(out, witnesses);
      expect(confirmations(out, keys)).toBe(2);
      expect(parseNote(readFileSync(join(out, 'log/checkpoint'))).signatures).toHaveLength(3);
      await grow();
      expect(confirmations(out, keys)).toBe(0);
    }
  });

  it('keeps them while the log is the same', async () => {
    const { out, run } = await index('One.');
    const started = await startWitness('witness.example/3');
    await cosignLog(out, [configured(started)]);
    const before = readFileSync(join(out, 'log/checkpoint'), 'utf8');
    await run();
    expect(readFileSync(join(out, 'log/checkpoint'), 'utf8')).toBe(before);
    expect(confirmations(out, [started.key])).toBe(1);
  });

  it('finds that a witness saw another log, of this size, a smaller and a larger one', async () => {
    const started = await startWitness('witness.example/3');
    const [one, other] = [await index('One.'), await index('Another.')];
    await cosignLog(one.out, [configured(started)]);
    const problems: string[] = [];
    const ask = async (out: string): Promise<void> => {
      const [asked] = await cosignLog(out, [configured(started)]);
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
    expect(confirmations(other.out, [started.key])).toBe(0);
  });

  it('goes on without a witness that does not answer, or answers something else', async () => {
    const { out } = await index('One.');
    const before = readFileSync(join(out, 'log/checkpoint'), 'utf8');
    const answers = createServer(
      (_, response) => void response.end('— witness.example/3 AAAAAAAAAAAA\n'),
    );
    await new Promise<void>((resolve) => void answers.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void answers.close());
    const seed = new Uint8Array(32).fill(3);
    const key = formatNoteKey(noteSigner('witness.example/3', 'cosignature', seed));
    const { address } = await startWitness('witness.example/9');
    const asked = await cosignLog(out, [
      { key, address: `http://127.0.0.1:${(answers.address() as AddressInfo).port}` },
      { key, address: 'http://127.0.0.1:1' },
      { key, address },
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

describe('log:cosign', () => {
  it('asks the witnesses that the configuration names', async () => {
    const { out } = await index('One.');
    const started = await startWitness('witness.example/3');
    const config = join(temporaryFolder(), 'registry.config.json');
    writeFileSync(config, JSON.stringify({ log: { witnesses: [configured(started)] } }));
    const done = await runCommandProcess('log:cosign', '--out', out, '--config', config);
    expect(done).toMatchObject({ status: 0, stdout: 'confirmed  witness.example/3\n' });
    expect(confirmations(out, [started.key])).toBe(1);
    const { out: other } = await index('Another.');
    const forked = await runCommandProcess('log:cosign', '--out', other, '--config', config);
    expect(forked.status).toBe(1);
    expect(forked.stderr).toMatch(
      /^error: Witness "witness\.example\/3" has another log of 2 entries/,
    );
  });

  it('cannot read a configuration that is not there', async () => {
    const ended = await runCommandProcess('log:cosign', '--config', '/nowhere.json');
    expect(ended.status).toBe(2);
    expect(ended.stderr).toMatch(/Cannot read "\/nowhere\.json"/);
  });
});
