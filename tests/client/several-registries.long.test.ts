/** Several registries in one project: each owner belongs to one, and no other can take its builds over. */
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../generate/git-fixture.ts';
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
import { makeProject, readProject, serveChanged, serveFolder } from './registry-fixture.ts';
import { plainText } from '../../client/terminal/styled-text.ts';

const LOCK = 'stackyard.lock.json';

/** Indexes that no test changes. */
const root = lastingFolder();
let open: string;
let corp: string;

beforeAll(async () => {
  open = await makeIndex(
    root,
    'open',
    { origin: 'open.example/main' },
    {
      'acme/same': { '1.1.0': {} },
      'lib/core': { '1.0.0': {} },
      'lib/util': { '1.0.0': { builds: { 'lib/core': '^1.0.0' } } },
      'shop/cart': { '1.0.0': {} },
    },
  );
  corp = await makeIndex(
    root,
    'corp',
    { origin: 'corp.example/builds' },
    {
      'acme/same': { '1.2.0': {} },
      'corp/app': { '1.0.0': { builds: { 'lib/core': '^1.0.0' } }, '1.1.0': {} },
      'corp/tool': { '1.0.0': {} },
      'shop/admin': { '1.0.0': { builds: { 'shop/cart': '^1.0.0' } } },
    },
  );
});

afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(isolate);

/** A project with `acme/same` of the open registry, which is the default one. */
async function openProject(): Promise<string> {
  const project = makeProject();
  await run(project, 'add', 'acme/same', '--registry', open);
  return project;
}

/** The same, with the registry "corp" and its "corp/tool". */
async function corpProject(): Promise<string> {
  const project = await openProject();
  await run(project, 'registry', 'add', 'corp', corp);
  await run(project, 'add', 'corp:corp/tool');
  return project;
}

describe('the takeover of an owner', () => {
  const refusal = (): object => ({
    code: 'ERR_OWNER_REGISTRY',
    message: containing(addressOf(corp), addressOf(open)),
    hint: containing('stackyard registry add corp-example-builds', 'stackyard registry move acme'),
  });

  test.each([
    ['add', 'acme/same@1.2.0'],
    ['add', 'corp/tool'],
    ['update'],
    ['update', '--latest'],
    ['outdated'],
    ['add', '--dry-run', 'corp/tool'],
    ['diff', '--upstream'],
  ])('%s %s is refused with --registry', async (...args) => {
    const project = await openProject();
    expect(await refusalOf(project, [...args, '--registry', corp])).toMatchObject(refusal());
    await run(project, 'install');
    expect(installedIn(project)).toEqual({ 'acme/same': '1.1.0 default' });
  });

  test('is refused with STACKYARD_REGISTRY', async () => {
    const project = await openProject();
    process.env['STACKYARD_REGISTRY'] = corp;
    expect(await refusalOf(project, ['update'])).toMatchObject(refusal());
  });

  test('is refused by name, with both addresses and the command that moves the owner', async () => {
    const project = await corpProject();
    expect(await refusalOf(project, ['add', 'corp:acme/same'])).toMatchObject({
      code: 'ERR_OWNER_REGISTRY',
      message: containing('"acme" belongs to', addressOf(open), addressOf(corp)),
      hint: containing('stackyard registry move acme corp'),
    });
    await run(project, 'update', '--latest');
    expect(installedIn(project)['acme/same']).toBe('1.1.0 default');
  });

  test('is refused by the lock when a registry is edited into it for the owner', async () => {
    const project = await corpProject();
    await run(project, 'add', 'lib/core');
    await run(project, 'add', 'lib/util');
    editLock(project, ({ builds }) => (builds['lib/util']!.registry = 'corp'));
    for (const args of [['update'], ['verify'], ['install'], ['registry', 'list']]) {
      expect(await refusalOf(project, args)).toMatchObject({
        code: 'ERR_LOCK',
        message: containing('lib/util'),
      });
    }
  });

  test('is refused by the digests when all builds of the owner are edited to another registry', async () => {
    const project = await corpProject();
    editLock(project, ({ builds }) => (builds['acme/same']!.registry = 'corp'));
    expect(await refusalOf(project, ['update'])).toMatchObject({ code: 'ERR_ROLLBACK' });
  });
});

