import { expect, test } from 'vitest';
import { SITE, buildView } from '../../../tests/site/build-view.ts';
import { buildTwin } from './build-twin.ts';

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
