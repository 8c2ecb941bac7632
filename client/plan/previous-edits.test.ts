import { describe, expect, test } from 'vitest';
import { createdEntriesOf, formatCreatedEntry, staleEntries } from './created-entries.ts';
import type { LockedEdits } from './previous-edits.ts';

const NOTHING: LockedEdits = { npm: {}, pip: {}, scripts: {}, env: {} };

test('createdEntriesOf() is the inverse of formatCreatedEntry()', () => {
  const created = new Set([
    formatCreatedEntry('package.json', '/scripts'),
    formatCreatedEntry('pyproject.toml', 'dependency-groups'),
    'src/',
  ]);
  expect([...createdEntriesOf(created, 'package.json')]).toEqual(['/scripts']);
  expect([...createdEntriesOf(created, 'pyproject.toml')]).toEqual(['dependency-groups']);
  expect([...createdEntriesOf(created, 'package')]).toEqual([]);
});

describe('staleEntries()', () => {
  const CREATED = new Set([
    'package.json#/dependencies',
    'package.json#/scripts',
    'requirements.txt',
    '.env.example',
    'src/',
  ]);

  test('lists every entry that no build needs, but no folder', () => {
    expect(staleEntries(CREATED, [NOTHING])).toEqual([
      '.env.example',
      'package.json#/dependencies',
      'package.json#/scripts',
      'requirements.txt',
    ]);
  });

  test('keeps an entry to which a build added something', () => {
    const npm = { a: { table: 'dependencies', range: '^1.0.0', action: 'added' } } as const;
    const env = { TOKEN: { action: 'added', text: 'TOKEN=' } } as const;
    expect(
      staleEntries(CREATED, [
        { ...NOTHING, npm },
        { ...NOTHING, env },
      ]),
    ).toEqual(['package.json#/scripts', 'requirements.txt']);
  });

  test('does not keep it for an entry that the user had', () => {
    const npm = { a: { table: 'dependencies', range: '^1.0.0', action: 'kept' } } as const;
    expect(staleEntries(CREATED, [{ ...NOTHING, npm }])).toContain('package.json#/dependencies');
  });
});
