import { describe, expect, test } from 'vitest';
import { integrityOf } from '../../format/archive/integrity.ts';
import type { Lock } from '../../format/project/lock.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { parseManifest } from '../../format/build/manifest.ts';
import { ClientError } from '../errors.ts';
import { makePlan, type PlanParts } from '../../tests/client/edited-project-fixture.ts';
import { lockBytes } from './lock.ts';
import type { FetchedBuild, MadePlan } from './plan.ts';
import { createdFolders, emptiedFolders } from './make-plan.ts';

type Texts = Readonly<Record<string, string>>;

function fetched(id: string, files: Texts, changes: object = {}): FetchedBuild {
  const name = id.split('/')[1];
  const value = { name, version: '1.0.0', kind: 'module', description: 'd', license: 'MIT' };
  const parsed = parseManifest(Buffer.from(JSON.stringify({ ...value, ...changes })));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  const entries = Object.entries(files).map(([path, text]) => {
    return [path, { bytes: Buffer.from(text), executable: path.endsWith('.sh') }] as const;
  });
  const { manifest } = parsed;
  return {
    id,
    version: '1.0.0',
    integrity: integrityOf(Buffer.from(id)),
    manifest,
    files: new Map(entries),
  };
}

function plan(
  builds: readonly FetchedBuild[],
  project: Texts,
  changes: Partial<PlanParts> = {},
): MadePlan {
  return makePlan({
    builds,
    requested: Object.fromEntries(builds.map(({ id }) => [id, '^1.0.0'])),
    project: new Map(Object.entries(project).map(([path, text]) => [path, Buffer.from(text)])),
    ...changes,
  });
}

function problemOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof ClientError) return `${error.code}: ${error.message}; ${error.hint}`;
    throw error;
  }
  return 'nothing was thrown';
}

function written({ changes }: MadePlan): Record<string, string> {
  return Object.fromEntries(changes.map((c) => [c.path, Buffer.from(c.bytes!).toString()]));
}

describe('files', () => {
  test('go below the base, with mode, source and digests', () => {
    const made = plan([fetched('a/x', { 'b.ts': '1', 'run.sh': '2' }, { base: 'src/x' })], {});
    expect(made.plan.files).toEqual([
      {
        build: 'a/x',
        path: 'src/x/b.ts',
        from: 'b.ts',
        action: 'create',
        mode: '644',
        after: integrityOf(Buffer.from('1')),
      },
      {
        build: 'a/x',
        path: 'src/x/run.sh',
        from: 'run.sh',
        action: 'create',
        mode: '755',
        after: integrityOf(Buffer.from('2')),
      },
    ]);
    expect(written(made)).toEqual({ 'src/x/b.ts': '1', 'src/x/run.sh': '2' });
  });

  test('that differ are all named at once, and nothing is planned', () => {
    const build = fetched('a/x', { 'b.ts': '1', 'c.ts': '2', 'd.ts': '3' });
    const project = { 'b.ts': 'mine', 'c.ts': 'mine', 'd.ts': '3' };
    expect(problemOf(() => plan([build], project))).toBe(
      'ERR_CONFLICT: Cannot install: the project has 2 files that are different: b.ts, c.ts; ' +
        'decide for each file: --on-exists skip:b.ts keeps yours, theirs:b.ts takes that of the build, merge:b.ts writes both between markers; without a path it is for all files. --to <folder> places the build elsewhere',
    );
  });

  test('that are identical are taken over, skipped ones are not ours, others are replaced', () => {
    const build = fetched('a/x', { 'b.ts': '1', 'c.ts': '2' });
    const project = { 'b.ts': '1', 'c.ts': 'mine' };
    const skipped = plan([build], project, { on_exists: 'skip' });
    expect(skipped.plan.files.map((f) => f.action)).toEqual(['identical', 'skip']);
    expect(written(skipped)).toEqual({});
    const lock = JSON.parse(Buffer.from(skipped.commit.bytes!).toString()) as Lock;
    expect(Object.keys(lock.builds['a/x']!.files)).toEqual(['b.ts']);
    const replaced = plan([build], project, { on_exists: 'theirs' });
    expect(replaced.plan.files.map((f) => f.action)).toEqual(['identical', 'replace']);
    expect(replaced.changes).toMatchObject([
      { path: 'c.ts', expected: integrityOf(Buffer.from('mine')) },
    ]);
  });

  test('of two builds at one place are a conflict, unless they are equal', () => {
    const one = fetched('a/x', { 'b.ts': '1' });
    expect(problemOf(() => plan([one, fetched('a/y', { 'B.ts': '2' })], {}))).toContain(
      'ERR_CONFLICT: Cannot install: two builds place the same file',
    );
    expect(plan([one, fetched('a/y', { 'b.ts': '1' })], {}).plan.files).toHaveLength(2);
  });

  test.each([
    '.git/config',
    'node_modules/x/index.js',
    '.env',
    LOCK_FILE,
    'package.json',
    'Package.JSON',
  ])('at %s are refused, whatever is allowed', (path) => {
    const build = fetched('a/x', { [path]: 'x' });
    for (const allow of [[], ['all', path]]) {
      expect(problemOf(() => plan([build], {}, { allow }))).toContain(
        'ERR_PATH_POLICY: Cannot install: no build may write',
      );
    }
  });
});

