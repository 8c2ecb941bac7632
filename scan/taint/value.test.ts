import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  HIDDEN_KEY,
  NOTHING,
  Obj,
  contentOf,
  deepContent,
  deepTexts,
  itemsOf,
  join,
  labelled,
  nameValue,
  newSlot,
  store,
  storeField,
  textValue,
  type Callable,
  type Origin,
  type Value,
} from './value.ts';

const WORDS = 'abcdefghijkl'.split('');
const FUNCS: readonly Callable[] = Array.from({ length: 12 }, () => ({ self: newSlot() }));
const OBJECTS: readonly Obj[] = Array.from({ length: 12 }, () => new Obj());

function origin(label: number, what = 'a'): Origin {
  return { path: 'a.js', at: 0, label, what };
}

const subset = <Item>(items: readonly Item[], maxLength: number): fc.Arbitrary<Item[]> =>
  fc.uniqueArray(fc.constantFrom(...items), { maxLength });

/** Values as the interpreter builds them: every label has an origin. */
function values(size: number): fc.Arbitrary<Value> {
  return fc
    .record({
      bits: subset([1, 2, 4, 8, 16], 5),
      texts: subset(WORDS, size),
      names: subset(WORDS, size),
      funcs: subset(FUNCS, size),
      objects: subset(OBJECTS, size),
    })
    .map(({ bits, ...rest }) => ({
      ...rest,
      labels: bits.reduce((sum, bit) => sum | bit, 0),
      origins: bits.map((bit) => origin(bit)),
    }));
}

/** A value without the order in its sets. */
function unordered(value: Value): unknown {
  return {
    labels: value.labels,
    texts: new Set(value.texts),
    names: new Set(value.names),
    funcs: new Set(value.funcs.map((f) => FUNCS.indexOf(f))),
    objects: new Set(value.objects.map((o) => OBJECTS.indexOf(o as Obj))),
    origins: new Set(value.origins.map((o) => o.label)),
  };
}

/** Within the limits, so that nothing is cut. */
const small = values(2);
const any = values(12);

describe('join()', () => {
  it('is idempotent', () => {
    fc.assert(
      fc.property(any, (a) => {
        expect(join(a, a)).toBe(a);
      }),
    );
  });

  it('is commutative up to the order of the sets', () => {
    fc.assert(
      fc.property(small, small, (a, b) => {
        expect(unordered(join(a, b))).toEqual(unordered(join(b, a)));
      }),
    );
  });

  it('is associative up to the order of the sets', () => {
    fc.assert(
      fc.property(small, small, small, (a, b, c) => {
        expect(unordered(join(join(a, b), c))).toEqual(unordered(join(a, join(b, c))));
      }),
    );
  });

  it('has NOTHING as its least value', () => {
    fc.assert(
      fc.property(any, (a) => {
        expect(join(a, NOTHING)).toBe(a);
        expect(join(NOTHING, a)).toBe(a);
      }),
    );
  });

  it('returns the first value itself when the second adds nothing, so that a fixpoint is detected', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        const sum = join(a, b);
        expect(join(sum, b)).toBe(sum);
        expect(join(sum, a)).toBe(sum);
      }),
    );
  });

  it('contains all of the first value and stays within the limits', () => {
    fc.assert(
      fc.property(fc.array(small, { maxLength: 20 }), (all) => {
        const sum = all.reduce((one, other) => join(one, other), NOTHING);
        expect(sum.texts.length).toBeLessThanOrEqual(6);
        expect(sum.names.length).toBeLessThanOrEqual(8);
        expect(sum.funcs.length).toBeLessThanOrEqual(8);
        expect(sum.objects.length).toBeLessThanOrEqual(6);
        expect(all.every(({ labels }) => (sum.labels & labels) === labels)).toBe(true);
        const [first] = all;
        expect(sum.texts).toEqual(expect.arrayContaining([...(first?.texts ?? [])]));
      }),
    );
  });

  it('keeps one origin for each label', () => {
    const sum = join(labelled(origin(1, 'first')), labelled(origin(1, 'second')));
    expect(sum.origins.map((o) => o.what)).toEqual(['first']);
    expect(join(sum, labelled(origin(2))).origins.map((o) => o.label)).toEqual([1, 2]);
  });
});

