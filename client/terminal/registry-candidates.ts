/** The candidates for the names of registries: the arguments of `registry`, and `corp:` before an id. */
import type { Lock } from '../../format/lock/lock.ts';
import { DEFAULT_REGISTRY_NAME } from '../../format/registry/registry-name.ts';

/** @param words the arguments of `registry` before the one to complete, at least the action */
export function registryCandidates(words: readonly string[], lock: Lock | undefined): string[] {
  const [action] = words;
  const names = Object.keys(lock?.registries ?? {});
  const owners = Object.keys(lock?.builds ?? {}).map((id) => id.slice(0, id.indexOf('/')));
  if (action === 'remove' && words.length === 1) return names;
  if (action !== 'move') return [];
  return words.length === 1 ? [...owners, ...names] : words.length === 2 ? names : [];
}

/** `corp:` for each registry of the project that has to be named. */
export function registryPrefixes({ registries }: Pick<Lock, 'registries'>): string[] {
  const names = Object.keys(registries).filter((name) => name !== DEFAULT_REGISTRY_NAME);
  return names.map((name) => `${name}:`);
}
