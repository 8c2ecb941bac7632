import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { integrityOf } from '../../format/archive/integrity.ts';
import { integrityAt, isClaimed, isPlaced, placeNew } from './placement.ts';
import { makeProject, treeOf } from '../../tests/client/project-tree.ts';

async function project(): Promise<string> {
  const folder = await makeProject({ staged: 'ours' });
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A file system without hard links. */
function noLink(): Promise<void> {
  const refusal = { code: 'EPERM', syscall: 'link' };
  return Promise.reject(Object.assign(new Error('EPERM: link'), refusal));
}

test.each([
  ['with', undefined],
  ['without', noLink],
])('places a new file %s hard links, never over another', async (_, linkFile) => {
  const folder = await project();
  const [staged, target] = [join(folder, 'staged'), join(folder, 'target')];
  expect(await isPlaced(staged, target)).toBe(false);
  await writeFile(target, 'theirs');
  await expect(placeNew(staged, target, linkFile)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(await isPlaced(staged, target)).toBe(false);
  expect(await isClaimed(staged, target)).toBe(false);
  expect(Object.keys(await treeOf(folder))).toEqual(['staged', 'target']);
  await rm(target);
  await placeNew(staged, target, linkFile);
  expect(await readFile(target, 'utf8')).toBe('ours');
  expect(await isPlaced(staged, target)).toBe(true);
});

test('distinguishes the empty file that reserves a name from one of another process', async () => {
  const folder = await project();
  const [staged, target] = [join(folder, 'staged'), join(folder, 'target')];
  await writeFile(target, '');
  expect(await isClaimed(staged, target)).toBe(false);
  await writeFile(`${staged}.claim`, '');
  expect(await isClaimed(staged, target)).toBe(true);
  await writeFile(target, 'theirs');
  expect(await isClaimed(staged, target)).toBe(false);
});

test('digests only files', async () => {
  const folder = await project();
  expect(await integrityAt(join(folder, 'staged'))).toBe(integrityOf(Buffer.from('ours')));
  expect(await integrityAt(join(folder, 'gone'))).toBeUndefined();
  expect(await integrityAt(join(folder, 'staged/below'))).toBeUndefined();
  expect(await integrityAt(folder)).toBe('other');
});
