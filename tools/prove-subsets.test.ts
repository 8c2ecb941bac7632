import { expect, test } from 'vitest';
import { subsetsOf } from './prove-subsets.ts';

test('subsets have what their modules need, and all pairs', () => {
  const feature = (name: string, needs: string[], provides: string[], requires: string[] = []) => {
    return { name, needs, provides, requires };
  };
  const all = [
    feature('sqlite', [], ['database']),
    feature('postgres', [], ['database']),
    feature('account-sqlite', [], ['auth'], ['sqlite']),
    feature('account-postgres', [], ['auth'], ['postgres']),
    feature('mail', ['database'], ['mail']),
    feature('organizations', ['auth', 'mail'], []),
  ];
  const made = subsetsOf(all, 'express-api', 'sqlite').map(({ modules }) => modules.join(' '));
  expect(made).toEqual(expect.arrayContaining(['mail sqlite', 'account-sqlite mail sqlite']));
  expect(made).toContain('account-sqlite mail organizations sqlite');
  expect(made.join(' ')).not.toContain('postgres');
  expect(new Set(made).size).toBe(made.length);
});
