import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFilePath } from '../../format/build/file-path.ts';
import { isWithin } from '../place/layout.ts';
import { projectPath } from './project-path.ts';

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
