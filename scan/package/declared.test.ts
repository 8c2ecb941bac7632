import { describe, expect, it } from 'vitest';
import { testBuild } from '../test-build.ts';
import { distributionsOf, isDeclaredNpm, isDeclaredPip } from './declared.ts';
import { dependenciesOf } from './dependencies.ts';

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
