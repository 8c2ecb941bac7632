/** The state in a store of registries that publish more than records: pages for people, and items for shadcn. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../generator/deploy/store.ts';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { makePlace, storeAt } from './deploy-fixture.ts';
import type { Place } from './deploy-fixture.ts';
import { Machine, ORIGIN, expectWhole } from './machine-fixture.ts';
import { startMoto } from './s3-server.ts';
import type { S3Server } from './s3-server.ts';

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
  git.commit(build('a/x', '1.0.0'));
  git.commit({ ...build('a/x', '1.1.0'), ...build('b/y', '1.0.0') });
});

describe('a machine without state', () => {
  it('has the items for shadcn of a run that had everything', async () => {
    const config = { origin: ORIGIN, site: false, base_url: 'https://r.example', shadcn: true };
    git.commit({ 'registry.config.json': JSON.stringify(config) });
    const first = new Machine(git, place);
    await first.generate();
    await first.deploy();
    git.commit(build('b/y', '2.0.0', { builds: { 'a/x': '^1.0.0' } }));
    const second = new Machine(git, place);
    expect((await second.generate()).isFull).toBe(false);
    await second.deploy();
    await expectWhole(git, place);
  });

  it('removes what is left of a withdrawn version', async () => {
    const config = { origin: ORIGIN, base_url: 'https://registry.example' };
    git.commit({ 'registry.config.json': JSON.stringify(config) });
    const first = new Machine(git, place);
    await first.generate();
    await first.deploy();
    const hasContent = async (): Promise<boolean> => {
      for await (const { path } of store.list()) {
        if (/\ba\/x\/1\.1\.0\.tgz$/.test(path)) return true;
      }
      return false;
    };
    expect(await hasContent()).toBe(true);
    git.commit({ 'builds/a/owner.json': '{ "withdrawn": { "x": { "1.1.0": "It has a key" } } }' });
    const second = new Machine(git, place);
    expect((await second.generate()).isFull).toBe(false);
    await second.deploy();
    expect(await hasContent()).toBe(false);
    await expectWhole(git, place);
  });
});
