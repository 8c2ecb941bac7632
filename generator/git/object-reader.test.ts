import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ObjectReader } from './object-reader.ts';

let folder: string;
let tree: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stackyard-objects-'));
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  git('init', '-q');
  writeFileSync(join(folder, 'a b.txt'), 'one\n');
  writeFileSync(join(folder, 'empty'), '');
  writeFileSync(join(folder, 'large'), Buffer.alloc(300_000, 'x\n'));
  git('add', '-A');
  tree = git('write-tree');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('ObjectReader', () => {
  const open = (): ObjectReader => {
    const reader = new ObjectReader(folder);
    onTestFinished(() => reader.close());
    return reader;
  };

  it('reads objects by id and by path, and knows those that are missing', async () => {
    const reader = open();
    const names = [`${tree}:a b.txt`, tree, `${tree}:empty`, `${tree}:none`, 'ff'.repeat(20)];
    const objects = await reader.readAll(names);
    expect(objects.map((object) => object?.type)).toEqual([
      'blob',
      'tree',
      'blob',
      undefined,
      undefined,
    ]);
    expect(objects[0]?.bytes?.toString()).toBe('one\n');
    expect(objects[2]).toMatchObject({ size: 0, bytes: Buffer.alloc(0) });
    const again = await reader.read(objects[0]?.oid ?? '');
    expect(again?.bytes?.toString()).toBe('one\n');
  });

  it('answers requests that overlap in their order, and skips what exceeds the budget', async () => {
    const reader = open();
    const budget = { left: 100_000 };
    const [large, small, lists] = await Promise.all([
      reader.read(`${tree}:large`, budget),
      reader.read(`${tree}:a b.txt`, budget),
      Promise.all(
        Array.from({ length: 60 }, (_, n) => reader.readAll([`${tree}:large`, n % 2 ? tree : 'x'])),
      ),
    ]);
    expect(large).toMatchObject({ size: 300_000, bytes: undefined });
    expect([small?.bytes?.toString(), budget.left]).toEqual(['one\n', 99_996]);
    for (const [n, [first, second]] of lists.entries()) {
      expect(first?.bytes?.length).toBe(300_000);
      expect(second?.type).toBe(n % 2 ? 'tree' : undefined);
    }
  });

  it('describes objects without their bytes', async () => {
    const reader = open();
    const [large, small, none] = await Promise.all([
      reader.describeAll([`${tree}:large`, 'x']),
      reader.read(`${tree}:a b.txt`),
      reader.describeAll([]),
    ]);
    expect(large).toMatchObject([{ type: 'blob', size: 300_000, bytes: undefined }, undefined]);
    expect([small?.bytes?.toString(), none]).toEqual(['one\n', []]);
  });

  it('rejects what it was asked when git ends', async () => {
    const reader = open();
    await reader.read(tree);
    reader.close();
    await expect(reader.read(tree)).rejects.toMatchObject({ code: 'ERR_GIT' });
  });
});
