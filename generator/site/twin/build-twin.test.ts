import { expect, test } from 'vitest';
import { SITE, buildView } from '../../../tests/site/build-view.ts';
import { buildTwin } from './build-twin.ts';

test('buildTwin() begins with what an agent must know', () => {
  const view = buildView(
    { risk: 'caution', readme: '# Read me\u202E\n' },
    { deprecated: { reason: 'Old\n# Not a heading', replacement: 'bob/new' } },
  );
  const text = buildTwin(SITE, view, view.latest);
  const order = [
    '# alice/web 1.1.0',
    '> Serves pages',
    '**Deprecated: ',
    'Use bob/new.**',
    '**Risk caution: read the findings before you install it.**',
    '    npx --yes https://registry.example/base/client/stackyard.tgz add alice/web',
    '- Integrity: sha256-',
    '## Versions',
    '# Read me',
  ];
  const places = order.map((part) => text.indexOf(part));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
  expect(text).not.toContain('\u202E');
  expect(text).not.toContain('\n# Not a heading');
});

test('buildTwin() of an older version names it in the command', () => {
  const view = buildView();
  expect(buildTwin(SITE, view, view.records[1]!)).toContain('add alice/web@1.0.0\n');
});
