/** `registry`: names, addresses and owners are changed on purpose only, and checked before anything is written. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  editLock,
  installedIn,
  isolate,
  lastingFolder,
  lockIn,
  makeIndex,
  withInfo,
  addressOf,
  containing,
  refusalOf,
  runIn as run,
} from './registries-fixture.ts';
import { makeProject, readProject, serveFolder } from './registry-fixture.ts';

const LOCK = 'stackyard.lock.json';
const root = lastingFolder();
let open: string;
let corp: string;

beforeAll(async () => {
  const same = { 'acme/same': { '1.1.0': {} } };
  open = await makeIndex(
    root,
    'open',
    { origin: 'open.example/main' },
    {
      ...same,
      'acme/other': { '1.0.0': {} },
      'lib/ui': { '1.0.0': { builds: { 'acme/same': '^1.0.0' } } },
    },
  );
  corp = await makeIndex(
    root,
    'corp',
    { origin: 'corp.example' },
    { 'acme/same': { '1.2.0': {} }, 'corp/tool': { '1.0.0': {} } },
  );
});

afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(isolate);

async function registry(project: string, ...args: string[]): ReturnType<typeof run> {
  return run(project, 'registry', ...args);
}

async function openProject(): Promise<string> {
  const project = makeProject();
  await run(project, 'add', 'acme/same', '--registry', open);
  return project;
}

describe('registry add', () => {
  test('names a registry in a project without builds, and undo forgets it', async () => {
    const project = makeProject();
    const { status, data } = await registry(project, 'add', 'corp', corp);
    const known = { origin: 'corp.example', address: addressOf(corp) };
    expect([status, data]).toEqual([
      'done',
      { registries: [{ name: 'corp', ...known, builds: 0, owners: [] }] },
    ]);
    expect(lockIn(project)).toEqual({
      lockVersion: 2,
      registries: { corp: known },
      builds: {},
      made: [],
    });
    expect((await registry(project, 'add', 'corp', corp)).status).toBe('noop');
    await run(project, 'undo');
    expect(existsSync(join(project, LOCK))).toBe(false);
  });

  test('fixes the registry of a first build, before there is a default one', async () => {
    const project = makeProject();
    await registry(project, 'add', 'corp', corp);
    await run(project, 'add', 'corp:corp/tool');
    expect(installedIn(project)).toEqual({ 'corp/tool': '1.0.0 corp' });
    expect(Object.keys(lockIn(project).registries)).toEqual(['corp']);
    expect((await run(project, 'update')).status).toBe('noop');
  });

  test.each([
    ['https://user:secret@registry.example', 'ERR_USAGE'],
    ['http://registry.example', 'ERR_INSECURE_URL'],
    ['/nowhere/at/all', 'ERR_USAGE'],
    ['http://127.0.0.1:1', 'ERR_NETWORK'],
    [root, 'ERR_REGISTRY_ANSWER'],
  ])('refuses the address %s', async (address, code) => {
    const project = await openProject();
    expect(await refusalOf(project, ['registry', 'add', 'corp', address])).toMatchObject({ code });
  });

  test('refuses a second registry of one origin, also with other content, and names the way out', async () => {
    const project = await openProject();
    for (const index of [withInfo(open, {}), withInfo(corp, { origin: 'open.example/main' })]) {
      expect(await refusalOf(project, ['registry', 'add', 'other', index])).toMatchObject({
        code: 'ERR_ORIGIN',
        message: containing(addressOf(index), '"open.example/main"', addressOf(open)),
        hint: containing(`stackyard registry move default ${addressOf(index)}`),
      });
    }
  });

  test('refuses another registry under a name that is taken', async () => {
    const project = await openProject();
    await registry(project, 'add', 'corp', corp);
    const other = withInfo(corp, { origin: 'other.example' });
    expect(await refusalOf(project, ['registry', 'add', 'corp', other])).toMatchObject({
      code: 'ERR_ORIGIN',
      hint: containing('another name', `stackyard registry move corp ${addressOf(other)}`),
    });
  });

  test('gives a registry its new address, the same origin as before', async () => {
    const project = await openProject();
    await registry(project, 'add', 'corp', corp);
    const mirror = withInfo(corp, {});
    await registry(project, 'add', 'corp', mirror);
    expect(lockIn(project).registries['corp']).toEqual({
      origin: 'corp.example',
      address: addressOf(mirror),
    });
  });
});

describe('an origin that changes', () => {
  /** A project of a served registry, whose address then serves another index. */
  async function changed(origin: string): Promise<{ project: string; url: string }> {
    const copy = withInfo(open, {});
    const url = await serveFolder(copy);
    const project = makeProject();
    await run(project, 'add', 'acme/same', '--registry', url);
    rmSync(copy, { recursive: true });
    const { cpSync } = await import('node:fs');
    cpSync(withInfo(open, { origin }), copy, { recursive: true });
    isolate();
    return { project, url };
  }

  test('at the same address is refused, with the way out, which then works', async () => {
    const { project, url } = await changed('renamed.example');
    const before = readProject(project);
    for (const args of [['update'], ['add', 'acme/other'], ['outdated'], ['search', 'same']]) {
      await expect(run(project, ...args)).rejects.toMatchObject({
        code: 'ERR_ORIGIN',
        message: containing(url, '"renamed.example"', '"open.example/main"'),
        hint: containing(`stackyard registry move default ${url}`),
      });
    }
    expect(readProject(project)).toEqual(before);
    await registry(project, 'move', 'default', url);
    await run(project, 'add', 'acme/other');
    expect(lockIn(project).registries['default']?.origin).toBe('renamed.example');
  });

  test('is refused for a second registry at the same address', async () => {
    const { project, url } = await changed('renamed.example');
    expect(await refusalOf(project, ['registry', 'add', 'other', url])).toMatchObject({
      code: 'ERR_ORIGIN',
      hint: containing(`stackyard registry move default ${url}`),
    });
  });
});

