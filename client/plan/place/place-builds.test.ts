/** Builds that are placed anywhere, on disk: removal is exact, and a move gives what an install there gives. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Lock } from '../../../format/project/lock.ts';
import {
  type PlanParts,
  NO_PARTS,
  choicesOf,
  fetched,
} from '../../../tests/client/edited-project-fixture.ts';
import { readProject } from '../../../tests/client/registry-fixture.ts';
import { runCommand } from '../../../tests/client/run-command.ts';
import { temporaryFolder } from '../../../tests/generate/git-fixture.ts';
import { runs } from '../../../tests/run/runs.ts';
import { applyChanges } from '../../apply/transaction.ts';
import type { FetchedBuild } from '../plan.ts';
import { readLock } from '../../project/project.ts';
import { planUnasked } from '../../change/plan.ts';
import { viewProject } from '../../change/view-project.ts';
import { parsePlacement, movingBuilds } from './placement-folder.ts';

const SQLITE = make(
  'x/sqlite',
  '1.0.0',
  'src/sqlite',
  {},
  {
    'index.ts': "export * from './database.js';\n",
    'database.ts': 'export const open = 1;\n',
    '__init__.py': 'x = 1\n',
  },
);

function account(version: string, line: string): FetchedBuild {
  return make(
    'x/account',
    version,
    'src/account',
    { 'x/sqlite': '*' },
    {
      'index.ts': `import { open } from '../sqlite/index.js';\r\n\texport { a } from './deep/a.js';\r\n\n\n\n${line}`,
      'deep/a.ts': "export type A = typeof import('../../sqlite');\nexport const a = 1;\n",
      'deep/login.py': `from ...sqlite import x\nimport src.sqlite as s\n# ${line}\n`,
      'style.css': "@import './own.css';\n",
    },
  );
}

function make(
  id: string,
  version: string,
  base: string,
  builds: Readonly<Record<string, string>>,
  texts: Readonly<Record<string, string>>,
): FetchedBuild {
  const files = Object.entries(texts).map(([path, text]) => {
    return [path, { bytes: Buffer.from(text), executable: false }] as const;
  });
  return { ...fetched(id, { base, builds, version }), version, files: new Map(files) };
}

function newProject(files: Readonly<Record<string, string>> = {}): string {
  const project = join(temporaryFolder(), 'app');
  for (const [path, text] of Object.entries({ 'package.json': '{}\n', ...files })) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  return project;
}

/** Plans and carries out a change of the project on disk. */
async function change(project: string, wanted: Partial<PlanParts>): Promise<void> {
  const parts = { ...NO_PARTS, lock: readLock(project), ...wanted };
  const { signal } = new AbortController();
  const asked = { ...parts, choices: choicesOf(parts) };
  const made = await planUnasked(await viewProject(project, asked, signal));
  const { changes, commit, emptied } = made;
  await applyChanges(project, changes, commit, { signal, emptied });
}

/** The builds of the lock without what depends on the order of changes. */
function buildsOf(project: string): Lock['builds'] | undefined {
  return readLock(project)?.builds;
}

async function verified(project: string): Promise<string> {
  return (await runCommand('verify', '--strict', '--offline', '-C', project)).status;
}

const V1 = account('1.0.0', 'one\n');
const V2 = account('2.0.0', 'two\n');
const segment = fc.constantFrom('src', 'lib', 'app', 'auth', 'db', 'a_b');
const folder = fc
  .array(segment, { maxLength: 4 })
  .map((segments) => segments.join('/'))
  .filter((path) => !/^src\/(?:sqlite|account)/.test(path));

