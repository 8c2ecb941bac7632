/**
 * A small Python project for each package manager. The published builds in Python are foundations, which start a
 * project; the module is one of our own folder `modules`, with a package for its code and one for its types.
 */
import type { ProjectKind, Trial } from './project-kind.ts';
import { PYTHON_TOOLS } from './toolbox.ts';

const TOTAL = `"""Sums orders."""


def total(cents: list[int]) -> int:
    """The sum in cents."""
    return sum(cents)
`;

const SHOP_TEST = `from shop.total import total


def test_total() -> None:
    assert total([100, 50]) == 150
`;

const PRICES_TEST = `import pytest

from shop.prices import read_prices


def test_prices() -> None:
    assert read_prices("tea: 250") == {"tea": 250}
    with pytest.raises(ValueError):
        read_prices("- tea")
`;

const SOURCES = {
  'src/shop/__init__.py': '"""A shop."""\n',
  'src/shop/total.py': TOTAL,
  'tests/test_total.py': SHOP_TEST,
};

/** @param run what comes before the name of a program, such as `uv run ` */
function commandsWith(run: string): Pick<ProjectKind, 'typeCheck' | 'test' | 'trials'> {
  const typeCheck = `${run}mypy --strict src tests`;
  const test = `${run}pytest`;
  const prices: Trial = {
    build: 'prices',
    add: [['prices', '--to', 'src/shop/prices']],
    uses: [
      {
        what: 'a test that imports it',
        files: { 'tests/test_prices.py': PRICES_TEST },
        command: `${typeCheck} && ${test}`,
      },
    ],
  };
  return { typeCheck, test, trials: [prices] };
}

function versionOf(tool: keyof typeof PYTHON_TOOLS): string {
  return PYTHON_TOOLS[tool].replace(/^.*==/, '');
}

const TOOLS = 'mypy and pytest added as it documents';
const MYPY = 'mypy==2.4.1';
const PYTEST = 'pytest==9.2.0';

/** Poetry asks the index of its choice for JSON, which not every mirror has. */
const POETRY_SOURCE =
  'poetry source add --priority=primary index "$(python3 -c "from pip._internal.models.index import PyPI; print(PyPI.simple_url)")"';

export const PYTHON_PROJECTS: readonly ProjectKind[] = [
  {
    name: 'uv',
    made: `\`uv init --package\` of ${versionOf('uv')}, ${TOOLS}`,
    create: ['uv init --package --vcs none --name shop "$NAME"'],
    files: SOURCES,
    install: [`uv add --dev ${MYPY} ${PYTEST}`],
    ...commandsWith('uv run '),
  },
  {
    name: 'Poetry',
    made: `\`poetry new\` of ${versionOf('poetry')}, ${TOOLS}`,
    create: ['poetry new --no-interaction --name shop "$NAME"'],
    files: SOURCES,
    install: [
      POETRY_SOURCE,
      `poetry add --no-interaction --group dev ${MYPY} ${PYTEST}`,
      'poetry install --no-interaction',
    ],
    ...commandsWith('poetry run '),
  },
  {
    name: 'PDM',
    made: `\`pdm init\` of ${versionOf('pdm')}, ${TOOLS}`,
    create: [
      'mkdir "$NAME" && cd "$NAME" && pdm init --non-interactive --dist --name shop --no-git',
    ],
    files: SOURCES,
    install: [`pdm add --dev ${MYPY} ${PYTEST}`, 'pdm install'],
    ...commandsWith('pdm run '),
  },
  {
    name: 'pip, requirements.txt and .venv',
    made: 'by hand, as the documentation of pip and venv shows',
    files: {
      ...SOURCES,
      'requirements.txt': '',
      'requirements-dev.txt': `-r requirements.txt\n${MYPY}\n${PYTEST}\n`,
      'pytest.ini': '[pytest]\npythonpath = src\n',
      'mypy.ini': '[mypy]\nmypy_path = src\nexplicit_package_bases = True\n',
    },
    install: [
      'python3 -m venv .venv',
      '.venv/bin/python -m pip install --quiet -r requirements-dev.txt',
    ],
    ...commandsWith('.venv/bin/python -m '),
  },
];
