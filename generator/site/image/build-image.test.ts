import { expect, test } from 'vitest';
import { SITE, buildView } from '../../../tests/site/build-view.ts';
import { keptInMemory } from '../kept.ts';
import { buildImage } from './build-image.ts';

test('buildImage() gives the same bytes for the same facts, and draws hostile text', async () => {
  const view = buildView({ description: '<script>\u202E \u{1F600} \u4e2d '.repeat(50) });
  const kept = keptInMemory();
  const image = await buildImage(SITE, view, kept);
  expect(Buffer.from(image.subarray(0, 8)).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  expect(Buffer.from(await buildImage(SITE, view, keptInMemory()))).toEqual(Buffer.from(image));
  const drawn = { count: 0 };
  const counting = { get: kept.get, set: () => void (drawn.count += 1) };
  const downloaded = { ...view, latest: { ...view.latest, downloads: 9 } };
  expect(Buffer.from(await buildImage(SITE, downloaded, counting))).toEqual(Buffer.from(image));
  expect(drawn.count).toBe(0);
});
