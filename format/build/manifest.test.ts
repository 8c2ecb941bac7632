import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../finding/finding.ts';
import { findingMessage } from '../finding/finding.ts';
import { MAX_MANIFEST_BYTES } from './manifest-json.ts';
import { PublishedManifest, declaredVersion, parseManifest } from './manifest.ts';
import { runs } from '../../tests/run/runs.ts';

const MINIMAL = {
  name: 'web',
  version: '1.0.0',
  kind: 'module',
  description: 'A build',
  license: 'MIT',
};

const FULL = {
  ...MINIMAL,
  $schema: 'https://registry.example/schema/manifest.schema.json',
  keywords: ['api', 'rest'],
  stack: { requires: { express: '>=4.10.0', typescript: '*' }, provides: ['auth', 'users'] },
  dependencies: { npm: { zod: '>=3.23.0', '@types/node': '^24' }, pip: { fastapi: '>=0.1,<1' } },
  devDependencies: { npm: { vitest: '^5' }, pip: { 'uvicorn[standard]': '*' } },
  builds: { 'stackyard/sqlite': '^1.0.0' },
  files: ['src/**', '!**/*.test.ts'],
  base: 'src/web',
  env: { JWT_SECRET: { description: 'Signs tokens', example: 'x', required: true }, B: {} },
  scripts: { dev: 'node --watch src/main.ts' },
  repository: 'https://example.com/web',
  homepage: 'https://example.com/',
};

const bytesOf = (text: string) => new TextEncoder().encode(text);
const parse = (value: unknown) => parseManifest(bytesOf(JSON.stringify(value)));

function findingsOf(bytes: Uint8Array): readonly Finding[] {
  const result = parseManifest(bytes);
  return result.ok ? [] : result.findings;
}

/** `code field` of every finding. */
function problems(value: unknown): string[] {
  return findingsOf(bytesOf(JSON.stringify(value))).map((f) => `${f.code} ${f.args['field']}`);
}

test.each([
  ['only the required fields', MINIMAL],
  ['every field', FULL],
])('parseManifest() accepts %s', (_, value) => {
  expect(parse(value)).toEqual({ ok: true, manifest: value });
});

describe('parseManifest() accepts at the limit and refuses over it', () => {
  test.each([
    ['name', 'a'.repeat(50), 'a'.repeat(51)],
    ['name', 'a', ''],
    ['description', 'a'.repeat(300), 'a'.repeat(301)],
    ['description', '😀'.repeat(300), '😀'.repeat(301)],
    ['description', '', 5],
    ['keywords', Array(20).fill('k'), Array(21).fill('k')],
    ['license', 'LicenseRef-'.padEnd(256, 'a'), 'LicenseRef-'.padEnd(257, 'a')],
    ['base', 'a'.repeat(255), 'a'.repeat(256)],
    ['version', `1.0.0-${'a'.repeat(122)}`, `1.0.0-${'a'.repeat(123)}`],
  ])('field %s', (field, good, bad) => {
    expect(problems({ ...MINIMAL, [field]: good })).toEqual([]);
    const code = typeof bad === 'number' ? 'type' : 'value';
    expect(problems({ ...MINIMAL, [field]: bad })).toEqual([`manifest-field-${code} ${field}`]);
  });
});

describe('parseManifest() refuses a value of field', () => {
  test.each([
    ['name', 'Web'],
    ['name', 'a\n'],
    ['version', '1.0'],
    ['kind', 'template'],
    ['kind', 'Module'],
    ['license', 'mit'],
    ['base', '../x'],
    ['base', ''],
    ['repository', 'example.com'],
    ['repository', 'javascript://alert(1)'],
    ['repository', 'file:///etc/passwd'],
    ['homepage', 'https://'],
    ['homepage', 'https://a b'],
  ])('%s: %j', (field, value) => {
    expect(problems({ ...MINIMAL, [field]: value })).toEqual([`manifest-field-value ${field}`]);
  });

  test.each([
    ['files', ['src', '../x'], 'files[1]'],
    ['files', ['[a'], 'files[0]'],
    ['stack', { requires: { express: 'latest' } }, 'stack.requires.express'],
    ['stack', { requires: { 'A B': '*' } }, 'stack.requires["A B"]'],
    ['stack', { provides: ['Auth'] }, 'stack.provides[0]'],
    ['dependencies', { npm: { zod: 'file:../x' } }, 'dependencies.npm.zod'],
    ['dependencies', { npm: { '--flag': '*' } }, 'dependencies.npm.--flag'],
    ['dependencies', { npm: { ['a'.repeat(215)]: '*' } }, `dependencies.npm.${'a'.repeat(215)}`],
    ['dependencies', { pip: { fastapi: '^1' } }, 'dependencies.pip.fastapi'],
    ['dependencies', { pip: { '-r': '*' } }, 'dependencies.pip.-r'],
    ['devDependencies', { npm: { zod: '' } }, 'devDependencies.npm.zod'],
    ['builds', { sqlite: '*' }, 'builds.sqlite'],
    ['builds', { 'Stackyard/sqlite': '*' }, 'builds.Stackyard/sqlite'],
    ['builds', { 'a/b': 'main' }, 'builds.a/b'],
    ['env', { '1A': {} }, 'env.1A'],
    ['env', { 'A=B\n': {} }, 'env["A=B\\n"]'],
  ])('%s: %j', (field, value, at) => {
    expect(problems({ ...MINIMAL, [field]: value })).toEqual([`manifest-field-value ${at}`]);
  });
});

