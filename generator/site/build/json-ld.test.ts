import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SITE, buildView } from '../../../tests/site/build-view.ts';
import { buildData } from './json-ld.ts';

const BLOCK = /^<script type="application\/ld\+json">([^<>&]*)<\/script>\n$/;

test('buildData() describes the build with public addresses', () => {
  const [, json = ''] = BLOCK.exec(String(buildData(SITE, buildView()))) ?? [];
  expect(JSON.parse(json)).toMatchObject({
    name: 'alice/web',
    version: '1.1.0',
    dateCreated: '2026-01-01T00:00:00.000Z',
    downloadUrl: 'https://registry.example/base/builds/alice/web/1.1.0.tgz',
  });
  expect(buildData({ ...SITE, address: '' }, buildView())).toBeUndefined();
});

test('no text of a publisher ends the block', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constant('</script><script>alert(1)</script>'),
  );
  fc.assert(
    fc.property(hostile, hostile, (description, keyword) => {
      const view = buildView({
        description,
        keywords: [keyword],
        license: description,
        repository: `https://x/${keyword}`,
      });
      const [, json = ''] = BLOCK.exec(String(buildData(SITE, view))) ?? [];
      expect(() => JSON.parse(json) as unknown).not.toThrow();
    }),
  );
});
