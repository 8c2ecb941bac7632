import { expect, it } from 'vitest';
import { buildSummary } from '../../../tests/site/build-summary.ts';
import { buildsTwin, tagsTwin } from './list-twin.ts';

it('buildsTwin() leads to the twins of builds, and leaves out empty parts', () => {
  const builds = [buildSummary({ description: 'a\nb\u202E', risk: 'caution', deprecated: true })];
  const text = buildsTwin('tags/x/index.md', 'x', 'A tag.', [
    { title: 'Provide it', builds },
    { title: 'Require it', builds: [] },
  ]);
  expect(text).toContain(
    '- [alice/web](../../builds/alice/web/index.md) 1.0.0 (module, quality 100',
  );
  expect(text).toContain(', risk caution, deprecated): ');
  expect(text).not.toMatch(/Require it|\u202E/);
});

it('tagsTwin() leads to the twins of tags', () => {
  const text = tagsTwin('tags/index.md', [{ name: 'a b', count: 3 }]);
  expect(text).toContain('- [a b](../tags/a~20b/index.md): 3');
});
