import { expect, test } from 'vitest';
import { parseDocument } from '../document/document.ts';
import { Head } from './head.ts';

const VERSION = {
  version: '1.1.0',
  published_at: '2026-11-21T09:30:00.000Z',
  integrity: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  size: 1024,
  requires: { express: '>=4.10.0' },
  provides: ['auth'],
  builds: { 'stackyard/sqlite': '^1.0.0' },
  risk: 'ok',
  yanked: false,
};

const HEAD = {
  id: 'alice/web',
  kind: 'module',
  latest: '1.1.0',
  deprecated: { reason: 'Use the other one', replacement: 'alice/site' },
  versions: [VERSION, { ...VERSION, version: '1.0.0', yanked: 'Leaks tokens' }],
};

const parse = (value: unknown) =>
  parseDocument(Head, new TextEncoder().encode(JSON.stringify(value)), 'head');

test('Head reads every field', () => {
  expect(parse(HEAD)).toEqual(HEAD);
});

test('Head may say nothing of deprecation, and may gain fields', () => {
  const { deprecated: _, ...rest } = HEAD;
  expect(parse({ ...rest, later: true })).toEqual(rest);
});

test.each([
  ['id', 'alice'],
  ['id', '../x'],
  ['kind', 'x'],
  ['latest', undefined],
  ['versions', []],
  ['versions', [{ ...VERSION, version: '1.1' }]],
  ['versions', [{ ...VERSION, integrity: VERSION.integrity.slice(0, -1) }]],
  ['versions', [{ ...VERSION, size: -1 }]],
  ['versions', [{ ...VERSION, requires: { express: 'latest' } }]],
  ['versions', [{ ...VERSION, builds: { 'a/b': '>=2 <1' } }]],
  ['versions', [{ ...VERSION, yanked: true }]],
  ['versions', [{ ...VERSION, risk: 'none' }]],
  ['versions', [{ ...VERSION, published_at: 'now' }]],
  ['deprecated', {}],
])('Head refuses %s: %j', (field, value) => {
  expect(() => parse({ ...HEAD, [field]: value })).toThrow(`field "${field}`);
});
