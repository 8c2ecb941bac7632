/** The pure parts of an import: names, packages, references, style sheets, bundles. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBuildName } from '../../format/build/build-id.ts';
import { tryBuildName, itemReferences, styleSheet, type ItemSource } from './item-reference.ts';
import { withoutBundles } from './item-builds.ts';
import { itemPackages } from './item-manifest.ts';

describe('tryBuildName()', () => {
  it.each([
    ['button', 'button'],
    ['Sidebar 07', 'sidebar-07'],
    ['dataTable', 'data-table'],
    ['stackyard/account', 'stackyard-account'],
    ['-é-', 'e'],
    ['---', undefined],
    ['', undefined],
  ])('of %j is %j', (item, wanted) => {
    expect(tryBuildName(item)).toBe(wanted);
  });

  it('is a name of a build, or none', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (item) => {
        const name = tryBuildName(item);
        expect(name === undefined || isBuildName(name)).toBe(true);
      }),
    );
  });
});

it('itemPackages() reads names with ranges, and reports the others', () => {
  const list = [
    'zod',
    'a@^1.0.0',
    '@s/b@latest',
    '@s/c@~2.1',
    'd@npm:e@1',
    '--flag',
    'f@https://x',
  ];
  expect(itemPackages(list)).toEqual({
    packages: { zod: '*', a: '^1.0.0', '@s/b': '*', '@s/c': '~2.1', d: '*', f: '*' },
    unread: ['d@npm:e@1', '--flag', 'f@https://x'],
  });
});

describe('itemReferences()', () => {
  const names = new Set(['button', 'stackyard/sqlite']);
  it.each([
    ['button', 'button'],
    ['https://r.example/r/button.json', 'button'],
    ['https://r.example/r/stackyard/sqlite.json', 'stackyard/sqlite'],
    ['https://r.example/r/stackyard/sqlite@1.0.0.json', 'stackyard/sqlite'],
    ['https://other.example/r/button.json', undefined],
    ['@acme/button', 'button'],
    ['@shadcn/button', undefined],
    ['./button.json', 'button'],
    ['card', undefined],
    ['owner/repo/button#main', undefined],
  ])('%j is the own item %j', (reference, wanted) => {
    const { own, foreign } = itemReferences([reference], names, 'https://r.example/r/');
    expect([own, foreign]).toEqual(wanted === undefined ? [[], [reference]] : [[wanted], []]);
  });
});

describe('styleSheet()', () => {
  it('writes what shadcn would write, imports first', () => {
    const text = styleSheet({
      name: 'x',
      type: 'registry:theme',
      cssVars: {
        theme: { 'font-sans': 'Inter' },
        light: { brand: '20 14.3% 4.1%', radius: '1rem' },
        dark: { '--brand': '#fff' },
      },
      css: {
        '@layer base': { h1: { color: 'red' }, '@apply border': {} },
        '@import "x"': {},
        '@plugin "y"': '',
      },
    });
    expect(text).toBe(`@import "x";

@theme inline {
  --font-sans: Inter;
  --color-brand: var(--brand);
}

:root {
  --brand: hsl(20 14.3% 4.1%);
  --radius: 1rem;
}

.dark {
  --brand: #fff;
}

@layer base {
  h1 {
    color: red;
  }
  @apply border;
}

@plugin "y";
`);
  });

  it('has none for an item without styles', () => {
    expect(styleSheet({ name: 'x', type: 'registry:ui', cssVars: { light: {} } })).toBeUndefined();
  });
});

it('withoutBundles() passes on what a bundle names, also through bundles', () => {
  const item = (name: string, files: number, registryDependencies: string[]) => ({
    item: { name, type: 'registry:item', registryDependencies },
    files: Array.from({ length: files }, () => ({ path: 'a', type: '', target: '', content: '' })),
  });
  const items = [
    item('all', 0, ['button', 'more', 'page']),
    item('more', 0, ['card', 'all']),
    item('button', 1, []),
    item('card', 1, []),
    item('page', 1, ['all', 'x']),
  ];
  const source = { items, address: undefined } as unknown as ItemSource;
  const made = withoutBundles(source);
  expect(made.bundles).toEqual(['all', 'more']);
  expect(
    made.source.items.find((one) => one.item.name === 'page')?.item.registryDependencies,
  ).toEqual(['x', 'button', 'card']);
});
