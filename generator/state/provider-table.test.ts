import { expect, it, onTestFinished } from 'vitest';
import { State } from './state.ts';

it('ProviderTable remembers what pages name, and reports changes', () => {
  const state = State.open(':memory:');
  onTestFinished(() => state.close());
  const { providers } = state.site;
  expect(providers.named('web', 'a/x')).toBeUndefined();
  expect(providers.setNamed('web', 'a/x', undefined)).toBe(false);
  expect(providers.setNamed('web', 'a/x', [])).toBe(true);
  expect(providers.named('web', 'a/x')).toEqual([]);
  expect(providers.setNamed('web', 'a/x', ['p/b', 'p/a'])).toBe(true);
  expect(providers.setNamed('web', 'a/x', ['p/b', 'p/a'])).toBe(false);
  expect(providers.named('web', 'a/x')).toEqual(['p/b', 'p/a']);
  expect(providers.named('other', 'a/x')).toBeUndefined();
  expect(providers.naming('web')).toEqual(['a/x']);
  expect(providers.setNamed('web', 'a/x', undefined)).toBe(true);
  expect(providers.naming('web')).toEqual([]);
});
