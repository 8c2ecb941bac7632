import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClientError } from '../../errors.ts';
import type { NpmRequirement } from './npm-requirement.ts';
import { editPackageJson } from './package-json.ts';

const build = 'alice/web';

function npm(name: string, range: string, more: Partial<NpmRequirement> = {}): NpmRequirement {
  return { name, range, table: 'dependencies', build, ...more };
}

function edit(text: string, ...requirements: NpmRequirement[]): string {
  return editPackageJson(text, { npm: requirements, scripts: [] }).text;
}

function codeAndText(action: () => unknown): { code: string; message: string } {
  try {
    action();
  } catch (error) {
    if (error instanceof ClientError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('editPackageJson() places', () => {
  test.each([
    ['an empty object', '{}', '{\n  "dependencies": {\n    "zod": "^4.0.0"\n  }\n}'],
    [
      'a new table at the end',
      '{\n  "name": "x"\n}\n',
      '{\n  "name": "x",\n  "dependencies": {\n    "zod": "^4.0.0"\n  }\n}\n',
    ],
    [
      'a sorted table with tabs and CRLF',
      '{\r\n\t"dependencies": {\r\n\t\t"a": "1",\r\n\t\t"zz": "1"\r\n\t}\r\n}',
      '{\r\n\t"dependencies": {\r\n\t\t"a": "1",\r\n\t\t"zod": "^4.0.0",\r\n\t\t"zz": "1"\r\n\t}\r\n}',
    ],
    [
      'the front of a table',
      '{\n  "dependencies": {\n    "zz": "1"\n  }\n}\n',
      '{\n  "dependencies": {\n    "zod": "^4.0.0",\n    "zz": "1"\n  }\n}\n',
    ],
    [
      'the end of an unsorted table',
      '{\n "dependencies": {\n  "b": "1",\n  "a": "1"\n }\n}\n',
      '{\n "dependencies": {\n  "b": "1",\n  "a": "1",\n  "zod": "^4.0.0"\n }\n}\n',
    ],
    ['a minified file', '{"name":"x"}', '{"name":"x","dependencies":{"zod":"^4.0.0"}}'],
    [
      'a table on one line',
      '{\n  "dependencies": { "a": "1", "b": "1" },\n  "x":1.0\n}\n',
      '{\n  "dependencies": { "a": "1", "b": "1", "zod": "^4.0.0" },\n  "x":1.0\n}\n',
    ],
    [
      'an empty table',
      '\u{FEFF}{\n    "dependencies": {},\n    "a": 1\n}',
      '\u{FEFF}{\n    "dependencies": {\n        "zod": "^4.0.0"\n    },\n    "a": 1\n}',
    ],
  ])('%s', (_, before, after) => {
    expect(edit(before, npm('zod', '^4.0.0'))).toBe(after);
  });

  test('devDependencies behind dependencies', () => {
    const text = '{\n  "dependencies": {},\n  "license": "MIT"\n}\n';
    const after = edit(text, npm('vitest', '^5', { table: 'devDependencies' }));
    expect(Object.keys(JSON.parse(after))).toEqual(['dependencies', 'devDependencies', 'license']);
  });
});

describe('editPackageJson() refuses', () => {
  test.each([
    ['a comment', '{\n  // no\n}', 'line 2, column 3'],
    ['a trailing comma', '{\n  "a": 1,\n}', 'line 3, column 1'],
    ['an array', '[]', 'line 1, column 1'],
    ['nothing', '', 'line 1, column 1'],
    ['two equal keys', '{\n "a": 1,\n "a": 2 }', 'line 3, column 2'],
    ['two equal packages', '{"dependencies":{"a":"1","a":"2"}}', 'line 1, column 26'],
    ['a table that is a list', '{"devDependencies":[]}', 'line 1, column 20'],
    ['a range that is a number', '{"dependencies":{"a":1}}', 'line 1, column 22'],
    ['a script that is an object', '{"scripts":{"a":{}}}', 'line 1, column 17'],
    ['deep nesting', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 'line 1, column 105'],
  ])('%s', (_, text, place) => {
    const { code, message } = codeAndText(() => edit(text));
    expect(code).toBe('ERR_PROJECT_FILE');
    expect(message).toContain(`"package.json", ${place}`);
  });

  test.each([
    npm('-g', '^1.0.0'),
    npm('../x', '*'),
    npm('a', 'git+ssh://x'),
    npm('a', 'npm:b@1'),
    npm('__proto__', '^1'),
  ])('requirement %o', (requirement) => {
    expect(codeAndText(() => edit('{}', requirement)).code).toBe('ERR_DEPENDENCY');
  });
});

describe('editPackageJson() with packages', () => {
  test.each([
    ['dependencies', '^4.1.0', []],
    ['peerDependencies', '*', []],
    ['optionalDependencies', '', []],
    ['dependencies', 'workspace:*', ['npm-spec']],
    ['dependencies', 'catalog:', ['npm-spec']],
    ['dependencies', 'npm:zod-fork@^4', ['npm-spec']],
    ['dependencies', 'file:../zod', ['npm-spec']],
    ['dependencies', 'git+ssh://git@example.org/zod.git#v4', ['npm-spec']],
    ['dependencies', 'latest', ['npm-spec']],
    ['devDependencies', '^4.0.0', ['dev-only']],
  ])('keeps %s %s', (table, range, codes) => {
    const text = JSON.stringify({ [table]: { zod: range } });
    const result = editPackageJson(text, { npm: [npm('zod', '^4.0.0')], scripts: [] });
    expect(result.text).toBe(text);
    expect(result.npm).toMatchObject([{ name: 'zod', range, action: 'kept' }]);
    expect(result.warnings.map((warning) => warning.code)).toEqual(codes);
  });

  test('names every range that does not meet', () => {
    const text = '{"dependencies":{"a":"^1.0.0"},"peerDependencies":{"b":"~2.1.0"}}';
    const requirements = [npm('a', '^2.0.0'), npm('b', '^3', { build: 'bob/b' })];
    const { code, message } = codeAndText(() => edit(text, ...requirements));
    expect(code).toBe('ERR_DEPENDENCY');
    expect(message).toContain('"alice/web" wants "a" "^2.0.0", but "dependencies" has "^1.0.0"');
    expect(message).toContain('"bob/b" wants "b" "^3", but "peerDependencies" has "~2.1.0"');
  });

  test('joins the requirements of two builds', () => {
    const requirements = [
      npm('zod', '^4.0.0', { table: 'devDependencies' }),
      npm('zod', '^4.2.0', { build: 'bob/b', table: 'devDependencies' }),
      npm('zod', '>=3', { build: 'carol/c' }),
    ];
    const result = editPackageJson('{}', { npm: requirements, scripts: [] });
    expect(JSON.parse(result.text)).toEqual({ dependencies: { zod: '^4.2.0' } });
    expect(result.npm.map((outcome) => outcome.action)).toEqual(['added', 'added', 'added']);
  });

  test('refuses two builds whose ranges do not meet', () => {
    const requirements = [npm('zod', '^3.0.0'), npm('zod', '^4.0.0', { build: 'bob/b' })];
    const { code, message } = codeAndText(() => edit('{}', ...requirements));
    expect(code).toBe('ERR_DEPENDENCY');
    expect(message).toContain('"alice/web" wants "zod" "^3.0.0" and "bob/b" wants "^4.0.0"');
  });

  test('leaves a key __proto__ as it is', () => {
    const text = '{"__proto__":{"a":1},"dependencies":{"__proto__":"1"}}';
    expect(edit(text, npm('zod', '^4.0.0'))).toBe(
      '{"__proto__":{"a":1},"dependencies":{"__proto__":"1","zod":"^4.0.0"}}',
    );
  });
});

describe('editPackageJson() with scripts', () => {
  const text = '{\n  "scripts": {\n    "test": "jest",\n    "dev": "vite"\n  }\n}\n';

  test('adds only where absent', () => {
    const scripts = [
      { name: 'dev', value: 'vite', build },
      { name: 'test', value: 'vitest', build },
      { name: 'db:push', value: 'x', build: 'bob/b' },
      { name: 'db:push', value: 'y', build },
    ];
    const result = editPackageJson(text, { npm: [], scripts });
    expect(result.text).toBe(text.replace('"vite"', '"vite",\n    "db:push": "y"'));
    expect(result.warnings.map((warning) => warning.code)).toEqual(['script-kept', 'script-clash']);
    expect(result.scripts).toEqual([
      { name: 'db:push', value: 'y', action: 'added', build },
      { name: 'dev', value: 'vite', action: 'kept', build },
      { name: 'test', value: 'jest', action: 'kept', build },
      { name: 'db:push', value: 'y', action: 'kept', build: 'bob/b' },
    ]);
  });

  test('refuses the name of an option', () => {
    const scripts = [{ name: '--eval', value: 'x', build }];
    expect(codeAndText(() => editPackageJson(text, { npm: [], scripts })).code).toBe(
      'ERR_DEPENDENCY',
    );
  });
});

describe('editPackageJson() for any file', () => {
  const key = fc.string({ maxLength: 6, unit: 'grapheme' });
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,5}$/);
  const table = fc.dictionary(name, fc.constantFrom('^1.0.0', '*', 'latest', '>=1.2'));
  const file = fc
    .tuple(
      fc.dictionary(key, fc.jsonValue({ maxDepth: 2 })),
      fc.record(
        { dependencies: table, devDependencies: table, peerDependencies: table, scripts: table },
        { requiredKeys: [] },
      ),
      fc.constantFrom('', ' ', '\t', '    '),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('', '\u{FEFF}'),
      fc.boolean(),
    )
    .map(([other, tables, indent, end, bom, hasFinal]) => {
      const json = JSON.stringify({ ...other, ...tables }, undefined, indent);
      return bom + json.replaceAll('\n', end) + (hasFinal ? end : '');
    });
  const requirements = fc.record({
    npm: fc.array(
      fc.record({
        name,
        range: fc.constantFrom('^1.2.0', '>=1', '*'),
        table: fc.constantFrom('dependencies' as const, 'devDependencies' as const),
        build: fc.constantFrom('a/a', 'b/b'),
      }),
    ),
    scripts: fc.array(
      fc.record({ name, value: fc.string(), build: fc.constantFrom('a/a', 'b/b') }),
    ),
  });

  test('only inserts, and a second time nothing', () => {
    fc.assert(
      fc.property(file, requirements, (text, wanted) => {
        const once = editPackageJson(text, wanted);
        expect(isSubsequence(text.replaceAll(/\{\s*\}/g, '{}'), once.text)).toBe(true);
        const twice = editPackageJson(once.text, wanted);
        expect(twice.text).toBe(once.text);
        for (const outcome of [...twice.npm, ...twice.scripts]) expect(outcome.action).toBe('kept');
        expect(once.text.startsWith('\u{FEFF}')).toBe(text.startsWith('\u{FEFF}'));
        expect(once.text.endsWith('\n')).toBe(text.endsWith('\n'));
        const lone = (value: string): boolean => /(?<!\r)\n/.test(value);
        expect(lone(once.text) && !lone(text) && text.includes('\n')).toBe(false);
      }),
    );
  });
});

/** Whether `whole` is `part` with more characters in between. */
function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const unit of part.split('')) {
    at = whole.indexOf(unit, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