describe('registry move of a registry', () => {
  test('takes a mirror, checks the installed builds, and undo moves back', async () => {
    const project = await openProject();
    const before = readProject(project);
    const mirror = withInfo(open, {});
    await registry(project, 'move', 'default', mirror);
    expect(lockIn(project).registries['default']?.address).toBe(addressOf(mirror));
    expect((await run(project, 'update')).status).toBe('noop');
    await run(project, 'undo');
    expect(readProject(project)).toEqual(before);
  });

  test('refuses an address that has other builds under the same origin', async () => {
    const project = await openProject();
    const false_ = withInfo(corp, { origin: 'open.example/main' });
    expect(await refusalOf(project, ['registry', 'move', 'default', false_])).toMatchObject({
      code: 'ERR_ROLLBACK',
    });
  });

  test('refuses the address of another registry of the project, and an unknown name', async () => {
    const project = await openProject();
    await registry(project, 'add', 'corp', corp);
    expect(await refusalOf(project, ['registry', 'move', 'default', corp])).toMatchObject({
      code: 'ERR_ORIGIN',
    });
    expect(await refusalOf(project, ['registry', 'move', 'none', corp])).toMatchObject({
      code: 'ERR_REGISTRY_NOT_FOUND',
    });
    expect(await refusalOf(project, ['registry', 'move', 'constructor', corp])).toMatchObject({
      code: 'ERR_REGISTRY_NOT_FOUND',
    });
  });
});

