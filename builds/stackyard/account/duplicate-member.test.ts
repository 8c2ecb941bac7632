// Members that stand twice, at every depth and in every spelling.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasDuplicateMember } from './duplicate-member.js';

describe('hasDuplicateMember() finds', () => {
  test.each([
    '{"a":1,"a":2}',
    '{"a":1,"a":1}',
    '{ "a" : 1 , "b" : 2 , "a" : 3 }',
    '{"a":1,"\\u0061":2}',
    '{"":1,"":2}',
    '{"a":{"b":1,"b":2}}',
    '[{"a":[{"b":1,"b":2}]}]',
    '{"a":[1,{"x":"}"}],"a":2}',
    '{"\\"":1,"\\"":2}',
    '{"a\\\\":1,"a\\\\":2}',
    '{"__proto__":1,"__proto__":2}',
  ])('%s', (json) => {
    expect(hasDuplicateMember(json)).toBe(true);
  });
});

describe('hasDuplicateMember() passes', () => {
  test.each([
    '{}',
    '[]',
    '"a"',
    '1',
    '{"a":"a","b":"a"}',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"\\"a\\":1,\\"a\\":2"}',
    '{"a":["a","a"],"A":1}',
    '{"a\\\\":1,"a":2}',
  ])('%s', (json) => {
    expect(hasDuplicateMember(json)).toBe(false);
  });
});

test('hasDuplicateMember() passes what JSON.stringify writes, and finds a member that is added', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, name) => {
      expect(hasDuplicateMember(JSON.stringify(value))).toBe(false);
      const [key, text] = [JSON.stringify(name), JSON.stringify(value)];
      expect(hasDuplicateMember(`{${key}:${text},${key}:${text}}`)).toBe(true);
    }),
  );
});
