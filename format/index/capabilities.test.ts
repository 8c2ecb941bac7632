import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  capabilitiesBeyond,
  capabilityLines,
  capabilityPhrases,
  type CapabilityLists,
} from './capabilities.ts';

const names = fc.uniqueArray(fc.constantFrom('*', 'a', 'b', 'c', 'd'), { maxLength: 5 });
const lists = fc.record({
  hosts: names,
  environment: names,
  reads: names,
  writes: names,
  processes: names,
  unread: names,
  dynamic_code: fc.boolean(),
});
const NONE: CapabilityLists = {
  hosts: [],
  environment: [],
  reads: [],
  writes: [],
  processes: [],
  unread: [],
  dynamic_code: false,
};

describe('capabilityLines()', () => {
  it('has a line for each kind that has names, and none for equal versions', () => {
    fc.assert(
      fc.property(lists, (one) => {
        const kinds = Object.values(one).filter((value) => value !== false && value !== true);
        const shown = kinds.filter((value) => value.length > 0).length;
        expect(capabilityLines(one)).toHaveLength(shown + Number(one.dynamic_code));
        expect(capabilityLines(capabilitiesBeyond(one, one))).toEqual([]);
      }),
    );
  });

  it('names 30, and counts the others', () => {
    const hosts = Array.from({ length: 33 }, (_, at) => `h${at}`);
    const [line] = capabilityLines({ ...NONE, hosts });
    expect(line).toMatchObject({ does: 'send data to', more: 3 });
    expect(line?.names).toHaveLength(30);
  });
});

describe('capabilityPhrases()', () => {
  it.each<[Partial<CapabilityLists>, string]>([
    [{ hosts: ['a.io'] }, 'send data to a.io'],
    [{ hosts: ['*'] }, 'send data to any address'],
    [{ environment: ['*', 'KEY'] }, 'read the variable KEY, any other'],
    [{ reads: ['a/*'] }, 'read a/*'],
    [{ writes: ['*'] }, 'write or delete any file'],
    [{ processes: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'start a, b, c, d, e and 1 more'],
    [{ dynamic_code: true, unread: ['a.js'] }, 'run code that it makes while it runs'],
  ])('%j: %s', (gained, phrase) => {
    expect(capabilityPhrases({ ...NONE, ...gained })).toEqual([phrase]);
  });
});