test.each([
  ['name', 5],
  ['version', null],
  ['description', []],
  ['license', {}],
  ['keywords', 'api'],
  ['stack', 'express'],
  ['dependencies', []],
  ['devDependencies', 1],
  ['builds', ['a/b']],
  ['files', 'src/**'],
  ['base', true],
  ['env', ['A']],
  ['scripts', 'dev'],
  ['repository', { url: 'https://example.com' }],
  ['homepage', 1],
  ['$schema', 1],
])('parseManifest() refuses another type of field %s: %j', (field, value) => {
  expect(problems({ ...MINIMAL, [field]: value })).toEqual([`manifest-field-type ${field}`]);
});

test.each(['name', 'version', 'kind', 'description', 'license'])(
  'parseManifest() requires field %s',
  (field) => {
    expect(problems({ ...MINIMAL, [field]: undefined })).toEqual([
      `manifest-field-missing ${field}`,
    ]);
  },
);

test.each([
  [{ extra: 1 }, 'extra'],
  [{ stack: { extra: 1 } }, 'stack.extra'],
  [{ dependencies: { gem: {} } }, 'dependencies.gem'],
  [{ devDependencies: { gem: {} } }, 'devDependencies.gem'],
  [{ env: { A: { default: '1' } } }, 'env.A.default'],
])('parseManifest() knows no field of %j', (fields, at) => {
  expect(problems({ ...MINIMAL, ...fields })).toEqual([`manifest-field-unknown ${at}`]);
});

test('parseManifest() suggests the field that was meant', () => {
  const [found] = findingsOf(bytesOf(JSON.stringify({ ...MINIMAL, keyword: [] })));
  expect(findingMessage(found!)).toBe('Field "keyword" is not known: did you mean "keywords"?');
});

test('parseManifest() reports all problems at once', () => {
  const value = {
    name: 'Web',
    version: 1,
    kind: 'x',
    keywords: [1, 'a', null],
    builds: { 'no id': 5, 'A/b': 'main', 'a/b': '*' },
    env: { '1A': { required: 'yes' } },
    extra: 1,
  };
  expect(problems(value).sort()).toEqual(
    [
      'manifest-field-missing description',
      'manifest-field-missing license',
      'manifest-field-type builds["no id"]',
      'manifest-field-type env.1A.required',
      'manifest-field-type keywords[0]',
      'manifest-field-type keywords[2]',
      'manifest-field-type version',
      'manifest-field-unknown extra',
      'manifest-field-value builds["no id"]',
      'manifest-field-value builds.A/b',
      'manifest-field-value builds.A/b',
      'manifest-field-value env.1A',
      'manifest-field-value kind',
      'manifest-field-value name',
    ].sort(),
  );
});

