/** The state of the generator in a store: a machine without one goes on from it, and from nothing that was altered. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noteSigner } from '../../format/log/note-key.ts';
import { Inventory } from '../../generator/deploy/inventory.ts';
import { restoreState } from '../../generator/state/restore-state.ts';
import type { Store } from '../../generator/deploy/store.ts';
import { FilesElsewhere } from '../../generator/state/files-elsewhere.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { deployTo, makePlace, storeAt } from './deploy-fixture.ts';
import type { Place } from './deploy-fixture.ts';
import { Machine, ORIGIN, SIGNER, expectWhole } from './machine-fixture.ts';
import { startMoto } from './s3-server.ts';
import type { S3Server } from './s3-server.ts';

const OTHER = noteSigner(`${ORIGIN}/log`, 'note', new Uint8Array(32).fill(8));
const INVENTORY = '.deploy/inventory.json';

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

const read = (): Promise<Inventory> => {
  return new Inventory(store, [SIGNER], temporaryFolder()).read();
};

/** Makes the kept state older than a day. */
async function age(): Promise<void> {
  const inventory = await read();
  const { state, ...facts } = inventory.facts;
  const kept_at = state!.kept_at - 25 * 3_600_000;
  await inventory.change(new Map(), { ...facts, state: { ...state!, kept_at } });
}

describe('a machine without state', () => {
  it('goes on from the state in the store, and uploads only what is new', async () => {
    const first = new Machine(git, place);
    expect((await first.generate()).stderr).toMatch(
      /No state was restored .* no inventory by this key/,
    );
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

  beforeEach(async () => {
    const machine = new Machine(git, place);
    await machine.generate();
    await machine.deploy();
  });

  it('takes nothing that was altered, is missing, or is of another key', async () => {
    expect(await restore()).toMatch(/^The state of commit/);
    expect(await restore([OTHER])).toMatch(/it has no inventory by this key/);
    expect(await restore([])).toMatch(/it has no inventory by this key/);
    const { bytes } = (await store.read(INVENTORY))!;
    const text = Buffer.from(bytes).toString();
    for (const changed of [
      text.replace(/"head":"\w/, '"head":"x'),
      text.replace(/"mac":"\w/, '"mac":"x'),
      '{',
    ]) {
      await store.write(INVENTORY, Buffer.from(changed));
      expect(await restore()).toMatch(/it has no inventory by this key/);
    }
    await store.write(INVENTORY, bytes);
    const path = `.deploy/state/${(await read()).facts.state!.sha256}`;
    const state = (await store.read(path))!.bytes;
    await store.write(path, state.subarray(1));
    expect(await restore()).toMatch(/is missing there or altered/);
    await store.remove(path);
    expect(await restore()).toMatch(/is missing there or altered/);
    await store.write(path, state);
    expect(await restore()).toMatch(/^The state of commit/);
    const { taken_down, origin } = (await read()).facts;
    await (await read()).change(new Map(), { taken_down, origin });
    expect(await restore()).toMatch(/the last deployment did not end/);
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
    expect(await restore()).toMatch(/because a newer version of this software wrote it/);
    expect((await new Machine(git, place).generate()).isFull).toBe(true);
  });

  it('takes no inventory that a deployment without the key wrote', async () => {
    const machine = new Machine(git, place);
    await machine.generate('--full');
    git.commit(build('b/y', '1.1.0'));
    await machine.generate();
    await deployTo(store, { git, index: machine.index, publish: () => Promise.resolve() });
    expect(await restore()).toMatch(/it has no inventory by this key/);
  });
});