describe('a project with two registries', () => {
  test('is restored by install in a fresh clone with an empty cache', async () => {
    const project = await corpProject();
    const files = readProject(project);
    expect(installedIn(project)).toEqual({
      'acme/same': '1.1.0 default',
      'corp/tool': '1.0.0 corp',
    });
    expect(lockIn(project).registries).toEqual({
      default: { origin: 'open.example/main', address: addressOf(open) },
      corp: { origin: 'corp.example/builds', address: addressOf(corp) },
    });
    isolate();
    const clone = makeProject({ 'package.json': files['package.json']!, [LOCK]: files[LOCK]! });
    await run(clone, 'install');
    expect(readProject(clone)).toEqual(files);
  });

  test('has its commands read the registry of each owner, and name it', async () => {
    const project = await corpProject();
    const { data: listed, text } = await run(project, 'list');
    expect(listed).toMatchObject({ builds: [{ registry: 'default' }, { registry: 'corp' }] });
    expect(plainText(text[1]!)).toContain('corp/tool 1.0.0  from corp, in src/corp-tool');
    expect((await run(project, 'info', 'corp/tool')).data).toMatchObject({ registry: 'corp' });
    expect((await run(project, 'info', 'lib/core')).data).toMatchObject({ registry: 'default' });
    const info = await run(project, 'info', 'corp:corp/app');
    expect(info.text.map(plainText).join('\n')).toContain('Install: stackyard add corp:corp/app');
    expect((await run(project, 'info', 'corp/tool', 'src/index.ts')).data).toMatchObject({
      content: "export const from = 'corp 1.0.0';\n",
    });
    expect(
      (await run(project, 'add', '--dry-run', 'corp:corp/tool', 'lib/core')).data,
    ).toMatchObject({
      fits: true,
    });
    expect((await run(project, 'outdated')).data).toMatchObject({
      builds: [
        { id: 'acme/same', latest: '1.1.0', registry: 'default' },
        { id: 'corp/tool', latest: '1.0.0', registry: 'corp' },
      ],
    });
    expect((await run(project, 'verify')).status).toBe('done');
    const checks = (await run(project, 'doctor')).text
      .map(plainText)
      .filter((line) => line.includes('registry:'));
    expect(checks).toEqual([
      `ok       registry: "default", ${addressOf(open)}, answers`,
      `ok       registry: "corp", ${addressOf(corp)}, answers`,
    ]);
  });

  test('searches all of them, and shows builds of an owner from its registry only', async () => {
    const project = await corpProject();
    const builds = async (...args: string[]): Promise<string[]> => {
      const { data } = await run(project, 'search', ...args);
      const found = (data as { builds: { id: string; registry: string; latest: string }[] }).builds;
      return found.map(({ id, registry, latest }) => `${registry} ${id} ${latest}`).sort();
    };
    expect(await builds('same')).toEqual(['default acme/same 1.1.0']);
    expect(await builds('shop')).toEqual(['corp shop/admin 1.0.0', 'default shop/cart 1.0.0']);
    expect(await builds('tool', '--fits')).toEqual(['corp corp/tool 1.0.0']);
    expect(plainText((await run(project, 'search', 'corp/app')).text[0]!)).toContain(
      'corp/app 1.1.0 from corp',
    );
  });

  test('shows in the plan which registry a build comes from', async () => {
    const project = await corpProject();
    const { data, text } = await run(project, 'add', 'corp:corp/app@1.1.0', '--dry-run');
    expect(text[0]).toBe(`corp/app 1.1.0 from ${addressOf(corp)} (corp)`);
    expect(data).toMatchObject({
      plan: {
        registries: { corp: { address: addressOf(corp) } },
        builds: [{ id: 'corp/app', registry: 'corp' }],
      },
    });
  });

  test('updates and removes builds of each, and undoes it', async () => {
    const project = await corpProject();
    await run(project, 'add', 'corp:corp/app@1.1.0');
    const before = readProject(project);
    await run(project, 'remove', 'corp/app', 'corp/tool', 'acme/same');
    expect(lockIn(project).builds).toEqual({});
    expect(Object.keys(lockIn(project).registries)).toEqual(['corp', 'default']);
    await run(project, 'undo');
    expect(readProject(project)).toEqual(before);
  });

  test('uses another address for one run by its origin, and keeps the address of the lock', async () => {
    const project = await corpProject();
    const copy = withInfo(corp, {});
    const { registries } = lockIn(project);
    await run(project, 'add', 'corp/app@1.1.0', '--registry', copy);
    expect(installedIn(project)['corp/app']).toBe('1.1.0 corp');
    expect(lockIn(project).registries).toEqual(registries);
  });

  test('sends the headers of an address to it alone, and keeps them out of the lock', async () => {
    const project = await openProject();
    const url = await serveChanged(corp, ({ headers }, response) => {
      if (headers.authorization === 'Bearer secret-0123') return false;
      response.writeHead(401).end();
      return true;
    });
    process.env['STACKYARD_HEADERS'] = `${url} Authorization: Bearer secret-0123`;
    await run(project, 'registry', 'add', 'corp', url);
    await run(project, 'add', 'corp:corp/tool');
    expect(installedIn(project)['corp/tool']).toBe('1.0.0 corp');
    expect(readProject(project)[LOCK]).not.toContain('secret');
  });
});