describe('registry move of an owner', () => {
  /** A registry in addition to the open one, which has the same builds of acme, and more. */
  const copyOfOpen = (fields: object = {}): string =>
    withInfo(open, { origin: 'copy.example', ...fields });

  test('moves all its builds to a registry that has them unchanged', async () => {
    const project = await openProject();
    await run(project, 'add', 'acme/other');
    await registry(project, 'add', 'copy', copyOfOpen());
    const { data } = await registry(project, 'move', 'acme', 'copy');
    expect(installedIn(project)).toEqual({ 'acme/other': '1.0.0 copy', 'acme/same': '1.1.0 copy' });
    expect(data).toMatchObject({
      registries: [
        { name: 'copy', owners: ['acme'], builds: 2 },
        { name: 'default', builds: 0 },
      ],
    });
    expect((await run(project, 'update')).status).toBe('noop');
    expect((await registry(project, 'move', 'acme', 'copy')).status).toBe('noop');
  });

  test('refuses a registry that has other versions, and names the commands that take them', async () => {
    const project = await openProject();
    await registry(project, 'add', 'corp', corp);
    expect(await refusalOf(project, ['registry', 'move', 'acme', 'corp'])).toMatchObject({
      code: 'ERR_OWNER_REGISTRY',
      message: containing(addressOf(open), addressOf(corp), '"acme/same"'),
      hint: containing('stackyard remove acme/same, then stackyard add corp:acme/same'),
    });
    await run(project, 'remove', 'acme/same');
    await run(project, 'add', 'corp:acme/same');
    expect(installedIn(project)).toEqual({ 'acme/same': '1.2.0 corp' });
  });

  test('refuses to take a build away from those that require it of their registry', async () => {
    const project = await openProject();
    await run(project, 'add', 'lib/ui');
    await registry(project, 'add', 'copy', copyOfOpen());
    expect(await refusalOf(project, ['registry', 'move', 'acme', 'copy'])).toMatchObject({
      code: 'ERR_OWNER_REGISTRY',
      message: containing('"lib/ui"', 'requires "acme/same"'),
    });
  });

  test('refuses an owner without builds, and a registry that the project does not have', async () => {
    const project = await openProject();
    await registry(project, 'add', 'corp', corp);
    expect(await refusalOf(project, ['registry', 'move', 'nobody', 'corp'])).toMatchObject({
      code: 'ERR_NOT_INSTALLED',
    });
    expect(await refusalOf(project, ['registry', 'move', 'acme', 'none'])).toMatchObject({
      code: 'ERR_REGISTRY_NOT_FOUND',
    });
  });
});

describe('registry remove', () => {
  test('forgets a registry without builds, and refuses one with builds', async () => {
    const project = await openProject();
    await registry(project, 'add', 'corp', corp);
    await run(project, 'add', 'corp:corp/tool');
    expect(await refusalOf(project, ['registry', 'remove', 'corp'])).toMatchObject({
      code: 'ERR_INSTALLED',
      message: containing('corp/tool'),
    });
    await run(project, 'remove', 'corp/tool');
    await registry(project, 'remove', 'corp');
    expect(Object.keys(lockIn(project).registries)).toEqual(['default']);
    expect(await refusalOf(project, ['registry', 'remove', 'corp'])).toMatchObject({
      code: 'ERR_REGISTRY_NOT_FOUND',
    });
  });
});

test('registry list prints every registry, without network', async () => {
  const project = await openProject();
  await registry(project, 'add', 'corp', corp);
  editLock(project, ({ registries }) => (registries['corp']!.address = 'https://corp.example'));
  expect((await registry(project, 'list')).text).toEqual([
    'corp  https://corp.example  (corp.example)  builds: 0',
    `default  ${addressOf(open)}  (open.example/main)  builds: 1 of acme`,
  ]);
  expect((await registry(makeProject(), 'list')).data).toEqual({ registries: [] });
});

test.each([
  [['add', 'corp']],
  [['list', 'corp']],
  [['remove']],
  [['move', 'acme', 'corp', 'x']],
  [['add', 'corp', 'https://corp.example', '--registry', 'https://x.example']],
])('registry %j is refused', async (args) => {
  expect(await refusalOf(await openProject(), ['registry', ...args])).toMatchObject({
    code: 'ERR_USAGE',
  });
});
