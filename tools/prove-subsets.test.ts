import { expect, test } from 'vitest';
import { subsetsOf } from './prove-subsets.ts';

test('subsets have what their modules need, and all pairs', () => {
  const feature = (name: string, needs: string[], provides: string[], requires: string[] = []) => {
    return { name, needs, provides, requires };
  };
  const all = [
    feature('sqlite', [], ['database']),
    feature('postgres', [], ['database']),
    feature('account', [], ['auth'], ['sqlite']),
    feature('better-auth', ['database'], ['auth']),
    feature('mail', ['database'], ['mail']),
    feature('uploads', ['auth', 'mail'], []),
  ];
  const made = subsetsOf(all, 'express-api', 'sqlite').map(({ modules }) => modules.join(' '));
  expect(made).toEqual(expect.arrayContaining(['mail sqlite', 'better-auth mail sqlite']));
  expect(made).toContain('better-auth mail sqlite uploads');
  expect(made.join(' ')).not.toMatch(/\b(?:postgres|account)\b/);
  expect(new Set(made).size).toBe(made.length);
});
