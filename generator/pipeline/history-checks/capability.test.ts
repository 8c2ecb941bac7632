import { expect, it } from 'vitest';
import type { CapabilityLists } from '../../../format/index/capabilities.ts';
import type { VersionFacts } from '../../../scan/version-facts.ts';
import { capability } from './capability.ts';
import { NO_CAPABILITIES } from '../../../scan/capabilities.ts';

function facts(version: string, capabilities: Partial<CapabilityLists>): VersionFacts {
  return { version, capabilities: { ...NO_CAPABILITIES, ...capabilities } } as VersionFacts;
}

function gained(now: VersionFacts, ...before: readonly VersionFacts[]): unknown[] {
  const then = {
    versionsOf: () => before.map((f) => f.version),
    factsOf: (_: string, version: string) => before.find((f) => f.version === version),
  };
  const found = capability.run('a/x', now, then);
  if (found.length > 0) expect(capability.concerns(now)).toBe(true);
  return found.map((f) => f.args);
}

it('reports neither the first version nor what was there before', () => {
  expect(gained(facts('1.0.0', { hosts: ['a.io'] }))).toEqual([]);
  const both = { hosts: ['a.io'] };
  expect(gained(facts('1.1.0', both), facts('1.0.0', both))).toEqual([]);
  expect(gained(facts('1.1.0', {}), facts('1.0.0', both))).toEqual([]);
});

it('concerns no version that can do nothing, and none whose code was only not read', () => {
  expect(capability.concerns(facts('1.0.0', { unread: ['a.js'] }))).toBe(false);
  expect(capability.concerns(facts('1.0.0', { dynamic_code: true }))).toBe(true);
});

it('compares with the next lower version, whatever was published last', () => {
  const before = [facts('2.0.0', { hosts: ['b.io'] }), facts('1.0.0', { hosts: ['a.io'] })];
  expect(gained(facts('1.0.1', { hosts: ['a.io', 'b.io'] }), ...before)).toEqual([
    { version: '1.0.0', can: 'send data to b.io' },
  ]);
});

it('names every kind, and how many more there are', () => {
  const now = facts('1.0.1', {
    processes: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
    environment: ['KEY'],
    dynamic_code: true,
  });
  expect(gained(now, facts('1.0.0', {}))).toEqual([
    { version: '1.0.0', can: 'read the variable KEY' },
    { version: '1.0.0', can: 'start a, b, c, d, e and 2 more' },
    { version: '1.0.0', can: 'run code that it makes while it runs' },
  ]);
});
