import { expect, test } from 'vitest';
import { SITE } from '../../tests/site/build-view.ts';
import { registryStyle } from './site.ts';

test('registryStyle() has the name as one string, and takes the colours of code away', () => {
  const style = registryStyle({ ...SITE, name: '"} a\\9 \n{\u202E' });
  expect(style).toContain('  content: "\\"} a\\\\9  {[U+202E]";\n');
  expect(registryStyle({ ...SITE, hasHighlighting: false })).toContain('.tk, .ts');
  expect(registryStyle({ ...SITE, hasHighlighting: true })).not.toContain('.tk');
});