describe('placeBuilds()', () => {
  test('installs into any folder, updates there, moves, and is removed without a trace', async () => {
    await fc.assert(
      fc.asyncProperty(folder, folder, fc.boolean(), async (to, other, hasSource) => {
        const project = newProject(
          hasSource ? { 'src/mine.ts': 'mine\n', 'lib/__init__.py': '' } : {},
        );
        const before = readProject(project);
        await change(project, { builds: [SQLITE] });
        await change(project, { builds: [V1], to: { 'x/account': to } });
        expect(await verified(project)).toBe('done');

        // An install to a folder is an install elsewhere and a move there.
        const twin = newProject(
          hasSource ? { 'src/mine.ts': 'mine\n', 'lib/__init__.py': '' } : {},
        );
        await change(twin, { builds: [SQLITE] });
        await change(twin, { builds: [V1], to: { 'x/account': other } });
        const bases = new Map([['x/account', V1]]);
        await change(twin, { command: 'update', builds: [V1], bases, to: { 'x/account': to } });
        expect(buildsOf(twin)).toEqual(buildsOf(project));
        const { 'stackyard.lock.json': _, ...files } = readProject(project);
        expect(readProject(twin)).toMatchObject(files);

        // An update of files without edits is an install of the new version.
        await change(project, { command: 'update', builds: [V2], bases });
        await change(twin, { command: 'remove', leaving: new Set(['x/account']) });
        await change(twin, { builds: [V2], to: { 'x/account': to } });
        expect(buildsOf(project)).toEqual(buildsOf(twin));
        expect(await verified(project)).toBe('done');

        for (const one of [project, twin]) {
          await change(one, { command: 'remove', leaving: new Set(['x/account', 'x/sqlite']) });
          expect(readProject(one)).toEqual(before);
        }
      }),
      { numRuns: runs(8) },
    );
  }, 120_000);

  test('merges rewritten with rewritten: imports are no edits', async () => {
    const project = newProject();
    await change(project, { builds: [SQLITE, V1], to: { 'x/account': 'lib/auth' } });
    const file = join(project, 'lib/auth/index.ts');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain("from '../../src/sqlite/index.js'");
    writeFileSync(file, text.replace('export { a }', 'export { a as b }'));
    await change(project, { command: 'update', builds: [V2], bases: new Map([['x/account', V1]]) });
    expect(readFileSync(file, 'utf8')).toBe(
      text.replace('export { a }', 'export { a as b }').replace('one', 'two'),
    );
    expect(await verified(project)).toBe('different');
  });

  test.each([
    ['real', 'link/auth', '"link" is a symlink'],
    ['real', 'real/auth.ts/x', '"real/auth.ts" is a file'],
  ])('refuses a link or a file in the place of a folder', async (_, to, problem) => {
    const project = newProject({ 'real/auth.ts': '' });
    symlinkSync('real', join(project, 'link'));
    await expect(
      change(project, { builds: [SQLITE, V1], to: { 'x/account': to } }),
    ).rejects.toThrow(problem);
    expect(existsSync(join(project, 'stackyard.lock.json'))).toBe(false);
    expect(existsSync(join(project, 'src'))).toBe(false);
  });

  test('refuses the folder of another build, unless both are published for one', async () => {
    const project = newProject();
    await change(project, { builds: [SQLITE] });
    const before = readProject(project);
    for (const to of ['src/sqlite', 'src/sqlite/inner']) {
      const change_ = change(project, { builds: [V1], to: { 'x/account': to } });
      await expect(change_).rejects.toThrow('"src/sqlite" is the folder of "x/sqlite"');
    }
    expect(readProject(project)).toEqual(before);
    // The folder that a build left is free.
    await change(project, { builds: [V1], to: { 'x/account': 'auth' } });
    const bases = new Map([SQLITE, V1].map((build) => [build.id, build]));
    const move = { command: 'update' as const, builds: [V1, SQLITE], bases };
    await change(project, { ...move, to: { 'x/sqlite': 'src/account' } });
    expect(await verified(project)).toBe('done');
    const [a, b] = ['x/a', 'x/b'].map((id) =>
      make(id, '1.0.0', 'ui', {}, { [`${id.slice(2)}.ts`]: '' }),
    );
    await change(project, { builds: [a!], to: { 'x/a': 'src/ui' } });
    await change(project, { builds: [b!], to: { 'x/b': 'src/ui' } });
    expect(Object.keys(readProject(project))).toEqual(
      expect.arrayContaining(['src/ui/a.ts', 'src/ui/b.ts']),
    );
  });

  test('reads no alias where no import needs one', async () => {
    const project = newProject({ 'tsconfig.json': '{ "extends": "./missing.json" }' });
    await change(project, { builds: [SQLITE, V1], to: { 'x/account': 'auth' } });
    expect(await verified(project)).toBe('done');
    const named = make('x/c', '1.0.0', 'c', {}, { 'c.ts': "import '@/x';" });
    const before = readProject(project);
    await expect(change(project, { builds: [named], to: { 'x/c': 'd' } })).rejects.toThrow(
      'tsconfig.json:1 extends',
    );
    expect(readProject(project)).toEqual(before);
  });
});

