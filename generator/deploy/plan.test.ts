import { describe, expect, it } from 'vitest';
import { fileMark } from './manifest.ts';
import { makePlan } from './plan.ts';

const [OLD, NEW] = ['0'.repeat(64), '1'.repeat(64)];
const TARBALL = 'builds/a/x/1.0.0.tgz';
const PATHS = [
  'registry.json',
  'catalog.json',
  'heads/a/x.json',
  TARBALL,
  'log/checkpoint',
  'log/tile/0/000.p/1',
];
const NONE = { changed: new Map(), gone: [], oldShards: [] };

function input(changes: Partial<Parameters<typeof makePlan>[0]> = {}) {
  const files = new Map(PATHS.map((path) => [path, NEW]));
  return {
    files,
    difference: NONE,
    repaired: new Set<string>(),
    removed: {},
    now: 100_000,
    graceMs: 10_000,
    ...changes,
  };
}

const changed = (path: string, before?: string) => {
  const mark = before === undefined ? undefined : fileMark(path, before);
  return { ...NONE, changed: new Map([[path, { before: mark }]]) };
};

describe('makePlan()', () => {
  it('orders everything as the generator does, registry.json last', () => {
    const all = new Map(PATHS.map((path) => [path, { before: undefined }]));
    const plan = makePlan(input({ difference: { ...NONE, changed: all } }));
    expect(plan.stages.map((stage) => stage.map(({ path }) => path))).toEqual([
      [TARBALL],
      ['log/tile/0/000.p/1'],
      ['log/checkpoint'],
      ['heads/a/x.json'],
      ['catalog.json'],
    ]);
    expect(plan.registry).toEqual({ path: 'registry.json', sha256: NEW, isNew: false });
    expect(plan.unchanged).toBe(0);
  });

  it('writes immutable files only where none is', () => {
    expect(makePlan(input({ difference: changed(TARBALL) })).stages[0]?.[0]?.isNew).toBe(true);
    expect(
      makePlan(input({ difference: changed('catalog.json', OLD) })).stages[0]?.[0]?.isNew,
    ).toBe(false);
  });

  it('refuses other bytes of an immutable file, also to repair one', () => {
    const refused = expect.objectContaining({ code: 'ERR_DEPLOY_IMMUTABLE' });
    expect(() => makePlan(input({ difference: changed(TARBALL, OLD) }))).toThrow(refused);
    const repaired = new Set([TARBALL]);
    expect(() => makePlan(input({ difference: changed(TARBALL, OLD), repaired }))).toThrow(refused);
    const [[upload] = []] = makePlan(input({ repaired })).stages;
    expect(upload).toEqual({ path: TARBALL, sha256: NEW, isNew: false });
  });

  it('removes what is gone after the grace period, unless it is back', () => {
    const difference = { ...NONE, gone: ['heads/a/y.json'] };
    const removed = { 'heads/a/z.json': 90_000, 'owners/b.json': 93_000, [TARBALL]: 1 };
    expect(makePlan(input({ difference, removed }))).toMatchObject({
      expired: ['heads/a/z.json'],
      removed: { 'heads/a/y.json': 100_000, 'owners/b.json': 93_000 },
    });
  });
});
