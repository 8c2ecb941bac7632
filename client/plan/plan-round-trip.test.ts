/** Removing builds restores a project's files byte for byte, in any order and with shared entries. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../tests/run/runs.ts';
import { fetched, remove, start, tryInstall } from '../../tests/client/edited-project-fixture.ts';

describe('planUninstallEdits() is the inverse of planEdits()', () => {
  const end = fc.constantFrom('\n', '\r\n');
  const bom = fc.constantFrom('', '\u{FEFF}');
  const name = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'omega', 'zeta');
  const range = fc.constantFrom('^1.0.0', '>=1.2.0', '^3.0.0', '*');

  const table = fc.oneof(
    fc.constantFrom('{}', '{ }', '{\n}', '{\n  }', '{\n\n  }'),
    fc
      .dictionary(name, fc.constantFrom('^1.0.0', '*', 'latest'))
      .map((value) => JSON.stringify(value)),
    fc.dictionary(name, fc.constantFrom('^1.0.0', '*'), { minKeys: 1 }).map((entries) => {
      const lines = Object.entries(entries).map(([key, value]) => `    "${key}":  "${value}"`);
      return `{\n${lines.join(' ,\n\n')}\n  }`;
    }),
    fc.dictionary(name, fc.constantFrom('^1.0.0', '*'), { minKeys: 1 }).map((entries) => {
      const parts = Object.entries(entries).map(([key, value]) => `"${key}": "${value}"`);
      return `{ ${parts.join(', ')} }`;
    }),
  );
  const packageJson = fc
    .tuple(
      fc.array(
        fc.tuple(
          fc.constantFrom('dependencies', 'devDependencies', 'scripts', 'peerDependencies', '1'),
          table,
        ),
        { maxLength: 3 },
      ),
      fc.constantFrom('{}', '{ }', '{\n}', '{\n\n}\n', '\t{}'),
      fc.constantFrom(', ', ',\n  ', ',', ',\n\n\t'),
      fc.constantFrom(['{', '}'], ['{ ', ' }\n'], ['{\n  ', '\n}\n'], ['\n{\n\t', '\n\n}']),
      end,
      bom,
    )
    .map(([tables, empty, comma, [open, close], lineEnd, mark]) => {
      const unique = [...new Map(tables)].map(([key, value]) => `"${key}": ${value}`);
      const body = unique.length === 0 ? empty : open + unique.join(comma) + close;
      return mark + body.replaceAll('\n', lineEnd);
    });

  const requirement = fc.constantFrom(
    'alpha',
    'beta>=1',
    'Gamma[x]',
    '# note',
    '-e .',
    '',
    '  ',
    'delta; python_version>"3"',
  );
  const requirements = fc
    .tuple(fc.array(requirement), end, bom, fc.boolean())
    .map(([lines, lineEnd, mark, isEnded]) => {
      return mark + lines.join(lineEnd) + (isEnded ? lineEnd : '');
    });
  const envExample = fc
    .tuple(
      fc.array(
        fc.constantFrom('# note', '', 'MINE=1', ' ', '# a/x', "Q='x'", '# (optional)', 'A=1'),
      ),
      end,
      bom,
      fc.boolean(),
    )
    .map(([lines, lineEnd, mark, isEnded]) => {
      return mark + lines.join(lineEnd) + (isEnded ? lineEnd : '');
    });

  const array = fc.constantFrom(
    '[]',
    '[ ]',
    '[\n]',
    '[ # none\n]',
    '[\n    # none\n  ]',
    '["first"]',
    "[ 'first', ]",
    '["first" , "second"]',
    '[\n    "first",\n    "second", # why\n]',
    '[\n  "first", "second",\n  "third" # why\n]',
    '["first",\n "second"]',
    '[\n\t"first" # a\n\t, # b\n\t# c\n]',
    '[\n  "first>=1; python_version<\'4\'",\n\n]',
  );
  const other = fc.constantFrom(
    '',
    '\n[tool.x]\ny = 1 # c\n',
    '\n\n# end',
    '[[tool.y]]\na = """\n[project]\n"""\n',
  );
  const standard = fc
    .tuple(
      fc.option(array),
      fc.option(array),
      other,
      fc.constantFrom('', 'name = "x"\n', '# c\n\n'),
      fc.integer({ min: 0, max: 4 }),
    )
    .map(([runtime, dev, rest, head, shape]) => {
      const first = runtime === null ? '' : `dependencies = ${runtime}\n`;
      if (shape === 0)
        return `project.name = "x"\n${first === '' ? '' : `project.${first}`}${rest}`;
      if (shape === 1 && runtime !== null && !runtime.includes('\n')) {
        return `project = { name = "x", dependencies = ${runtime} }\n${rest}`;
      }
      const second =
        dev === null
          ? ''
          : `[dependency-groups]\ntest = ["q", {include-group = "dev"}]\ndev = ${dev}\n`;
      return shape === 2
        ? `${second}[ project ] # p\n${head}${first}${rest}`
        : `[project]\n${head}${first}\n${second}${rest}`;
    });
  const poetry = fc
    .tuple(
      fc.constantFrom('', 'python = "^3.9"\n', 'first = { version = "^1" }\n# c\n'),
      fc.boolean(),
      other,
    )
    .map(([head, hasDev, rest]) => {
      const dev = hasDev ? '[tool.poetry.dev-dependencies]\n' : '';
      return `[tool.poetry]\nname = "x"\n[tool.poetry.dependencies]\n${head}${dev}${rest}`;
    });
  const inline = fc.constantFrom(
    '{}',
    '{ }',
    '{ python = "^3.9" }',
    '{python="^3.9", first = { version = "^1", extras = ["x"] }}',
    '{ python = "^3.9", }',
    '{\n  python = "^3.9", # why\n  first = "^1"\n}',
    '{\n  # none\n}',
  );
  const inlinePoetry = fc
    .tuple(inline, other, fc.integer({ min: 0, max: 4 }))
    .map(([table, rest, shape]) => {
      const name = 'name = "x"';
      return [
        `[tool.poetry]\n${name}\ndependencies = ${table} # c\n${rest}`,
        `[tool.poetry]\n${name}\ngroup.dev.dependencies = ${table}\n${rest}`,
        `[tool]\npoetry = { ${name}, dependencies = ${table} }\n${rest}`,
        `[tool]\npoetry = ${table}\n${rest}`,
        `project = { ${name} }\ndependency-groups = ${table.replaceAll(/"[^"]*"/g, '[]')}\n${rest}`,
      ][shape]!;
    });
  const pyproject = fc
    .tuple(fc.oneof(standard, poetry, inlinePoetry), end, bom, fc.boolean())
    .map(([text, lineEnd, mark, isCut]) => {
      return mark + (isCut ? text.trimEnd() : text).replaceAll('\n', lineEnd);
    });

  const packages = fc.dictionary(name, range);
  const pips = fc.dictionary(
    fc.constantFrom('alpha', 'Beta', 'gamma', 'new-one', 'New_One[all]', 'other[b,a]'),
    fc.constantFrom('*', '>=1', '>=1,<2'),
  );
  const changes = fc.record(
    {
      dependencies: fc.record({ npm: packages, pip: pips }, { requiredKeys: [] }),
      devDependencies: fc.record({ npm: packages, pip: pips }, { requiredKeys: [] }),
      scripts: fc.dictionary(name, fc.constantFrom('one', 'two "x"')),
      env: fc.dictionary(
        fc.constantFrom('A', 'B', 'C'),
        fc.record(
          { description: fc.constantFrom('x', 'A=1'), example: fc.constantFrom('', 'a b') },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  );
  const builds = fc
    .tuple(changes, changes, changes)
    .map((all) => all.map((change, index) => fetched(`${'abc'[index]}/x`, change)));

  const projects = fc.record(
    {
      'package.json': packageJson,
      'requirements.txt': requirements,
      '.env.example': envExample,
      'requirements-dev.txt': requirements,
      'pyproject.toml': pyproject,
    },
    { requiredKeys: ['package.json', 'requirements.txt'] },
  );

  test('byte for byte, for builds that come and go in any order', { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(
        projects,
        builds,
        fc.shuffledSubarray([0, 1, 2], { minLength: 1 }),
        fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
        fc.boolean(),
        (files, all, coming, leaving, isTogether) => {
          const chosen = coming.map((index) => all[index]!);
          let state = start(files);
          for (const part of isTogether ? [chosen] : chosen.map((build) => [build])) {
            const next = tryInstall(state, part);
            // Ranges that do not intersect, and the like.
            fc.pre(next !== undefined);
            state = next;
          }
          for (const index of leaving) {
            const id = all[index]!.id;
            if (state.lock?.builds[id] === undefined) continue;
            const removed = remove(state, [id]);
            expect(removed.warnings).toEqual([]);
            state = removed;
          }
          expect(Object.fromEntries(state.files)).toEqual(files);
          expect(state.lock).toBeUndefined();
        },
      ),
      { numRuns: runs(300) },
    );
  });

  test('also after updates', { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(projects, builds, builds, fc.nat(7), (files, old, now, which) => {
        let state = start(files);
        const updates = now.filter((_, index) => (which & (1 << index)) !== 0);
        for (const part of [old, ...updates.map((build) => [build])]) {
          const next = tryInstall(state, part);
          // Ranges that do not intersect, and the like.
          fc.pre(next !== undefined);
          state = next;
        }
        const removed = remove(
          state,
          old.map(({ id }) => id),
        );
        expect(removed.warnings).toEqual([]);
        expect(Object.fromEntries(removed.files)).toEqual(files);
      }),
      { numRuns: runs(300) },
    );
  });
});