describe('placeBuilds() of a build that imports by aliases', () => {
  const USE = make(
    'x/use',
    '1.0.0',
    'src/use',
    { 'x/sqlite': '*' },
    { 'a.ts': "import '@/sqlite/index.js';\nimport 'src/use/a.js';\n", 'b.vue': '' },
  );
  const ALIAS = JSON.stringify({ compilerOptions: { paths: { '@/*': ['./src/*'] } } });
  const [next, old] = [
    { dependencies: { next: '16.0.0' } },
    { devDependencies: { 'ts-jest': '29.0.0' } },
  ];

  test.each<[string, object, Record<string, string>, string, string[]]>([
    ['alias', {}, { 'tsconfig.json': ALIAS }, 'src/use/a.ts', ['@/sqlite/index.js', '@/use/a.js']],
    ['no alias', {}, { 'tsconfig.json': '{}' }, 'src/use/a.ts', ['../sqlite/index.js', './a.js']],
    ['Next.js', next, { 'tsconfig.json': ALIAS }, 'src/use/a.ts', ['@/sqlite/index', '@/use/a']],
    ['ts-jest', old, { 'tsconfig.json': '{}' }, 'src/use/a.ts', ['../sqlite/index', './a']],
    [
      'modules',
      { type: 'module' },
      { 'b.js': '' },
      'src/use/a.js',
      ['../sqlite/index.js', './a.js'],
    ],
    ['.mjs', {}, { 'b.mjs': 'export {}' }, 'src/use/a.mjs', ['../sqlite/index.mjs', './a.mjs']],
    ['CommonJS', {}, { 'b.js': '' }, 'src/use/a.js', ['../sqlite/index.js', './a.js']],
  ])('%s', async (_, manifest, files, path, names) => {
    const project = newProject({ 'package.json': JSON.stringify(manifest), ...files });
    const before = readProject(project);
    await change(project, { builds: [SQLITE, USE] });
    const text = readFileSync(join(project, path), 'utf8');
    expect([...text.matchAll(/'([^']*\/[^']*)'/g)].map(([, name]) => name)).toEqual(names);
    expect(await verified(project)).toBe('done');
    // The installed version has the same imports, whatever the aliases are now.
    const bases = new Map([['x/use', USE]]);
    await change(project, { command: 'update', builds: [USE], bases });
    expect(readFileSync(join(project, path), 'utf8')).toBe(text);
    await change(project, { command: 'remove', leaving: new Set(['x/use', 'x/sqlite']) });
    expect(readProject(project)).toEqual(before);
  });

  test.each([
    ["import '@/none.js';", ['"@/none.js" is no module that the project has']],
    ["import '#none';", ['"#none" is no module that the project has']],
    [
      "import '../none/a.js';",
      ['"../none/a.js" names "src/none/a.js", which is not in the project'],
    ],
    [
      "import '@/mine.js'; import '../mine.js'; import '../sqlite/index.js'; import './later.js';",
      [],
    ],
    ["import 'src'; import '@x/y'; import(name); read('src/use/x');", []],
  ])('names what leads nowhere: %s', async (text, left) => {
    const project = newProject({ 'tsconfig.json': ALIAS, 'src/mine.ts': '' });
    await change(project, { builds: [SQLITE] });
    const build = make('x/use', '1.0.0', 'src/use', {}, { 'a.ts': text, 'b.vue': text });
    const parts = { ...NO_PARTS, builds: [build], lock: readLock(project) };
    const asked = { ...parts, choices: choicesOf(parts) };
    const { signal } = new AbortController();
    const { plan } = await planUnasked(await viewProject(project, asked, signal));
    const [warning] = plan.warnings.filter((one) => one.path === 'src/use/a.ts');
    const lines = left.map((what) => `left as it is: line 1: ${what}`);
    expect(warning === undefined ? [] : [warning.message]).toEqual(lines);
  });
});

describe('parsePlacement()', () => {
  const one = [{ id: 'a/b', range: undefined }];

  test.each([
    ['src/auth', 'src/auth'],
    ['./src/auth/', 'src/auth'],
    ['.', ''],
    ['./', ''],
  ])('%s is "%s"', (text, folder) => {
    expect(parsePlacement(one, text)).toEqual({ 'a/b': folder });
  });

  test.each([
    ['..', 'ERR_USAGE'],
    ['../x', 'ERR_USAGE'],
    ['a/../../x', 'ERR_USAGE'],
    ['/x', 'ERR_USAGE'],
    ['C:\\x', 'ERR_USAGE'],
    ['a\\b', 'ERR_USAGE'],
    ['', 'ERR_USAGE'],
    ['a\u{202E}b', 'ERR_USAGE'],
    ['node_modules/x', 'ERR_PATH_POLICY'],
    ['.stackyard', 'ERR_PATH_POLICY'],
    ['src/__pycache__', 'ERR_PATH_POLICY'],
  ])('refuses %j', (text, code) => {
    expect(() => parsePlacement(one, text)).toThrow(expect.objectContaining({ code }) as Error);
  });

  test('refuses several builds and none', () => {
    expect(() => parsePlacement([...one, ...one], 'x')).toThrow('you named 2 builds');
    expect(() => parsePlacement([], 'x')).toThrow('you named no build');
  });
});

test('movingBuilds() has those that require a moved build, also indirectly', async () => {
  const project = newProject();
  const top = make('x/top', '1.0.0', 'top', { 'x/account': '*' }, { 'top.ts': '' });
  const other = make('x/other', '1.0.0', 'other', {}, { 'other.ts': '' });
  await change(project, { builds: [SQLITE, V1, other, top] });
  const lock = readLock(project)!;
  const to = { 'x/sqlite': 'db' };
  const all = ['x/account', 'x/sqlite', 'x/top'];
  expect([...movingBuilds(lock, to)].sort()).toEqual(all);
  const same = { 'x/sqlite': 'src/sqlite' };
  expect([...movingBuilds(lock, same)]).toEqual([]);
});