describe('textValue()', () => {
  it('cuts long texts', () => {
    expect(textValue('ab').texts).toEqual(['ab']);
    expect(textValue('a'.repeat(30_000)).texts[0]).toHaveLength(20_000);
  });
});

describe('contentOf()', () => {
  it('keeps labels and origins only', () => {
    const value = { ...labelled(origin(4)), texts: ['a'], names: ['b'], objects: [new Obj()] };
    expect(contentOf(value)).toEqual(labelled(origin(4)));
    expect(contentOf(textValue('a'))).toBe(NOTHING);
  });
});

describe('store()', () => {
  it('joins, and reports whether that changed the slot', () => {
    const slot = newSlot();
    expect(slot.value).toBeUndefined();
    expect(store(slot, textValue('a'))).toBe(true);
    expect(store(slot, textValue('b'))).toBe(true);
    expect(store(slot, textValue('a'))).toBe(false);
    expect(slot.value?.texts).toEqual(['a', 'b']);
  });
});

describe('storeField()', () => {
  it('joins into the field and into the items', () => {
    const obj = new Obj();
    expect(storeField(obj, 'a', textValue('1'))).toBe(true);
    expect(storeField(obj, 'a', textValue('1'))).toBe(false);
    expect(storeField(obj, undefined, textValue('2'))).toBe(true);
    expect(obj.fields.get('a')?.texts).toEqual(['1']);
    expect(obj.rest.texts).toEqual(['2']);
    expect(itemsOf({ ...NOTHING, objects: [obj] }).texts).toEqual(['1', '2']);
  });

  it('adds the content only of a hidden field to the items', () => {
    const obj = new Obj();
    storeField(obj, `${HIDDEN_KEY}a`, { ...labelled(origin(2)), texts: ['secret'] });
    expect(obj.items).toMatchObject({ labels: 2, texts: [] });
  });

  it('stores the field of a very large object into the rest', () => {
    const obj = new Obj();
    for (let key = 0; key < 3_000; key += 1) storeField(obj, String(key), textValue('a'));
    expect(obj.fields.size).toBeLessThanOrEqual(2_001);
    expect(obj.rest.texts).toEqual(['a']);
  });
});

describe('deepContent()', () => {
  it('joins the content of nested objects, also in a cycle', () => {
    const [outer, inner] = [new Obj(), new Obj()];
    storeField(outer, 'a', { ...NOTHING, objects: [inner] });
    storeField(inner, 'b', { ...NOTHING, objects: [outer] });
    storeField(inner, 'c', labelled(origin(8)));
    const value = { ...labelled(origin(1)), objects: [outer] };
    expect(deepContent(value).labels).toBe(9);
    expect(deepContent(value).labels).toBe(9);
  });

  it('visits an object once, so that shared objects do not use up the limit', () => {
    const chain = Array.from({ length: 90 }, () => new Obj());
    const first = chain[0]!;
    chain.slice(1).forEach((obj, index) => {
      storeField(chain[index]!, 'next', { ...NOTHING, objects: [obj] });
    });
    for (const obj of chain) storeField(obj, 'first', { ...NOTHING, objects: [first] });
    storeField(chain.at(-1)!, 'a', labelled(origin(8)));
    expect(deepContent({ ...NOTHING, objects: [first] }).labels).toBe(8);
  });

  it('does not look into instances of classes', () => {
    const obj = new Obj();
    obj.isInstance = true;
    storeField(obj, 'a', labelled(origin(8)));
    expect(deepContent({ ...NOTHING, objects: [obj] })).toBe(NOTHING);
  });
});

describe('deepTexts()', () => {
  it('returns the texts of a value and of the fields of its objects', () => {
    const obj = new Obj();
    storeField(obj, '0', textValue('b'));
    storeField(obj, undefined, textValue('c'));
    expect(deepTexts({ ...textValue('a'), objects: [obj] })).toEqual(['a', 'b', 'c']);
  });
});

describe('nameValue()', () => {
  it('is an API', () => {
    expect(nameValue('eval')).toEqual({ ...NOTHING, names: ['eval'] });
  });
});
