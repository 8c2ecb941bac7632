/** A machine that generates and deploys by the programs, with nothing on it at first. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { formatNoteSigner, noteSigner } from '../../format/log/note-key.ts';
import type { NoteSigner } from '../../format/log/note-key.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import type { GitFixture } from '../generate/git-fixture.ts';
import { readTree } from '../generate/index-reader.ts';
import { runCommand } from '../run/generator-command.ts';
import { storeAt } from './deploy-fixture.ts';
import type { Place } from './deploy-fixture.ts';

export const ORIGIN = 'registry.example/main';
export const SIGNER: NoteSigner = noteSigner(`${ORIGIN}/log`, 'note', new Uint8Array(32).fill(7));
const KEY = { STACKYARD_LOG_KEY: formatNoteSigner(SIGNER) };

export class Machine {
  readonly index: string = join(temporaryFolder(), 'index');
  readonly #git: GitFixture;
  readonly #place: Place;

  constructor(git: GitFixture, place: Place) {
    this.#git = git;
    this.#place = place;
  }

  get state(): string {
    return join(this.index, '../.index.state.sqlite');
  }

  /** Runs the program with the state in the store; `isFull` when it read everything. */
  async generate(...more: string[]): Promise<{ isFull: boolean; stderr: string }> {
    const from = ['--from-store', this.#place.target];
    const args = ['--repo', this.#git.folder, '--out', this.index, '--no-client', '--json'];
    const { status, stdout, stderr } = await runCommand('generate', [...args, ...from, ...more], {
      ...KEY,
      AWS_ENDPOINT_URL: this.#place.server.endpoint,
    });
    if (status !== 0) throw new Error(stderr);
    return { isFull: (JSON.parse(stdout) as { mode: string }).mode === 'full', stderr };
  }

  /** Runs the program, which keeps the state; the notes that it prints. */
  async deploy(...more: string[]): Promise<string> {
    const { target, server } = this.#place;
    const args = [target, '--endpoint', server.endpoint, '--out', this.index, '--grace', '0'];
    const { status, stderr } = await runCommand(
      'deploy',
      [...args, '--state', this.state, ...more],
      KEY,
    );
    if (status !== 0) throw new Error(stderr);
    return stderr;
  }
}

/** Requires that the store has the index of a full run, byte for byte, and nothing else. */
export async function expectWhole(git: GitFixture, place: Place): Promise<void> {
  const [store, index] = [storeAt(place), join(temporaryFolder(), 'index')];
  const [stored, published]: [string[], string] = [[], temporaryFolder()];
  for await (const { path } of store.list()) if (!path.startsWith('.deploy/')) stored.push(path);
  for (const path of stored.filter((one) => one.startsWith('log/'))) {
    mkdirSync(dirname(join(published, path)), { recursive: true });
    writeFileSync(join(published, path), (await store.read(path))!.bytes);
  }
  const args = ['--repo', git.folder, '--out', index, '--no-client', '--full'];
  args.push('--published', published);
  expect((await runCommand('generate', args, KEY)).status).toBe(0);
  expect(stored.sort()).toEqual(Object.keys(readTree(index)));
  for (const path of stored) {
    const bytes = Buffer.from((await store.read(path))!.bytes);
    const isSame = bytes.equals(readFileSync(join(index, path)));
    expect([path, isSame]).toEqual([path, true]);
  }
}
