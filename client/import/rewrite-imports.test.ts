import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folderOf, resolvePath } from '../place/layout.ts';
import type { ItemModule } from './module-index.ts';
import { ModuleIndex } from './module-index.ts';
import { rewriteImports } from './rewrite-imports.ts';

const FORM = {
  item: 'form',
  source: 'registry/new-york/blocks/form.tsx',
  place: 'src/components/form.tsx',
};
const MODULES: ItemModule[] = [
  FORM,
  {
    item: 'button',
    source: 'registry/new-york/ui/button.tsx',
    place: 'src/components/ui/button.tsx',
  },
  { item: 'utils', source: 'registry/new-york/lib/utils.ts', place: 'src/lib/utils.ts' },
  { item: 'menu', source: 'src/menu/index.ts', place: 'src/components/menu/index.ts' },
];
const INDEX = new ModuleIndex(MODULES, 'src');

const rewritten = (code: string, module = FORM) => rewriteImports(module, code, INDEX, ['form']);

describe('rewriteImports()', () => {
  it.each([
    ['@/lib/utils', '../lib/utils'],
    ['~/lib/utils', '../lib/utils'],
    ['@/lib/utils.js', '../lib/utils.js'],
    ['@/components/ui/button', './ui/button'],
    ['@/registry/new-york/ui/button', './ui/button'],
    ['@/registry/default/ui/button', './ui/button'],
    ['@/registry/new-york/lib/utils', '../lib/utils'],
    ['../ui/button', './ui/button'],
    ['@/menu', './menu'],
    ['@/registry/new-york/hooks/use-it', '@/hooks/use-it'],
    ['@/lib/other', '@/lib/other'],
    ['react', 'react'],
    ['@scope/name', '@scope/name'],
  ])('%j becomes %j', (from, to) => {
    const { content } = rewritten(`import x from "${from}";\nvoid import('${from}');\n`);
    expect(content).toBe(`import x from "${to}";\nvoid import('${to}');\n`);
  });

  it('reports items that are used, packages, and what no item has', () => {
    const code = `import '@/lib/utils';\nimport 'react';\nimport '@/lib/none';\nimport './none';\n`;
    expect(rewritten(code)).toMatchObject({
      uses: ['utils'],
      packages: ['react'],
      unresolved: ['@/lib/none', './none'],
      isUnread: false,
    });
    expect(rewritten('import {').isUnread).toBe(true);
  });

  it.each([
    ['a.astro', '---\nimport { cn } from "@/lib/utils"\n---\n<p>"@/lib/utils"</p>\n'],
    [
      'a.vue',
      '<template>"@/lib/utils"</template>\n<script setup lang="ts">\nimport { cn } from "@/lib/utils"\n</script>\n',
    ],
    ['a.svelte', '<script>\r\nimport { cn } from "@/lib/utils"\r\n</script>\r\n"@/lib/utils"\r\n'],
  ])('rewrites the code of %s, and not its text', (name, text) => {
    const module = { item: 'x', source: name, place: `src/components/${name}` };
    const { content } = rewritten(text, module);
    expect(content).toContain('from "../lib/utils"');
    expect(content.replace('../lib/utils', '@/lib/utils')).toBe(text);
  });

  it('prefers its own modules, then those of the items that it names', () => {
    const twin = { item: 'twin', source: 'x/utils.ts', place: 'src/lib/utils.ts' };
    const index = new ModuleIndex([...MODULES, twin], 'src');
    const code = 'import "@/lib/utils";';
    expect(rewriteImports(FORM, code, index, ['form', 'twin']).uses).toEqual(['twin']);
    expect(rewriteImports(FORM, code, index, ['form']).uses).toEqual(['utils']);
  });

  it('leads to the module that was named, from any place to any place', () => {
    const segment = fc.stringMatching(/^[a-z]{1,4}$/);
    const folder = fc.array(segment, { maxLength: 4 }).map((parts) => ['src', ...parts].join('/'));
    fc.assert(
      fc.property(folder, folder, segment, folder, (from, to, name, source) => {
        const target = { item: 'b', source: `${source}/${name}-b.ts`, place: `${to}/${name}-b.ts` };
        const own = { item: 'a', source: 'a.ts', place: `${from}/a-a.ts` };
        const index = new ModuleIndex([own, target], 'src');
        const alias = `@/${target.place.slice('src/'.length, -'.ts'.length)}`;
        const { content, uses } = rewriteImports(own, `import "${alias}";`, index, ['a']);
        const [, written = ''] = /"(.*)"/.exec(content) ?? [];
        expect(uses).toEqual(['b']);
        expect(written).toMatch(/^\.\.?\//);
        expect(resolvePath(folderOf(own.place), `${written}.ts`)).toBe(target.place);
      }),
    );
  });
});
