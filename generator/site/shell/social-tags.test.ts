import { expect, it } from 'vitest';
import { SITE } from '../../../tests/site/build-view.ts';
import { socialTags } from './social-tags.ts';

const PAGE = { path: 'a/index.html', title: 'A "b"', description: '<c>' };

it('socialTags() has absolute addresses and escaped texts', () => {
  const tags = String(socialTags(SITE, { ...PAGE, image: 'a/image.png' }));
  expect(tags).toContain('og:url" content="https://registry.example/base/a/"');
  expect(tags).toContain('og:image" content="https://registry.example/base/a/image.png"');
  expect(tags).toContain('content="A &quot;b&quot;"');
  expect(tags).toContain('summary_large_image');
  expect(String(socialTags(SITE, PAGE))).toContain('content="summary"');
});

it('socialTags() is nothing without an address', () => {
  expect(socialTags({ ...SITE, address: '' }, PAGE)).toBeUndefined();
});
