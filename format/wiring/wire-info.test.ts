import { describe, expect, test } from 'vitest';
import { NAMED_FILES, ORDINARY_FILES } from '../../tests/consent/named-files.ts';
import { wireConsent, wireTargetProblem, WIRE_VERBS } from './wire-info.ts';

describe('a target of a wired fence', () => {
  const text = 'x\n';

  test.each(NAMED_FILES)(
    'at $path is refused or needs consent: $source',
    ({ path, class: name }) => {
      for (const verb of WIRE_VERBS) {
        if (verb === 'lines' && path === '.gitignore') continue;
        const problem = wireTargetProblem(path, verb);
        if (problem !== undefined) continue;
        // Code at the root that is there already is the project's own.
        const isOwn = name === 'root' && verb !== 'file' && verb !== 'lines';
        expect([verb, wireConsent({ verb, target: path, text })]).toEqual([
          verb,
          isOwn ? undefined : name,
        ]);
      }
    },
  );

  test('needs nothing where it is a source file, for each verb', () => {
    for (const verb of WIRE_VERBS) {
      for (const target of ORDINARY_FILES) {
        const found = [wireTargetProblem(target, verb), wireConsent({ verb, target, text })];
        expect([target, ...found]).toEqual([target, undefined, undefined]);
      }
    }
  });

  test.each([
    ['requirements.txt', 'no manifest'],
    ['requirements/prod.txt', 'no manifest'],
    ['src/mod/package.json', 'no manifest'],
    ['uv.lock', 'no manifest'],
    ['.env', 'steers'],
    ['CLAUDE.md', 'steers'],
    ['.github/workflows/x.yml', 'steers'],
    ['lefthook.yml', 'steers'],
    ['.storybook/main.ts', 'with a dot'],
    ['.gitignore', 'steers'],
  ])('%s is refused: %s', (path, wanted) => {
    expect(wireTargetProblem(path, 'file')).toContain(wanted);
  });

  test.each([
    ['.gitignore', 'data/\n', undefined],
    ['.gitignore', '# !kept\ndata/\n', undefined],
    ['.gitignore', 'data/\n!.env\n', 'git'],
    ['deps/prod.txt', 'requests\n', undefined],
    ['deps/prod.txt', '--index-url https://evil.example/simple\n', 'packages'],
    ['deps/prod.txt', 'x @ https://evil.example/x.whl\n', 'packages'],
  ])('lines of %s, %j, need %s', (target, lines, wanted) => {
    expect(wireTargetProblem(target, 'lines')).toBeUndefined();
    expect(wireConsent({ verb: 'lines', target, text: lines })).toBe(wanted);
  });

  test('that is a role needs nothing: it is code of the project', () => {
    expect(wireConsent({ verb: 'insert', target: '@express', text })).toBeUndefined();
  });
});
