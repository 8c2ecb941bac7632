import { expect, test, it } from 'vitest';
import { SITE, buildView } from '../../tests/site/build-view.ts';
import { buildTwin } from './build-twin.ts';
import { buildsTwin } from './list-twin.ts';
import { tagsTwin } from './tags-page.ts';
import { buildSummary } from '../../tests/site/build-summary.ts';

test('buildTwin() begins with what an agent must know', () => {
  const view = buildView(
    { risk: 'caution', readme: '# Read me\u202E\n', files: [{ path: 'src/a.ts', size: 5 }] },
    { deprecated: { reason: 'Old\n# Not a heading', replacement: 'bob/new' } },
  );
  const text = buildTwin(SITE, view);
  const order = [
    '# alice/web 1.1.0',
    '> Serves pages',
    '**Deprecated: ',
    'Use bob/new.**',
    '**Checks found something that you should look at before you install it.**',
    '    npx --yes https://registry.example/base/client/stackyard.tgz add alice/web',
    '- Writes: 1 file (5 B) to the root of the project',
    '- By hand: there is no guide',
    '- Integrity: sha256-',
    '- `src/a.ts` 5 bytes',
    '## Versions',
    '# Read me',
  ];
  const places = order.map((part) => text.indexOf(part));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
  expect(text).not.toContain('\u202E');
  expect(text).not.toContain('\n# Not a heading');
});

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