describe('edits', () => {
  const PROJECT = { 'package.json': '{\n  "name": "p"\n}\n' };

  test('of package.json and .env.example are one write each for all builds', () => {
    const builds = [
      fetched(
        'a/x',
        {},
        {
          dependencies: { npm: { zod: '^4.0.0' } },
          env: { A: { required: true, description: 'The A' } },
        },
      ),
      fetched(
        'a/y',
        {},
        {
          devDependencies: { npm: { vitest: '^5.0.0', zod: '^4.1.0' } },
          scripts: { test: 'vitest run' },
          env: { B: {} },
        },
      ),
    ];
    const made = plan(builds, PROJECT);
    expect(written(made)).toEqual({
      'package.json':
        '{\n  "name": "p",\n  "dependencies": {\n    "zod": "^4.1.0"\n  },\n  "devDependencies": {\n    "vitest": "^5.0.0"\n  },\n  "scripts": {\n    "test": "vitest run"\n  }\n}\n',
      '.env.example': '# a/x\n# The A (required)\nA=\n\n# a/y\n# (optional)\nB=\n',
    });
    expect(made.plan.edits.map((e) => [e.path, e.action])).toEqual([
      ['.env.example', 'create'],
      ['package.json', 'edit'],
      [LOCK_FILE, 'create'],
    ]);
  });

  test('Python packages go into pyproject.toml, else into requirements.txt', () => {
    const pip = fetched('a/x', {}, { dependencies: { pip: { fastapi: '>=0.100' } } });
    expect(written(plan([pip], { 'requirements.txt': '' }))).toEqual({
      'requirements.txt': 'fastapi>=0.100\n',
    });
    const pyproject = { 'pyproject.toml': '[project]\nname = "p"\n', 'requirements.txt': '' };
    expect(Object.keys(written(plan([pip], pyproject)))).toEqual(['pyproject.toml']);
  });

  test('development packages of Python go beside requirements.txt', () => {
    const build = fetched(
      'a/x',
      {},
      { dependencies: { pip: { fastapi: '*' } }, devDependencies: { pip: { pytest: '>=8' } } },
    );
    expect(written(plan([build], { 'requirements.txt': '' }))).toEqual({
      'requirements.txt': 'fastapi\n',
      'requirements-dev.txt': 'pytest>=8\n',
    });
  });

  test('scripts that run automatically need consent', () => {
    const build = fetched('a/x', {}, { scripts: { postinstall: 'node x.js', x: 'node x.js' } });
    const { consent, scripts } = plan([build], PROJECT).plan;
    expect(scripts).toHaveLength(2);
    expect(consent).toMatchObject([
      { build: 'a/x', path: 'package.json#/scripts/postinstall', class: 'lifecycle', given: false },
    ]);
    const allowed = plan([build], PROJECT, { allow: ['lifecycle'] }).plan.consent;
    expect(allowed?.map(({ given }) => given)).toEqual([true]);
    const own = { 'package.json': '{ "scripts": { "postinstall": "mine" } }' };
    expect(plan([build], own).plan.consent).toBeUndefined();
  });
});

