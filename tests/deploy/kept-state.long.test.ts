/** The state of the generator in a store: a machine without one goes on from it, and from nothing that was altered. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noteSigner } from '../../format/log/note-key.ts';
import { formatKeptState, parseKeptState } from '../../generator/deploy/keep-state.ts';
import { restoreState } from '../../generator/deploy/restore-state.ts';
import type { Store } from '../../generator/deploy/store.ts';
import { FilesElsewhere } from '../../generator/state/files-elsewhere.ts';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { deployTo, makePlace, storeAt } from './deploy-fixture.ts';
import type { Place } from './deploy-fixture.ts';
import { Machine, ORIGIN, SIGNER, expectWhole } from './machine-fixture.ts';
import { startMoto } from './s3-server.ts';
import type { S3Server } from './s3-server.ts';

const OTHER = noteSigner(`${ORIGIN}/log`, 'note', new Uint8Array(32).fill(8));
const HEADERS = { cacheControl: 'no-store', contentType: 'application/json' };
const STATE = '.deploy/state.json';
const MANIFEST = '.deploy/manifest.json';

let server: S3Server;
let place: Place;
let store: Store;
let git: GitFixture;
beforeAll(async () => {
  server = await startMoto();
});
afterAll(() => server.stop());
beforeEach(async () => {
  place = await makePlace(server);
  store = storeAt(place);
  git = new GitFixture();
  const config = { origin: ORIGIN, site: false, base_url: 'https://registry.example' };
  git.commit({ 'registry.config.json': JSON.stringify(config), ...build('a/x', '1.0.0') });
  git.commit({ ...build('a/x', '1.1.0'), ...build('b/y', '1.0.0') });
});

/** Makes the kept state older than a day. */
async function age(): Promise<void> {
  const { bytes } = (await store.read(STATE))!;
  const state = parseKeptState(bytes, [SIGNER], STATE)!;
  const text = formatKeptState({ ...state, kept_at: state.kept_at - 25 * 3_600_000 }, SIGNER);
  await store.write(STATE, Buffer.from(text), HEADERS);
}

describe('a machine without state', () => {
  it('goes on from the state in the store, and uploads only what is new', async () => {
    const first = new Machine(git, place);
    expect((await first.generate()).stderr).toMatch(/No state was restored .* no deployment/);
    expect(await first.deploy()).toMatch(/The state was kept: /);
    git.commit(build('a/x', '1.2.0'));
    const second = new Machine(git, place);
    const run = await second.generate();
    expect([run.isFull, run.stderr]).toEqual([
      false,
      expect.stringMatching(/The state of commit \w{12} was restored from s3:/),
    ]);
    expect(existsSync(join(second.index, 'builds/b/y.json'))).toBe(false);
    expect(await second.deploy()).toMatch(/The kept state is new enough/);

    // The kept state is older than the index now, and shards of the catalog changed since.
    await age();
    git.commit(build('b/z', '1.0.0'));
    const third = new Machine(git, place);
    expect((await third.generate()).isFull).toBe(false);
    expect(await third.deploy()).toMatch(/The state was kept: /);
    await expectWhole(git, place);

    // The same machine goes on by itself, also after a full run.
    git.commit({ 'builds/b/owner.json': '{ "yanked": { "y": { "1.0.0": "Bad" } } }' });
    expect((await third.generate()).stderr).toMatch(/The state of this machine is used/);
    await third.deploy();
    expect((await third.generate('--full')).isFull).toBe(true);
    expect(FilesElsewhere.read(third.index)).toBeUndefined();
    await third.deploy();
    await expectWhole(git, place);
  });
});

describe('restoreState()', () => {
  const restore = async (signers = [SIGNER]): Promise<string> => {
    const machine = new Machine(git, place);
    const { index: out, state: file } = machine;
    const answer = await restoreState(store, { out, file, signers });
    const isThere = [existsSync(file), existsSync(join(out, 'registry.json'))];
    expect(isThere).toEqual(
      answer.startsWith('The state of commit') ? [true, true] : [false, false],
    );
    return answer;
  };

  /** Changes the text of an object. */
  async function alter(path: string, change: (text: string) => string): Promise<void> {
    const text = Buffer.from((await store.read(path))!.bytes).toString();
    expect(change(text)).not.toBe(text);
    await store.write(path, Buffer.from(change(text)), HEADERS);
  }

  beforeEach(async () => {
    const machine = new Machine(git, place);
    await machine.generate();
    await machine.deploy();
  });

  it('takes nothing that was altered, is missing, or is of another key', async () => {
    expect(await restore()).toMatch(/^The state of commit/);
    expect(await restore([OTHER])).toMatch(/its list of files is not authentic/);
    expect(await restore([])).toMatch(/its list of files is not authentic/);
    const state = (await store.read(STATE))!.bytes;
    await alter(STATE, (text) => text.replace(/"head":"\w/, '"head":"x'));
    expect(await restore()).toMatch(/it has no authentic state/);
    await store.write(STATE, Buffer.from('{'), HEADERS);
    expect(await restore()).toMatch(/it has no authentic state/);
    await store.write(STATE, state, HEADERS);
    const [, part = ''] = /"parts":\["(\w+)"/.exec(Buffer.from(state).toString()) ?? [];
    const path = `.deploy/state/${part}.gz`;
    const bytes = (await store.read(path))!.bytes;
    await store.write(path, bytes.subarray(1), HEADERS);
    expect(await restore()).toMatch(/its state is damaged/);
    await store.remove(path);
    expect(await restore()).toMatch(/its state is damaged/);
    await store.write(path, bytes, HEADERS);
    expect(await restore()).toMatch(/^The state of commit/);
    await alter(MANIFEST, (text) => text.replace(/"mac":"\w/, '"mac":"'));
    expect(await restore()).toMatch(/no deployment has ended there|is not authentic/);
  });

  it('takes no state that a newer version wrote', async () => {
    git.commit(build('b/z', '1.0.0'));
    const machine = new Machine(git, place);
    await machine.generate();
    const db = new Database(machine.state);
    db.pragma('user_version = 10000');
    db.close();
    await age();
    await machine.deploy();
    expect(await restore()).toMatch(/because a newer version of this software wrote its state/);
    expect((await new Machine(git, place).generate()).isFull).toBe(true);
  });

  it('takes no list of files that a deployment without the key wrote', async () => {
    const machine = new Machine(git, place);
    await machine.generate('--full');
    git.commit(build('b/y', '1.1.0'));
    await machine.generate();
    await deployTo(store, { git, index: machine.index, publish: () => Promise.resolve() });
    expect(await restore()).toMatch(/its list of files is not authentic/);
  });
});
