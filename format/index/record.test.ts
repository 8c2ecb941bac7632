import { expect, test } from 'vitest';
import { parseDocument } from '../document/document.ts';
import { PackageRecord } from './record.ts';

const AT = '2026-11-21T09:30:00.000Z';
const INTEGRITY = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

/** The fields of the specification's table "Package record", every one. */
const RECORD = {
  id: 'alice/web',
  kind: 'module',
  description: 'A build',
  version: '1.0.0',
  latest: '1.0.0',
  keywords: ['api'],
  requires: { express: '>=4.10.0' },
  provides: ['auth'],
  license: 'MIT',
  repository: 'https://example.com/web',
  risk: 'ok',
  quality: 92,
  downloads: 3,
  agent_reports: { success: 2, failure: 1, success_rate: 0.6667 },
  flags: 0,
  reputation: 50,
  updated_at: AT,
  manifest: {
    name: 'web',
    version: '1.0.0',
    kind: 'module',
    description: 'A build',
    license: 'MIT',
  },
  readme: '# Web\n',
  integration: '',
  files: [{ path: 'src/a.ts', size: 12 }],
  checks: {
    risk: 'ok',
    quality: 92,
    findings: [{ level: 'info', code: 'agent-instructions', file: 'AGENTS.md', message: 'Text' }],
  },
  integrity: INTEGRITY,
  publisher: 'admin:alice',
  published_at: AT,
  versions: [{ version: '1.0.0', published_at: AT, risk: 'ok', yanked: false }],
};

const parse = (value: unknown) =>
  parseDocument(PackageRecord, new TextEncoder().encode(JSON.stringify(value)), 'record');

test('PackageRecord has exactly the fields of the specification', () => {
  expect(parse(RECORD)).toEqual(RECORD);
  expect(Object.keys(PackageRecord.shape)).toEqual(Object.keys(RECORD));
});

test('PackageRecord drops a field that a newer registry may add', () => {
  expect(parse({ ...RECORD, later: 1 })).toEqual(RECORD);
});

test.each(Object.keys(RECORD))('PackageRecord requires field %s', (field) => {
  expect(() => parse({ ...RECORD, [field]: undefined })).toThrow(`field "${field}`);
});

test.each([
  ['kind', 'template'],
  ['risk', 'bad'],
  ['quality', 101],
  ['quality', -1],
  ['downloads', 1.5],
  ['downloads', -1],
  ['flags', '0'],
  ['reputation', 100.5],
  ['agent_reports', { success: 1, failure: 0, success_rate: 1.1 }],
  ['agent_reports', { success: 1, failure: 0 }],
  ['updated_at', '2026-11-21'],
  ['published_at', '2026-11-21T09:30:00+00:00'],
  ['integrity', 'sha512-x'],
  ['requires', ['express']],
  ['files', [{ path: 'a' }]],
  ['files', ['a']],
  ['manifest', { name: 'web' }],
  ['checks', { risk: 'ok', quality: 1 }],
  [
    'checks',
    { risk: 'ok', quality: 1, findings: [{ level: 'fatal', code: '', file: '', message: '' }] },
  ],
  ['versions', [{ version: '1.0.0', published_at: AT, risk: 'ok', yanked: 'reason' }]],
])('PackageRecord refuses %s: %j', (field, value) => {
  expect(() => parse({ ...RECORD, [field]: value })).toThrow(`field "${field}`);
});