test('info of another registry prints both commands that install from it', async () => {
  const project = await openProject();
  const { text } = await run(project, 'info', 'corp/tool', '--registry', corp);
  expect(text.slice(-2).map(plainText)).toEqual([
    `First:   stackyard registry add corp-example-builds ${addressOf(corp)}`,
    'Install: stackyard add corp-example-builds:corp/tool',
  ]);
  await run(project, 'registry', 'add', 'corp-example-builds', corp);
  await run(project, 'add', 'corp-example-builds:corp/tool');
  expect(installedIn(project)['corp/tool']).toBe('1.0.0 corp-example-builds');
});

test('a project with one registry asks it for nothing more than before', async () => {
  const asked: string[] = [];
  const url = await serveChanged(open, (request) => {
    asked.push(request.url!.slice(1));
    return false;
  });
  const project = makeProject();
  await run(project, 'add', 'lib/util', '--registry', url);
  const folders = Map.groupBy(asked, (path) => path.replace(/(?<=^documents|^log\/map)\/.*/, ''));
  expect(new Set(asked).size).toBe(asked.length);
  // registry.json, and for each of two builds head, document of the version and tarball.
  expect(folders.get('documents')).toHaveLength(5);
  expect(asked.filter((path) => path.startsWith('builds/'))).toHaveLength(2);
  expect([...folders.keys()].filter((path) => !path.startsWith('builds/')).toSorted()).toEqual([
    'documents',
    'log/checkpoint',
    'log/map',
  ]);
  asked.length = 0;
  await run(project, 'update');
  expect(asked).toEqual(['log/checkpoint']);
});

describe('a registry that cannot be reached', () => {
  test('leaves the builds of the others usable', async () => {
    const project = makeProject();
    const gone = join(temporaryFolder(), 'index');
    cpSync(corp, gone, { recursive: true });
    await run(project, 'add', 'acme/same', '--registry', open);
    await run(project, 'registry', 'add', 'corp', gone);
    await run(project, 'add', 'corp:corp/app@1.1.0');
    renameSync(gone, `${gone}-moved`);
    isolate();
    expect((await run(project, 'add', 'shop/cart')).printed.join()).toContain('Registry "corp"');
    expect((await run(project, 'update')).status).toBe('noop');
    expect(installedIn(project)).toEqual({
      'acme/same': '1.1.0 default',
      'corp/app': '1.1.0 corp',
      'shop/cart': '1.0.0 default',
    });
    expect((await run(project, 'outdated')).data).toMatchObject({
      builds: [{ latest: '1.1.0' }, { id: 'corp/app', unreachable: true }, { latest: '1.0.0' }],
    });
    const found = await run(project, 'search', 'cart');
    expect(found.warnings).toMatchObject([{ code: 'registry-unreachable' }]);
    expect(found.data).toMatchObject({ total: 1 });
    const doctor = (await run(project, 'doctor')).text.map(plainText).join('\n');
    expect(doctor).toMatch(/ok +registry: "default".*problem +registry: Registry/s);
    rmSync(join(project, 'src/acme-same'), { recursive: true });
    await run(project, 'install');
    expect(existsSync(join(project, 'src/acme-same/src/index.ts'))).toBe(true);
    for (const args of [
      ['update', 'corp/app'],
      ['add', 'corp:corp/tool'],
      ['info', 'corp/app'],
    ]) {
      expect(await refusalOf(project, args)).toMatchObject({ code: 'ERR_NETWORK' });
    }
  });
});

