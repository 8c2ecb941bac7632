/** `npm runtime a ^1` for each dependency of a build. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testBuild } from '../test-build.ts';
import { dependenciesOf } from './dependencies.ts';
import { distributionsOf, isDeclaredNpm, isDeclaredPip } from './declared.ts';

function listed(files: Readonly<Record<string, string>>): string[] {
  return dependenciesOf(testBuild(files)).map(
    ({ registry, use, name, range }) => `${registry} ${use} ${name} ${range}`,
  );
}

describe('dependenciesOf()', () => {
  it('reads the manifest', () => {
    const text = '{"dependencies":{"npm":{"a":"^1"},"pip":{"B_c":">=2"}}}';
    const build = testBuild(
      { 'stackyard.json': text },
      {
        dependencies: { npm: { a: '^1' }, pip: { B_c: '>=2' } },
        devDependencies: { npm: { d: '1' } },
      },
    );
    expect(dependenciesOf(build)).toMatchObject([
      { registry: 'npm', name: 'a', range: '^1', use: 'runtime', start: text.indexOf('a"', 25) },
      { registry: 'pip', name: 'b-c', range: '>=2', use: 'runtime' },
      { registry: 'npm', name: 'd', use: 'dev', start: expect.any(Number) },
    ]);
    expect(dependenciesOf(build)).toBe(dependenciesOf(build));
  });

  it('reads package.json, below folders too', () => {
    const text = JSON.stringify({
      dependencies: { a: '^1', b: 1 },
      optionalDependencies: { c: '2' },
      devDependencies: { d: '3' },
      peerDependencies: { e: '4' },
    });
    expect(listed({ 'pkg/package.json': text })).toEqual([
      'npm runtime a ^1',
      'npm runtime c 2',
      'npm dev d 3',
      'npm peer e 4',
    ]);
  });

  it.each([
    ['a', 'a '],
    ['A_b.C', 'a-b-c '],
    ['a==1.0 # comment', 'a ==1.0'],
    ['a[x,y] >= 1, <2 ; python_version < "3"', 'a >= 1, <2'],
    ['a @ https://a.com/a.whl', 'a https://a.com/a.whl'],
    ['git+https://a.com/a.git#egg=a', 'a git+https://a.com/a.git#egg=a'],
    ['-e ./local', ''],
    ['--editable git+ssh://a.com/a.git', ' git+ssh://a.com/a.git'],
    ['# a', ''],
    ['-r other.txt', ''],
    ['', ''],
    ['==1', ''],
  ])('reads the requirement %j', (line, expected) => {
    expect(listed({ 'requirements.txt': `${line}\n` })).toEqual(
      expected === '' ? [] : [`pip runtime ${expected}`],
    );
  });

  it.each([
    ['requirements-dev.txt', 'dev'],
    ['requirements/test.txt', 'dev'],
    ['requirements/base.txt', 'runtime'],
  ])('%s: %s', (path, use) => {
    expect(listed({ [path]: 'a' })).toEqual([`pip ${use} a `]);
  });

  it('reads pyproject.toml', () => {
    const text =
      '[project]\ndependencies = ["a>=1"]\n[project.optional-dependencies]\nx = ["b"]\n[dependency-groups]\ny = ["c", {include-group = "x"}]\n';
    expect(listed({ 'pyproject.toml': text })).toEqual([
      'pip runtime a >=1',
      'pip dev b ',
      'pip dev c ',
    ]);
  });

  it.each([
    { 'tests/package.json': '{"dependencies":{"a":"1"}}' },
    { 'package.json': '[' },
    { 'package.json': '{"dependencies":["a"]}' },
    { 'pyproject.toml': 'not [ TOML' },
    { 'pyproject.toml': 'project = 1' },
    { 'other.json': '{"dependencies":{"a":"1"}}' },
  ])('finds none in %j', (files) => {
    expect(listed(files as unknown as Record<string, string>)).toEqual([]);
  });

  it('reads at most 5,000', () => {
    expect(listed({ 'requirements.txt': 'a\n'.repeat(6_000) })).toHaveLength(5_000);
  });

  it('has places within the file, for any text', () => {
    const path = fc.constantFrom('requirements.txt', 'pyproject.toml', 'package.json');
    const word = fc.constantFrom(
      'a',
      '==',
      '1',
      '\n',
      '[',
      ']',
      ' ',
      '"',
      '{',
      '}',
      ':',
      'dependencies',
      '=',
      '#',
      '@',
    );
    fc.assert(
      fc.property(path, fc.array(word, { maxLength: 40 }), (name, words) => {
        const text = words.join('');
        for (const { start } of dependenciesOf(testBuild({ [name]: text })))
          expect(0 <= start && start <= text.length).toBe(true);
      }),
    );
  });
});

describe('isDeclaredNpm()', () => {
  const build = testBuild(
    {
      'package.json': '{"name":"own","dependencies":{"a":"1","@types/b":"1","@types/c__d":"1"}}',
      'tsconfig.json':
        '{ // paths\n "compilerOptions": {"paths": {"@app/*": ["src/*"], "exact": ["x"]}} }',
    },
    { stack: { requires: { react: '^19' } } },
  );
  const isDeclared = isDeclaredNpm(build, dependenciesOf(build));

  it.each(['a', 'b', '@c/d', 'own', 'react', 'fs', 'node:test', 'electron', '@app/x', 'exact'])(
    '%s needs no declaration',
    (name) => {
      expect(isDeclared(name)).toBe(true);
    },
  );

  it.each(['lodash', '@c/e', 'a-b', 'toString'])('%s is not declared', (name) => {
    expect(isDeclared(name)).toBe(false);
  });
});

describe('isDeclaredPip()', () => {
  const build = testBuild(
    { 'requirements.txt': 'PyYAML\npillow\ngoogle-cloud-storage\n', 'pkg/mod.py': '' },
    { stack: { requires: { django: '>=5' } } },
  );
  const isDeclared = isDeclaredPip(build, dependenciesOf(build));

  it.each([
    'os.path',
    'yaml',
    'PIL.Image',
    'google.cloud.storage',
    'pkg',
    'mod',
    'django.db',
    '_private',
    'setuptools',
  ])('%s needs no declaration', (name) => {
    expect(isDeclared(name)).toBe(true);
  });

  it.each(['requests', 'numpy', 'google.protobuf'])('%s is not declared', (name) => {
    expect(isDeclared(name)).toBe(false);
  });
});

describe('distributionsOf()', () => {
  it.each([
    ['yaml', 'pyyaml'],
    ['PIL.Image', 'pillow'],
    ['google.cloud.storage', 'google-cloud-storage'],
    ['my_mod', 'my-mod'],
    ['psycopg', 'psycopg'],
    ['magic', 'python-magic'],
  ])('%s may come from %s', (module, name) => {
    expect(distributionsOf(module)).toContain(name);
  });
});
