import { describe, expect, it } from 'vitest';
import { FETCHED } from '../label.ts';
import { NOTHING, Obj, UNKNOWN, labelled, storeField, textValue } from '../value.ts';
import { concat } from './concat.ts';

const FROM_NETWORK = labelled({ path: 'a.js', at: 0, label: FETCHED, what: 'fetch' });

describe('concat()', () => {
  it('joins constant texts in a row', () => {
    expect(concat([textValue('a'), textValue('b'), textValue('c')]).texts).toEqual(['abc']);
    expect(concat([]).texts).toEqual(['']);
  });

  it('forms every combination, up to four', () => {
    const ab = { ...NOTHING, texts: ['a', 'b'] };
    expect(concat([ab, ab]).texts).toEqual(['aa', 'ab', 'ba', 'bb']);
    expect(concat([ab, ab, ab]).texts).toHaveLength(4);
  });

  it('marks unknown parts once, and forgets a text of which nothing is known', () => {
    const unknown = NOTHING;
    expect(concat([textValue('a'), unknown, unknown]).texts).toEqual([`a${UNKNOWN}`]);
    expect(concat([unknown, unknown]).texts).toEqual([]);
  });

  it('keeps the labels of the parts and of the objects in them', () => {
    const obj = new Obj();
    storeField(obj, 'a', FROM_NETWORK);
    const sum = concat([textValue('a'), { ...NOTHING, objects: [obj] }]);
    expect(sum.labels).toBe(FETCHED);
    expect(sum.objects).toEqual([obj]);
  });

  it('is bounded when a text grows', () => {
    const long = textValue('a'.repeat(15_000));
    expect(concat([long, long, long, long]).texts[0]).toHaveLength(30_000);
  });
});
