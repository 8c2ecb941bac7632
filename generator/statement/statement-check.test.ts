import { expect, it } from 'vitest';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { statementId, statementPath } from '../../format/statement/statement.ts';
import { checkStatementFile, checkStatementLine } from './statement-check.ts';

const INTEGRITY = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
const REPORT = {
  build: 'a/x',
  version: '1.0.0',
  integrity: INTEGRITY,
  account: 'ci:git.example.org:42',
  day: '2026-11-21',
  outcome: 'success',
};
const AT = '2026-11-21T09:30:00.000Z';
const CI = { owner: '12', actor: '34' };
const versions = { find: () => ({ integrity: INTEGRITY }) };

function checkLine(report: typeof REPORT, more: object) {
  const line = JSON.stringify({ id: statementId(report), received_at: AT, report, ...more });
  return checkStatementLine('reports', line, 'line 1', versions);
}

it('checkStatementLine() takes the report of a CI run with its origin', () => {
  expect(checkLine(REPORT, { ci: CI })).toMatchObject({ statement: REPORT, ci: CI });
});

it.each([
  ['the account of a CI run without its origin', REPORT, {}],
  ['an origin of another account', { ...REPORT, account: 'service:x' }, { ci: CI }],
  ['names in an origin', REPORT, { ci: { owner: 'bob', actor: '34' } }],
])('checkStatementLine() refuses %s', (_, report, more) => {
  expect(checkLine(report, more)).toMatchObject({ code: 'statement-form' });
});

it('checkStatementFile() refuses the account of a CI run, which nobody has verified', () => {
  const bytes = new TextEncoder().encode(canonicalJson(REPORT));
  const path = statementPath('reports', REPORT);
  expect(checkStatementFile(path, bytes, AT, versions)).toMatchObject({ code: 'statement-form' });
});

it.each(['\uFE0F', '\u2800', ' ', 'safe\u202Etxt', 'a\u{E0041}'])(
  'refuses the note %j, which people do not see as it is',
  (note) => {
    const report = { ...REPORT, account: 'host:1', note };
    const bytes = new TextEncoder().encode(canonicalJson(report));
    const path = statementPath('reports', report);
    expect(checkStatementFile(path, bytes, AT, versions)).toMatchObject({ code: 'statement-text' });
  },
);
