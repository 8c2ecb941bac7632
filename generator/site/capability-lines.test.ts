import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capabilitiesBeyond } from '../../format/index/capabilities.ts';
import { capabilityLines } from './capability-lines.ts';

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
    const none = { environment: [], reads: [], writes: [], processes: [], unread: [] };
    const [line] = capabilityLines({ ...none, hosts, dynamic_code: false });
    expect(line).toMatchObject({ does: 'Sends to', more: 3 });
    expect(line?.names).toHaveLength(30);
  });
});