describe('upstreams', () => {
  /** The corp registry with the open one as upstream, at an address of this machine. */
  async function withUpstream(): Promise<{ index: string; url: string }> {
    const url = await serveFolder(open);
    const upstreams = [{ origin: 'open.example/main', address: url }];
    return { index: withInfo(corp, { upstreams }), url };
  }

  test('give what a build requires and its registry does not have, and are new in the lock', async () => {
    const { index, url } = await withUpstream();
    const project = makeProject();
    const { warnings } = await run(project, 'add', 'corp/app@1.0.0', '--registry', index);
    expect(warnings).toMatchObject([
      { code: 'registry-upstream', message: containing('"open-example-main"', url) },
    ]);
    expect(installedIn(project)).toEqual({
      'corp/app': '1.0.0 default',
      'lib/core': '1.0.0 open-example-main',
    });
    const known = { origin: 'open.example/main', address: url, via: 'default' };
    expect(lockIn(project).registries['open-example-main']).toEqual(known);
    await run(project, 'remove', 'corp/app');
    expect(existsSync(join(project, LOCK))).toBe(false);
  });

  test('are not asked for an owner that the own registry has', async () => {
    const { index } = await withUpstream();
    const project = makeProject();
    const args = ['add', 'shop/admin', '--registry', index];
    expect(await refusalOf(project, args)).toMatchObject({ code: 'ERR_BUILD_NOT_FOUND' });
  });

  test('are the only other registries: one of the project is not asked', async () => {
    const project = makeProject();
    await run(project, 'add', 'acme/same', '--registry', open);
    await run(project, 'registry', 'add', 'corp', corp);
    const args = ['add', 'corp:corp/app@1.0.0'];
    expect(await refusalOf(project, args)).toMatchObject({ code: 'ERR_BUILD_NOT_FOUND' });
    await run(project, 'add', 'lib/core');
    expect(await refusalOf(project, args)).toMatchObject({
      code: 'ERR_OWNER_REGISTRY',
      message: containing('"corp/app"', '"lib/core"', 'does not name as upstream'),
      hint: containing('stackyard registry move lib corp'),
    });
  });

  test('are the registry of the project with their origin, at the address of the project', async () => {
    const { index } = await withUpstream();
    const project = await openProject();
    await run(project, 'registry', 'add', 'corp', index);
    await run(project, 'add', 'corp:corp/app@1.0.0');
    expect(installedIn(project)['lib/core']).toBe('1.0.0 default');
    expect(Object.keys(lockIn(project).registries)).toEqual(['corp', 'default']);
  });

  test('keep their order: the first that has the owner keeps it', async () => {
    const second = await makeIndex(
      root,
      'second',
      { origin: 'second.example' },
      { 'lib/core': { '1.9.0': {} } },
    );
    const first = { origin: 'open.example/main', address: await serveFolder(open) };
    const last = { origin: 'second.example', address: await serveFolder(second) };
    for (const [upstreams, core] of [
      [[first, last], '1.0.0 open-example-main'],
      [[last, first], '1.9.0 second-example'],
    ] as const) {
      const project = makeProject();
      const index = withInfo(corp, { upstreams });
      const { text } = await run(project, 'add', 'corp/app@1.0.0', '--registry', index);
      expect(installedIn(project)['lib/core']).toBe(core);
      expect(text.map(plainText).join('\n')).toContain(`(${core.split(' ')[1]})`);
    }
  });

  test('that cannot be reached refuse what needs them, and nothing else', async () => {
    const upstreams = [
      { origin: 'gone.example', address: 'http://127.0.0.1:1' },
      { origin: 'open.example/main', address: await serveFolder(open) },
    ];
    const index = withInfo(corp, { upstreams });
    const project = makeProject();
    const needed = ['add', 'corp/app@1.0.0', '--registry', index];
    expect(await refusalOf(project, needed)).toMatchObject({ code: 'ERR_NETWORK' });
    await run(project, 'add', 'corp/tool', '--registry', index);
    expect(installedIn(project)).toEqual({ 'corp/tool': '1.0.0 default' });
  });

  test('that form a cycle are refused where they are needed', async () => {
    const project = makeProject();
    const index = withInfo(corp, {});
    const back = await serveFolder(index);
    const cycle = [{ origin: 'corp.example/builds', address: back }];
    const url = await serveFolder(withInfo(open, { upstreams: cycle }));
    const upstreams = [{ origin: 'open.example/main', address: url }];
    cpSync(withInfo(corp, { upstreams }), index, { recursive: true });
    expect(await refusalOf(project, ['add', 'corp/app@1.0.0', '--registry', index])).toMatchObject({
      code: 'ERR_REGISTRY_ANSWER',
      message: containing('cycle: default -> open-example-main -> default'),
    });
    await run(project, 'add', 'corp/tool', '--registry', index);
  });

  test.each([
    'file:///etc',
    './index',
    'http://intranet.example',
    'ftp://x.example',
    'https://u:p@x.example',
  ])('at %s are refused', async (address) => {
    const index = withInfo(corp, { upstreams: [{ origin: 'x.example', address }] });
    const args = ['add', 'corp/app@1.0.0', '--registry', index];
    await expect(run(makeProject(), ...args)).rejects.toMatchObject({
      code: expect.stringMatching(/^ERR_(?:REGISTRY_ANSWER|USAGE)$/) as string,
    });
  });

  test('that are another registry than their origin are refused', async () => {
    const address = await serveFolder(open);
    const index = withInfo(corp, { upstreams: [{ origin: 'other.example', address }] });
    expect(
      await refusalOf(makeProject(), ['add', 'corp/app@1.0.0', '--registry', index]),
    ).toMatchObject({
      code: 'ERR_ORIGIN',
      message: containing('"open.example/main"', '"default" names it as "other.example"'),
    });
  });
});