describe('parseManifest() refuses the file', () => {
  const tooLong = bytesOf(JSON.stringify(MINIMAL).padEnd(MAX_MANIFEST_BYTES + 1));
  test.each([
    ['with too many bytes', tooLong, 'manifest-size'],
    ['with a byte order mark', bytesOf(`\ufeff${JSON.stringify(MINIMAL)}`), 'manifest-bom'],
    ['that is not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 'manifest-encoding'],
    ['that is empty', bytesOf(''), 'manifest-json'],
    ['with a comment', bytesOf('{} // x'), 'manifest-json'],
    ['with two values', bytesOf('{}{}'), 'manifest-json'],
    ['that is an array', bytesOf('[]'), 'manifest-object'],
    ['that is null', bytesOf('null'), 'manifest-object'],
    ['that is a number', bytesOf('1'), 'manifest-object'],
    ['that is nested deep', bytesOf('['.repeat(50_000)), 'manifest-json'],
    [
      'with deep objects',
      bytesOf('{"a":'.repeat(40_000) + '1' + '}'.repeat(40_000)),
      'manifest-json',
    ],
    ['with depth behind comments', bytesOf('[/*"*/'.repeat(40_000)), 'manifest-json'],
    ['with depth behind an open string', bytesOf(`"\n${'['.repeat(90_000)}`), 'manifest-json'],
  ])('%s', (_, bytes, code) => {
    expect(findingsOf(bytes).map((f) => f.code)).toEqual([code]);
  });

  test('at the size limit it does not', () => {
    const text = JSON.stringify(MINIMAL).padEnd(MAX_MANIFEST_BYTES);
    expect(parseManifest(bytesOf(text)).ok).toBe(true);
  });

  test.each([
    ['{\n  "name": "web",\n}', 3, 1],
    ['{\n  "a": nope\n}', 2, 8],
    ['{"a" 1}', 1, 6],
    ['', 1, 1],
  ])('with line and column of %j', (source, line, column) => {
    expect(findingsOf(bytesOf(source))[0]?.args).toMatchObject({ line, column });
  });

  test.each([
    ['a duplicate key', '{"name":"a",\n"name":"b"}', 'Key "name" stands twice at line 2, column 1'],
    ['one below', '{"env":{"A":{},"\\u0041":{}}}', 'Key "A" stands twice at line 1, column 16'],
    ['__proto__', '{"__proto__":{}}', 'Key "__proto__" is not allowed at line 1, column 2'],
    [
      'it below',
      '{"scripts":{"__proto__":""}}',
      'Key "__proto__" is not allowed at line 1, column 13',
    ],
    ['half a character', '{"name":"\\ud800"}', 'half of a surrogate pair at line 1, column 9'],
    ['it in a key', '{"\\udc00":1}', 'half of a surrogate pair at line 1, column 2'],
  ])('with %s', (_, source, wanted) => {
    expect(findingsOf(bytesOf(source)).map(findingMessage)).toContainEqual(
      expect.stringContaining(wanted),
    );
  });
});

test('parseManifest() keeps keys that every object inherits', () => {
  const scripts = { constructor: 'a', toString: 'b', hasOwnProperty: 'c' };
  const result = parse({ ...MINIMAL, scripts });
  expect(result.ok && Object.entries(result.manifest.scripts ?? {})).toEqual(
    Object.entries(scripts),
  );
});

describe('parseManifest() never throws', () => {
  /** What is wrong with the answer to `source`. */
  const fault = (source: string): string | undefined => {
    const result = parseManifest(bytesOf(source));
    if (result.ok) {
      const isSame = isDeepStrictEqual(result.manifest, JSON.parse(source));
      return isSame ? undefined : 'the manifest differs from the text';
    }
    if (result.findings.length === 0) return 'refused without a finding';
    return result.findings.map(findingMessage).find((message) => message.includes('undefined'));
  };

  test('on any JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (source) => {
        expect(fault(source)).toBeUndefined();
      }),
    );
  });

  test('on a manifest with any values', () => {
    const keys = fc.constantFrom(...Object.keys(FULL), 'extra', '__proto__', 'constructor');
    const changes = fc.dictionary(keys, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3 });
    const value = changes.map((fields) => JSON.stringify({ ...FULL, ...fields }));
    fc.assert(
      fc.property(value, (source) => {
        expect(fault(source)).toBeUndefined();
      }),
      { numRuns: runs(500) },
    );
  });

  test('on any change of the text', () => {
    const source = JSON.stringify(FULL);
    const change = fc.tuple(
      fc.nat(source.length),
      fc.constantFrom(...'{}[]":,\\\n/*1 ax\u0000'.split('')),
    );
    const changed = fc.array(change, { minLength: 1, maxLength: 3 }).map((list) => {
      let text = source;
      for (const [at, by] of list) text = text.slice(0, at) + by + text.slice(at + 1);
      return text;
    });
    fc.assert(
      fc.property(changed, (source) => {
        expect(fault(source)).toBeUndefined();
      }),
      { numRuns: runs(500) },
    );
  });

  test('on tokens in any order', () => {
    const token = fc.constantFrom('{', '}', '[', ']', ':', ',', '"a"', '1', '"', '\n', '/*', '*/');
    fc.assert(
      fc.property(fc.array(token, { minLength: 1, maxLength: 8 }), (tokens) => {
        expect(fault(tokens.join('').repeat(2_000))).toBeUndefined();
      }),
    );
  });

  test('on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(typeof parseManifest(bytes).ok).toBe('boolean');
      }),
    );
  });
});

test.each([
  [JSON.stringify(FULL), '1.0.0'],
  ['{"version":"2.0.0","other":[]}', '2.0.0'],
  ['{"version":"2.0"}', undefined],
  ['{"version":2}', undefined],
  ['{}', undefined],
  ['null', undefined],
  ['{"version":', undefined],
  ['\ufeff{"version":"2.0.0"}', undefined],
])('declaredVersion(%j) is %j', (source, wanted) => {
  expect(declaredVersion(bytesOf(source))).toBe(wanted);
});

describe('PublishedManifest', () => {
  const read = (changes: object) => {
    const value = { name: 'a', version: '1.0.0', kind: 'module', description: '', license: 'MIT' };
    const bytes = Buffer.from(JSON.stringify({ ...value, ...changes }));
    return [parseManifest(bytes).ok, parseManifest(bytes, PublishedManifest).ok];
  };

  test.each([
    [{ description: 'x'.repeat(301) }],
    [{ license: 'Another-Licence-1.0' }],
    [{ keywords: Array.from({ length: 21 }, String) }],
    [{ field: 'of another version' }],
  ])('reads %.60j, which may not be published now', (changes) => {
    expect(read(changes)).toEqual([false, true]);
  });

  test.each([
    [{ base: '../x' }],
    [{ files: ['../**'] }],
    [{ env: { 'a=b': {} } }],
    [{ name: '../a' }],
  ])('refuses %j, which would leave the project', (changes) => {
    expect(read(changes)).toEqual([false, false]);
  });
});
