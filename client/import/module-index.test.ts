import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folderOf, resolvePath, isWithin } from '../plan/place/layout.ts';
import { ModuleIndex, rewriteImports, projectPath } from './module-index.ts';
import { isFilePath } from '../../format/build/file-path.ts';

const FORM = {
  item: 'form',
  source: 'registry/new-york/blocks/form.tsx',
  place: 'src/components/form.tsx',
};
const MODULES: Parameters<typeof rewriteImports>[0][] = [
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

const file = (path: string, type: string, target?: string) => ({ path, type, target, content: '' });

describe('projectPath()', () => {
  it.each([
    ['registry/new-york/ui/button.tsx', 'registry:ui', undefined, 'src/components/ui/button.tsx'],
    ['src/components/ui/a/index.ts', 'registry:ui', undefined, 'src/components/ui/a/index.ts'],
    ['registry/lib/utils.ts', 'registry:lib', undefined, 'src/lib/utils.ts'],
    ['x/hooks/use-it.ts', 'registry:hook', undefined, 'src/hooks/use-it.ts'],
    ['blocks/login/page.tsx', 'registry:page', 'app/login/page.tsx', 'src/app/login/page.tsx'],
    ['blocks/form.tsx', 'registry:component', undefined, 'src/components/form.tsx'],
    ['x.ts', 'registry:file', '~/config/x.ts', 'config/x.ts'],
    ['x.ts', 'registry:file', 'src/config/x.ts', 'src/config/x.ts'],
    ['x.ts', 'registry:file', '@ui/x.ts', 'src/components/ui/x.ts'],
    ['x.ts', 'registry:file', '@other/x.ts', 'src/@other/x.ts'],
    ['x.ts', 'registry:ui', '', 'src/components/ui/x.ts'],
  ])('%j of type %j with target %j is %j', (path, type, target, wanted) => {
    expect(projectPath(file(path, type, target), 'src')).toBe(wanted);
  });

  it('has no folder of sources where the project has none', () => {
    expect(projectPath(file('ui/a.tsx', 'registry:ui'), '')).toBe('components/ui/a.tsx');
    expect(projectPath(file('a', 'registry:page', 'src/app/a.tsx'), '')).toBe('src/app/a.tsx');
  });

  const type = fc
    .constantFrom('ui', 'lib', 'hook', 'block', 'component')
    .map((t) => `registry:${t}`);
  const segment = fc.stringMatching(/^[a-z][a-z0-9.-]{0,8}[a-z0-9]$/);
  const path = fc.array(segment, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'));

  it('keeps a file without a target below the folder of sources, whatever the registry', () => {
    fc.assert(
      fc.property(path, type, fc.constantFrom('src', 'app/web', ''), (name, kind, root) => {
        const placed = projectPath(file(name, kind), root);
        expect(isWithin(root, placed)).toBe(true);
        expect(placed.split('/').at(-1)).toBe(name.split('/').at(-1));
        expect(isFilePath(placed)).toBe(true);
      }),
    );
  });

  it('never hides a path that leaves the project from the check of paths', () => {
    const part = fc.constantFrom(
      '..',
      '.',
      '',
      'a',
      'src',
      '~',
      '@ui',
      '@lib',
      'C:',
      '\\',
      '\0',
      '/',
    );
    const target = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(target, path, type, (to, name, kind) => {
        const placed = projectPath(file(name, kind, to), 'src');
        if (!isFilePath(placed)) return;
        expect(new URL(placed, 'file:///project/x').pathname.startsWith('/project/')).toBe(true);
      }),
    );
  });
});
