import { describe, expect, test } from 'vitest';
import { isExpected, readStandaloneChecks } from './guide-checks.ts';

const GUIDE = `# Integrate a/b

## Steps

1. Nothing

## Verify

| Command | Expected |
|---|---|
| \`npx tsc --noEmit\` | no output, exit status 0 |
| \`npm start\`, then \`curl localhost\` | status 200, \`{"id":...,"at":"..."}\` |
| the same again | \`{"error"\` ... \` 409\` |

## Undo
`;

test('readStandaloneChecks() gives the rows that need nothing else', () => {
  const silent = { commands: ['npx tsc --noEmit'], fragments: [], isSilent: true };
  expect(readStandaloneChecks(GUIDE)).toEqual([silent]);
  const rows =
    '\n| Command | Expected |\n|---|---|\n| `a` | `{"id":...,"at":"..."}` |\n| the same again | `"x" ... ` |\n';
  expect(readStandaloneChecks(`# A\n\n## Verify\n${rows}`)).toEqual([
    { commands: ['a'], fragments: ['{"id":', ',"at":"', '"}'], isSilent: false },
    { commands: ['a'], fragments: ['"x" ', ' '], isSilent: false },
  ]);
  const table = '\n| Command | Expected |\n|---|---|\n| `a` | `b` |\n';
  expect(readStandaloneChecks(`# A\n\n## Verify\n${table}`)).toHaveLength(1);
  expect(readStandaloneChecks(`# A\n\n## Verify\n\nWith a server:\n${table}`)).toEqual([]);
  expect(readStandaloneChecks(`# A\n\n## Verify\n${table}\nWith a server:\n${table}`)).toHaveLength(
    1,
  );
  const server = '| `npm start`, then `curl a` | `a` |\n| `curl b` | `b` |\n';
  expect(readStandaloneChecks(`# A\n\n## Verify\n${table}${server}`)).toHaveLength(1);
  const byHand = '| Open `/register` in a browser | The header |\n';
  expect(readStandaloneChecks(`# A\n\n## Verify\n${table}${byHand}`)).toHaveLength(1);
  expect(readStandaloneChecks('# A\n')).toEqual([]);
});

describe('isExpected()', () => {
  const check = { commands: [], fragments: ['a', 'b'], isSilent: false };

  test.each([
    ['a b', true],
    ['xaxbx', true],
    ['b a', false],
    ['', false],
  ])('%o is %o', (output, expected) => {
    expect(isExpected(output, check)).toBe(expected);
    expect(isExpected(output, { ...check, isSilent: true })).toBe(output === '');
  });
});
