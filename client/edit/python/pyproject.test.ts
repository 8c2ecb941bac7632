import { describe, expect, test } from 'vitest';
import { ClientError } from '../../errors.ts';
import type { TablePipRequirement } from './pip-requirement.ts';
import { editPyproject } from './pyproject.ts';

function pip(
  name: string,
  specifier = '*',
  more: Partial<TablePipRequirement> = {},
): TablePipRequirement {
  return { name, specifier, table: 'dependencies', build: 'alice/api', ...more };
}

const dev = { table: 'devDependencies' } as const;

function errorOf(action: () => unknown): ClientError {
  try {
    action();
  } catch (error) {
    if (error instanceof ClientError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('editPyproject() adds', () => {
  test.each([
    [
      'to an array over lines, with comments',
      '[project]\nname = "x"\ndependencies = [\n    "a>=1", # why\n    "b",\n]\n\n# t\n[tool.x]\ny=1.0\n',
      [pip('new', '>=1')],
      '[project]\nname = "x"\ndependencies = [\n    "a>=1", # why\n    "b",\n    "new>=1",\n]\n\n# t\n[tool.x]\ny=1.0\n',
    ],
    [
      'to an array on one line, with CRLF and a byte order mark',
      '\u{FEFF}[project]\r\ndependencies = ["a"]\r\nx=1979-05-27',
      [pip('new')],
      '\u{FEFF}[project]\r\ndependencies = ["a", "new"]\r\nx=1979-05-27',
    ],
    [
      'a key to [project]',
      '[project]\nname = "x" # c\n\n# tool\n[tool.x]\n',
      [pip('new', '>=1,<2')],
      '[project]\nname = "x" # c\ndependencies = [\n    "new>=1,<2",\n]\n\n# tool\n[tool.x]\n',
    ],
    [
      'a dev group at the end',
      '[project]\nname = "x"',
      [pip('pytest', '>=8', dev)],
      '[project]\nname = "x"\n\n[dependency-groups]\ndev = [\n    "pytest>=8",\n]',
    ],
    [
      'a dev group beside others',
      '[project]\nname = "x"\n[dependency-groups]\ntest = ["q", {include-group = "x"}]\n',
      [pip('pytest', '>=8', dev)],
      '[project]\nname = "x"\n[dependency-groups]\ntest = ["q", {include-group = "x"}]\ndev = [\n    "pytest>=8",\n]\n',
    ],
    [
      'to tables of poetry',
      '[tool.poetry]\nname = "x"\n\n[tool.poetry.dependencies]\npython = "^3.9"\n\n[build-system]\nrequires = []\n',
      [pip('new', '>=1'), pip('uvicorn[standard]'), pip('pytest', '*', dev)],
      '[tool.poetry]\nname = "x"\n\n[tool.poetry.dependencies]\npython = "^3.9"\nnew = ">=1"\nuvicorn = { version = "*", extras = ["standard"] }\n\n[build-system]\nrequires = []\n\n[tool.poetry.group.dev.dependencies]\npytest = "*"\n',
    ],
    [
      'to an inline table of poetry',
      '[tool.poetry]\ndependencies = { python = "^3.9" } # c\n',
      [pip('new', '>=1'), pip('uvicorn[standard]')],
      '[tool.poetry]\ndependencies = { python = "^3.9", new = ">=1", uvicorn = { version = "*", extras = ["standard"] } } # c\n',
    ],
    [
      'to inline tables around those of poetry',
      'tool = { poetry = { name = "x" } }\n',
      [pip('new', '>=1'), pip('pytest', '*', dev)],
      'tool = { poetry = { name = "x", dependencies.new = ">=1", group.dev.dependencies.pytest = "*" } }\n',
    ],
    [
      'in spite of a line in a string that looks like a header',
      '[project]\nreadme = """\n[x]\n"""\nname = "x"\n',
      [pip('new')],
      '[project]\nreadme = """\n[x]\n"""\nname = "x"\ndependencies = [\n    "new",\n]\n',
    ],
  ])('%s', (_, before, requirements, after) => {
    expect(editPyproject(before, requirements)?.text).toBe(after);
    const twice = editPyproject(after, requirements);
    expect(twice?.text).toBe(after);
    expect(twice?.pip.every((outcome) => outcome.action === 'kept')).toBe(true);
  });

  test('a dotted [project] too', () => {
    const result = editPyproject('project.name = "x"\nproject.dependencies = ["a"]\n', [pip('b')]);
    expect(result?.text).toBe('project.name = "x"\nproject.dependencies = ["a", "b"]\n');
  });
});

describe('editPyproject() keeps', () => {
  test('what there is, with a warning for development only', () => {
    const text =
      '[project]\ndependencies = ["Foo.Bar[x]>=1; python_version>\'3\'"]\n[dependency-groups]\ndev = ["q==1.0"]\n';
    const result = editPyproject(text, [pip('foo-bar'), pip('q', '<2')]);
    expect(result?.text).toBe(text);
    expect(result?.warnings.map((warning) => warning.code)).toEqual(['pip-specifier', 'dev-only']);
    expect(result?.pip).toMatchObject([
      { name: 'foo-bar', table: 'dependencies', action: 'kept' },
      { name: 'q', table: 'devDependencies', action: 'kept' },
    ]);
  });

  test('a caret of poetry, with a warning', () => {
    const text = '[tool.poetry.dependencies]\na = "^1.0"\nb = "1.5"\nc = { git = "x" }\n';
    const requirements = [pip('a', '>=1'), pip('b', '>=1'), pip('c')];
    const result = editPyproject(text, requirements);
    expect(result?.text).toBe(text);
    expect(result?.warnings).toHaveLength(2);
  });

  test('a file of neither kind out of it', () => {
    expect(editPyproject('[tool.ruff]\n', [pip('a')])).toBeUndefined();
  });
});

describe('editPyproject() refuses', () => {
  test('what is not TOML, with its place', () => {
    const { code, message } = errorOf(() => editPyproject('[project]\nname = \n', []));
    expect(code).toBe('ERR_PROJECT_FILE');
    expect(message).toMatch(/^Cannot read "pyproject.toml", line 2, column \d+: [^\n]+$/);
  });

  test('specifiers that do not meet', () => {
    const text = '[tool.poetry.dependencies]\nb = "1.5"\n';
    expect(errorOf(() => editPyproject(text, [pip('b', '>=2')])).code).toBe('ERR_DEPENDENCY');
  });

  test('dependencies that another file has, and prints the lines', () => {
    const text = '[project]\ndynamic = ["dependencies"]\n';
    const error = errorOf(() => editPyproject(text, [pip('b', '>=2')]));
    expect(error.code).toBe('ERR_PROJECT_FILE');
    expect(error.hint).toContain('"b>=2"');
  });

  test('a value of another type', () => {
    const text = '[project]\ndependencies = "a"\n';
    expect(errorOf(() => editPyproject(text, [pip('b')])).code).toBe('ERR_PROJECT_FILE');
  });
});
