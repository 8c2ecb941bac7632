/** Valid plan files, and the errors for other files. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClientError } from '../errors.ts';
import { parsePlan } from './apply.ts';

const INTEGRITY = `sha256-${'A'.repeat(43)}=`;
const PLAN = {
  command: 'add',
  registry: 'https://registry.example',
  builds: [
    {
      id: 'a/x',
      version: '1.0.0',
      kind: 'module',
      integrity: INTEGRITY,
      required_by: [],
      action: 'add',
    },
  ],
  choices: {
    requested: { 'a/x': '^1.0.0' },
    on_exists: 'fail',
    on_conflict: 'fail',
    restore: false,
    force: false,
    allow: [],
  },
  files: [],
  edits: [],
  npm: [],
  pip: [],
  scripts: [],
  env: [],
  warnings: [],
};
const TEXT = JSON.stringify({ schema: 'stackyard/add@1', data: { plan: PLAN } });

function problemOf(bytes: Uint8Array): string {
  try {
    parsePlan(bytes, 'plan.json');
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    expect([error.code, error.hint]).toEqual([
      'ERR_USAGE',
      expect.stringContaining('stackyard add|update|remove <build> --dry-run --json'),
    ]);
    return error.message.replace('Cannot apply "plan.json": ', '');
  }
  return '';
}

describe('parsePlan()', () => {
  test.each([
    ['a plan', Buffer.from(JSON.stringify(PLAN))],
    ['an answer', Buffer.from(TEXT)],
    ['an answer with a byte order mark', Buffer.from(`\u{FEFF}${TEXT}`)],
    ['an answer in UTF-16', Buffer.from(`\u{FEFF}${TEXT}`, 'utf16le')],
    ['an answer with CRLF', Buffer.from(`${TEXT}\r\n`)],
  ])('reads %s', (_, bytes) => {
    expect(parsePlan(bytes, 'plan.json')).toEqual(PLAN);
  });

  test.each([
    ['', 'it is not JSON (it ends too early)'],
    ['{\n  "a": 1,\n}', 'it is not JSON (line 3, column 1)'],
    ['<!doctype html>', 'it is an HTML page, not JSON'],
    ['[1]', 'it contains a list'],
    ['null', 'it contains null'],
    ['"x"', 'it contains a string'],
    ['{"name":"app"}', 'it has neither a field "data.plan" nor the fields of a plan'],
    [
      '{"schema":"stackyard/list@1","data":{"builds":[]}}',
      'it contains an output without a plan of "stackyard list"',
    ],
    [
      '{"schema":"stackyard/add@1","data":{},"error":{"message":"No build \\"a/x\\""}}',
      'it contains the error "No build "a/x"" of "stackyard add"',
    ],
    [
      TEXT.replace('"command":"add"', '"command":"new"'),
      'field "data.plan.command": Invalid option: expected one of "add"|"update"|"remove"|"wire"|"unwire"',
    ],
    [TEXT.replace('"id":"a/x"', '"id":"ax"'), 'field "data.plan.builds.0.id": not a build id'],
    [TEXT.replace('1.0.0', '1.0'), 'field "data.plan.builds.0.version": not a version'],
    [TEXT.replace('^1.0.0', '^^1'), 'field "data.plan.choices.requested.a/x": not a range'],
  ])('reports what is wrong with %j', (text, problem) => {
    expect(problemOf(Buffer.from(text))).toBe(problem);
  });

  test('never fails in another way, whatever the bytes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((text) => Buffer.from(text)),
        ),
        (bytes) => {
          expect(problemOf(bytes)).not.toBe('');
        },
      ),
    );
  });
});
