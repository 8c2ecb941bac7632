import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { probeConditions, withConditions } from './deploy.ts';
import { openFolderStore } from './open-store.ts';
import type { Store } from './store.ts';

const HEADERS = { cacheControl: '', contentType: '' };

function folderStore(): Store {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-conditions-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return openFolderStore({ folder, place: 'file:x' });
}

/** A store that ignores conditions. */
function careless(): Store {
  const store = folderStore();
  return { ...store, write: (path, bytes, headers) => store.write(path, bytes, headers) };
}

it('probeConditions() distinguishes stores, and leaves nothing', async () => {
  const store = folderStore();
  expect(await probeConditions(store)).toEqual({ absent: true, tag: true });
  expect(await store.read('.deploy/probe')).toBeUndefined();
  expect(await probeConditions(careless())).toEqual({ absent: false, tag: false });
});

it('withConditions() looks first where the store does not', async () => {
  const raw = careless();
  const store = withConditions(raw, { absent: false, tag: false });
  const first = await store.write('x', Buffer.from('1'), HEADERS, 'absent');
  expect(first.kind).toBe('written');
  expect(await store.write('x', Buffer.from('2'), HEADERS, 'absent')).toEqual({ kind: 'refused' });
  const tag = first.kind === 'written' ? first.tag : '';
  expect((await store.write('x', Buffer.from('3'), HEADERS, { tag })).kind).toBe('written');
  expect((await store.write('x', Buffer.from('4'), HEADERS, { tag })).kind).toBe('refused');
  expect(withConditions(raw, { absent: true, tag: true })).toBe(raw);
});