describe('the lock', () => {
  test('keeps other builds, and records which builds require others and which were requested', () => {
    const first = plan([fetched('a/x', { 'x.ts': 'x' })], {});
    const lock = JSON.parse(Buffer.from(first.commit.bytes!).toString()) as Lock;
    const second = plan(
      [fetched('a/y', { 'y.ts': 'y' }, { builds: { 'a/x': '^1.0.0' } })],
      { [LOCK_FILE]: Buffer.from(lockBytes(lock)!).toString() },
      { lock },
    );
    const both = JSON.parse(Buffer.from(second.commit.bytes!).toString()) as Lock;
    expect(both.builds['a/x']).toMatchObject({ requested: '^1.0.0', required_by: ['a/y'] });
    expect(both.builds['a/y']).toMatchObject({ requested: '^1.0.0', required_by: [] });
    expect(second.commit.expected).toBe(integrityOf(first.commit.bytes!));
  });

  test.each([
    ['\t', 100],
    ['    ', 80],
  ])('stays as a formatter laid it out, with %o and lines of %i', (indent, width) => {
    const add = (id: string, before: string): string => {
      const lock = JSON.parse(before) as Lock;
      const made = plan([fetched(id, { [`${id}.ts`]: id })], { [LOCK_FILE]: before }, { lock });
      return Buffer.from(made.commit.bytes!).toString();
    };
    const formatted = (text: string): string => {
      const lines = JSON.stringify(JSON.parse(text), null, indent);
      const list = lines.replaceAll(
        /\[\n\s*("[^\]]*")\n\s*\]/g,
        (_, items: string) => `[${items.replaceAll(/,\n\s*/g, ', ')}]`,
      );
      return `${list}\n`;
    };
    const first = Buffer.from(plan([fetched('a/x', { 'x.ts': 'x' })], {}).commit.bytes!).toString();
    const own = JSON.stringify({ ...JSON.parse(first), made: ['src/', 'z'.repeat(width - 28)] });
    const second = add('a/y', formatted(own));
    expect(second).toBe(formatted(second));
    expect(second).toContain('"made": ["');
    expect(add('a/y', own)).not.toBe(formatted(second));
  });

  test('is the same for the same input', () => {
    const make = (): string =>
      Buffer.from(plan([fetched('a/x', { 'x.ts': 'x' })], {}).commit.bytes!).toString();
    expect(make()).toBe(make());
    expect(make().endsWith('}\n')).toBe(true);
  });
});

test('createdFolders() lists each missing parent of a written file once', () => {
  const write = { bytes: Buffer.from('x'), executable: false, expected: undefined };
  const changes = [
    { ...write, path: 'src/a/one.ts' },
    { ...write, path: 'src/a/two.ts' },
    { ...write, path: 'gone/three.ts', bytes: undefined },
  ];
  const missing = new Set(['src/a', 'gone']);
  expect(createdFolders(changes, missing)).toEqual(['src/a/']);
});

test('emptiedFolders() keeps a folder in which a staying build has a file at any depth', () => {
  const staying = { files: { 'src/a/deep/one.ts': {} } } as never;
  expect(emptiedFolders(['src/', 'src/a/', 'src/b/', 'package.json#/scripts'], [staying])).toEqual([
    'src/b',
  ]);
});
