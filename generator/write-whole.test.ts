import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { keepBuilt } from './write-whole.ts';

it('keepBuilt() replaces what an earlier state of the sources gave', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-keep-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const cache = join(folder, 'cache');
  keepBuilt(cache, join(cache, 'one'), '1');
  keepBuilt(cache, join(cache, 'two'), Buffer.from('2'));
  expect(readdirSync(cache)).toEqual(['two']);
  expect(readFileSync(join(cache, 'two'), 'utf8')).toBe('2');
});

it('keepBuilt() accepts a folder that cannot be made', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-keep-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'file'), '');
  keepBuilt(join(folder, 'file/cache'), join(folder, 'file/cache/one'), '1');
  expect(readdirSync(folder)).toEqual(['file']);
});
