import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClientError } from '../../errors.ts';
import type { PipRequirement } from './pip-requirement.ts';
import { editRequirements } from './requirements.ts';

function pip(name: string, specifier = '*', build = 'alice/api'): PipRequirement {
  return { name, specifier, build };
}

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof ClientError) return error.code;
    throw error;
  }
  return 'nothing was thrown';
}

describe('editRequirements() appends', () => {
  test.each([
    [undefined, 'fastapi>=0.100,<1\n'],
    ['', 'fastapi>=0.100,<1\n'],
    ['a==1\n', 'a==1\nfastapi>=0.100,<1\n'],
    ['a==1', 'a==1\nfastapi>=0.100,<1'],
    ['\u{FEFF}a==1\r\n# x\r\n', '\u{FEFF}a==1\r\n# x\r\nfastapi>=0.100,<1\r\n'],
    [
      '-e ./fastapi\n-r other.txt\nhttps://x/fastapi.whl\n# fastapi\n',
      '-e ./fastapi\n-r other.txt\nhttps://x/fastapi.whl\n# fastapi\nfastapi>=0.100,<1\n',
    ],
  ])('to %o', (before, after) => {
    const result = editRequirements(before, [pip('fastapi', '>=0.100,<1')]);
    expect(result.text).toBe(after);
    expect(result.pip).toMatchObject([{ name: 'fastapi', action: 'added' }]);
  });

  test('one line for the requirements of several builds', () => {
    const requirements = [
      pip('uvicorn[standard]', '>=0.20'),
      pip('Uvicorn', '<1', 'bob/b'),
      pip('httpx', '*', 'bob/b'),
    ];
    expect(editRequirements('', requirements).text).toBe('httpx\nuvicorn[standard]>=0.20,<1\n');
  });
});

describe('editRequirements() keeps', () => {
  test.each([
    ['Foo_Bar>=1,<2', []],
    ['foo.bar [extra] >= 1, <2  # why', []],
    ['foo-bar==1.5', []],
    ['foo-bar', ['pip-specifier']],
    ['foo-bar>=1.2', ['pip-specifier']],
    ['foo-bar>=1; python_version < "3.9"', ['pip-specifier']],
    ['foo-bar @ https://x/y.whl', ['pip-specifier']],
    ['foo-bar \\\n  >=1,<2', []],
  ])('%s', (line, codes) => {
    const text = `${line}\n`;
    const result = editRequirements(text, [pip('foo-bar', '>=1,<2')]);
    expect(result.text).toBe(text);
    expect(result.pip).toMatchObject([{ name: 'foo-bar', action: 'kept' }]);
    expect(result.warnings.map((warning) => warning.code)).toEqual(codes);
  });

  test('a line without the wanted extra, with a warning', () => {
    const result = editRequirements('uvicorn\n', [pip('uvicorn[standard]')]);
    expect(result.warnings).toHaveLength(1);
    expect(result.text).toBe('uvicorn\n');
  });
});

describe('editRequirements() refuses', () => {
  test.each([
    ['a==1.0\n', pip('a', '>=2'), 'ERR_DEPENDENCY'],
    ['a>=2\n', pip('a', '==1.0'), 'ERR_DEPENDENCY'],
    ['a==1 \\\n  --hash=sha256:00\n', pip('b'), 'ERR_DEPENDENCY'],
    ['--require-hashes\n', pip('b'), 'ERR_DEPENDENCY'],
    ['a==1 \\\n', pip('b'), 'ERR_PROJECT_FILE'],
    ['a==1 \\', pip('b'), 'ERR_PROJECT_FILE'],
    ['', pip('-r x'), 'ERR_DEPENDENCY'],
    ['', pip('a', '>=1\nb'), 'ERR_DEPENDENCY'],
    ['', pip('a', '^1.0'), 'ERR_DEPENDENCY'],
  ])('%o with %o', (text, requirement, code) => {
    expect(codeOf(() => editRequirements(text, [requirement]))).toBe(code);
  });

  test('two builds of which one excludes what the other pins', () => {
    const requirements = [pip('a', '==1.0'), pip('a', '>=2', 'bob/b')];
    expect(codeOf(() => editRequirements(undefined, requirements))).toBe('ERR_DEPENDENCY');
  });

  test('nothing when a file with hashes has all', () => {
    const text = 'a==1 --hash=sha256:00\n';
    expect(editRequirements(text, [pip('a', '>=1')]).text).toBe(text);
    expect(editRequirements(undefined, []).text).toBeUndefined();
  });
});

test('editRequirements() only appends, and a second time nothing', () => {
  const name = fc.stringMatching(/^[a-zA-Z][a-z0-9._-]{0,4}[a-z]$/);
  const line = fc.oneof(
    fc.string().map((text) => text.replaceAll(/[\\\r\n]|--/g, '')),
    fc.tuple(name, fc.constantFrom('', '>=1', ' # c', '; x')).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(
      fc.array(line),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.record({ name, specifier: fc.constantFrom('*', '>=1', '<3'), build: name })),
      (lines, end, requirements) => {
        const text = lines.join(end);
        const once = editRequirements(text, requirements);
        expect(once.text?.startsWith(text)).toBe(true);
        const twice = editRequirements(once.text, requirements);
        expect(twice.text).toBe(once.text);
        expect(twice.pip.every((outcome) => outcome.action === 'kept')).toBe(true);
      },
    ),
  );
});
